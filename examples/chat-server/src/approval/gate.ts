import { type AppCallContext, currentAgentFrame, getMessageInWork, getSessionId } from '../context/request-context.js';
import { type AskedCalls, descriptorOf } from './asked-calls.js';
import { isOff, offReason, type ReadSwitches, type ToolOfCall } from '../tools/switches.js';
import type { Grant } from '../types.js';
import { commandRules, type GrantStore, isGranted, outdatedGrants } from './grants.js';
import type { ApprovalAnswer, PendingRegistry } from './pending-registry.js';
import type { ChangeSeals, ChangingCall, ShownChange } from './shown-change.js';
import { type AskVerdict, RUN, type Verdict } from './verdict.js';

export interface GateOptions {
  readonly grants: GrantStore;
  readonly switches: ReadSwitches;
  /** Where calls of apps wait. */
  readonly pending: PendingRegistry;
  readonly asked: AskedCalls;
  readonly changes: ChangeSeals;
}

/** A call of the app's own tools. */
type ChangingTool = Pick<ChangingCall, 'toolCallId' | 'tool'>;

/** A call of an app that a person is asked about. */
export interface AppCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly verdict: AskVerdict;
  readonly signal: AbortSignal;
}

/** The same for the chat, its sub-agents and apps, for the app's tools and those of MCP servers. */
export class ApprovalGate {
  readonly #options: GateOptions;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** A verdict in the light of what is off and what was granted in this chat. Grants that cannot be read allow nothing. */
  async settle(verdict: Verdict, call: ToolOfCall): Promise<Verdict> {
    if (await this.#isOff(call)) return { decision: 'refuse', reason: offReason(call) };
    if (verdict.decision !== 'ask' || verdict.grant === undefined) return verdict;
    const { grant, isCovered } = verdict;
    try {
      const grants = await this.#options.grants.list(getSessionId());
      if (isGranted(grants, grant) || isCovered?.(commandRules(grants)) === true) return RUN;
      const outdated = grant.kind === 'command' ? outdatedGrants(grants) : [];
      return outdated.length === 0 ? verdict : await this.#withOutdated(verdict, outdated);
    } catch {
      return verdict;
    }
  }

  /** Switches that cannot be read let nothing run. */
  async #isOff(call: ToolOfCall): Promise<boolean> {
    try {
      return isOff(await this.#options.switches(getSessionId()), call);
    } catch {
      return true;
    }
  }

  /** The next question about a command names them, once. */
  async #withOutdated(verdict: AskVerdict, outdated: readonly Grant[]): Promise<AskVerdict> {
    await this.#options.grants.remove(getSessionId(), outdated);
    const named = commandRules(outdated).map((rule) => `"${rule}"`);
    const reason = `${verdict.reason}. This chat used to allow it with any option; that rule no longer applies: ${named.join(', ')}`;
    return { ...verdict, reason };
  }

  /** The AI SDK asks about this call by the stream of the chat or of a sub-agent: says why. */
  noteQuestion(
    toolCallId: string,
    verdict: AskVerdict,
    shown?: { readonly tool: string; readonly change: ShownChange },
  ): void {
    const change = shown && this.#options.changes.seal(changingCall({ ...shown, toolCallId }), shown.change);
    this.#options.asked.add(getSessionId(), toolCallId, { verdict, change, agentId: currentAgentFrame()?.agentId });
  }

  /** What the person was shown before the answer; `undefined`, if the question did not have it. */
  shownChange(call: ChangingTool, descriptor: unknown): ShownChange | undefined {
    return this.#options.changes.sealedIn(changingCall(call), descriptor);
  }

  /** Asks beside the app that makes the call, and waits. */
  askForApp(
    appCall: AppCallContext,
    { toolCallId, toolName, input, verdict, signal }: AppCall,
  ): Promise<ApprovalAnswer> {
    // The provider makes a new id for each call of an app.
    const answer = this.#options.pending.ask({ sessionId: appCall.sessionId, toolCallId, signal, isKept: false });
    // A grant is kept with the question of a chat, and this one is not kept.
    appCall.onQuestion({
      id: toolCallId,
      toolName,
      input,
      descriptor: descriptorOf({ ...verdict, grant: undefined }),
    });
    return answer;
  }
}

function changingCall({ toolCallId, tool }: ChangingTool): ChangingCall {
  const { messageId } = getMessageInWork();
  const agentId = currentAgentFrame()?.agentId;
  return { sessionId: getSessionId(), agentId, messageId, toolCallId, tool };
}
