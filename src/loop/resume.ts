import { clean } from '../core/clean-text.js';
import type { JsonObject } from '../core/json.js';
import type { Turn } from '../core/entry.js';
import { errorOutput, type ToolCallContent } from '../core/message.js';
import type { CallPart } from '../core/part.js';
import type { RoundIds } from '../core/round.js';
import { limitReached } from '../errors/limit-reached.js';
import { notify } from '../observe/notify.js';
import { denialReason, denialText } from '../tools/call/approval.js';
import { asId } from '../util/guards.js';
import { toCallPart } from './call-parts.js';
import { CarrierWriter } from './carrier-writer.js';
import { type Fate, fateOf } from './fate.js';
import type { LoopOptions } from './loop-options.js';
import { type ApprovalHistory, withOutputs } from './read-approvals.js';
import { showRequest } from './server-tools.js';
import { type AnsweredCall, toResultPart } from './own-calls.js';
import { ToolRunner } from './tool-runner.js';

/**
 * The work before the next request: allowed calls run, and others need approval again. The client sends the history, so
 * only calls that could have needed approval here run.
 */
export class ApprovedCalls {
  readonly #options: LoopOptions;
  readonly #history: ApprovalHistory;
  readonly #ids: RoundIds;
  readonly #warn: (message: string) => void;
  readonly #waiting: readonly ToolCallContent[];
  readonly #requests: readonly JsonObject[];
  outputs: readonly AnsweredCall[] = [];
  #hasWarned = false;

  constructor(options: LoopOptions, history: ApprovalHistory, ids: RoundIds, warn: (message: string) => void) {
    const { canAskUser, resumeToolset } = options;
    // The request follows once all of them have outputs.
    this.#options = { ...options, toolset: resumeToolset ?? options.toolset, late: undefined };
    this.#history = history;
    this.#ids = ids;
    this.#warn = warn;
    const waits = canAskUser && history.isAsking;
    this.#waiting = waits
      ? history.open.flatMap(({ call }) => (this.#mayAsk(fateOf(call.name, this.#options)) ? [call] : []))
      : [];
    this.#requests = waits ? history.openRequests.map(({ item }) => item) : [];
  }

  /** Whether the user still has to answer, so that no request can follow. */
  get waits(): boolean {
    return this.#waiting.length + this.#requests.length > 0;
  }

  get isNeeded(): boolean {
    return this.waits || (this.#options.canAskUser && this.#history.allowed.length > 0);
  }

  /** Announces denials to the observer, and warns if an answer seems to be missing. */
  announce(): void {
    for (const { call, approval } of this.#history.denied) this.#notifyDenied(call, denialReason(approval?.reason));
    // An answer that the AI SDK omitted looks like no answer.
    if (this.#history.isAsking) return;
    for (const { call } of this.#history.open) {
      const { name } = call;
      if (this.#mayAsk(fateOf(name, this.#options)))
        this.#warn(
          `The prompt ends with a call of "${name}" without output or answer; it counts as interrupted. A tool-approval-response written by hand needs \`providerExecuted: true\`.`,
        );
    }
  }

  async *run(): AsyncGenerator<readonly CallPart[], void, undefined> {
    yield* this.#runAllowed();
    if (this.waits) yield await this.#askAgain();
  }

  /** The completed prompt. */
  turns(): readonly Turn[] {
    const { turns, allowed } = this.#history;
    const outputs = new Map(this.outputs.map(({ call: { callId }, output }) => [callId, output]));
    const answered = allowed.flatMap((entry) => {
      const output = outputs.get(entry.call.callId);
      return output === undefined ? [] : [[entry, output] as const];
    });
    return withOutputs(turns, new Map(answered));
  }

  async *#runAllowed(): AsyncGenerator<readonly CallPart[], void, undefined> {
    const { allowed } = this.#history;
    const { callsPerRound, maxToolCalls } = this.#options.limits;
    // Only a posted history can contain so many calls.
    if (allowed.length > callsPerRound)
      throw limitReached(
        clean`A round may make ${callsPerRound} calls, and the prompt says that the user allowed ${allowed.length}`,
        { name: 'limits.callsPerRound', value: callsPerRound },
      );
    const place = { index: 0, closing: false, toolBudget: maxToolCalls, before: [], ids: this.#ids };
    const tools = new ToolRunner(this.#options, place);
    const refused: AnsweredCall[] = [];
    for (const { call, approval } of allowed) {
      const fate = fateOf(call.name, this.#options);
      const refusal = await this.#refusalOf(call, fate, approval?.approvalId ?? '');
      if (refusal === undefined) {
        this.#warnUnsigned();
        tools.add(call, fate, 'allowed');
      } else {
        const output = errorOutput(refusal);
        refused.push({ call, fate, output, acted: false, answeredByServer: false });
        this.#notifyDenied(call, refusal);
        this.#warn(refusal);
      }
    }
    this.outputs = refused;
    for (const answered of refused) yield this.#partsOf(answered);
    tools.run();
    for (let own = await tools.next(); own !== undefined; own = await tools.next()) yield this.#partsOf(own);
    this.outputs = [...refused, ...tools.calls.answered()];
  }

  #notifyDenied({ callId, name }: ToolCallContent, reason: string): void {
    const { observer, callNumber, toolset } = this.#options;
    const source = toolset.byWireName.get(name)?.source.key ?? 'unknown';
    notify(observer, () => ({
      type: 'tool-approval',
      callNumber,
      round: 0,
      callId,
      tool: name,
      source,
      approved: false,
      reason,
      durationMs: 0,
    }));
  }

  /** Once per call, because apps that keep their own histories need no signature. */
  #warnUnsigned(): void {
    if (this.#options.signer.signs || this.#hasWarned) return;
    this.#hasWarned = true;
    this.#warn(
      'An approval was not verified, so it may be forged. If histories come from clients, set `historySecret`.',
    );
  }

  /** `doGenerate` needs the call with its result; a stream has already emitted it. */
  #partsOf(answered: AnsweredCall): CallPart[] {
    const result = toResultPart(answered);
    return this.#options.call.stream ? [result] : [toCallPart(answered.call, 'loop'), result];
  }

  /** Returns the output of a call that does not run although it was approved. */
  async #refusalOf(call: ToolCallContent, fate: Fate, approvalId: string): Promise<string | undefined> {
    const { name } = call;
    if (fate.tool === undefined)
      return `The call to "${name}" did not run although the user allowed it: the tool is not available now.`;
    if (!this.#mayAsk(fate)) return denialText(name, 'nothing here asks for approvals of this tool');
    const problem = await this.#options.signer.problemOf(approvalId, call);
    return problem === undefined ? undefined : denialText(name, problem);
  }

  /** Whether this tool can have required approval. */
  #mayAsk({ tool, shownAs }: Fate): boolean {
    const { canAskUser, approve } = this.#options;
    const asks = tool !== undefined && (approve !== undefined || tool.tool.needsApproval !== undefined);
    return canAskUser && shownAs !== undefined && asks;
  }

  async #askAgain(): Promise<CallPart[]> {
    const carrier = new CarrierWriter((slot) => this.#ids.partId(undefined, `resume-${slot}`));
    const [first, ...others] = this.#waiting.map((call) => toCallPart(call, 'loop'));
    const asked = [
      ...this.#waiting.map(({ callId }) => callId),
      ...this.#requests.flatMap((item) => asId(item['id']) ?? []),
    ];
    const end = { calls: [], order: [], asked };
    return [
      ...(first === undefined ? carrier.flushHidden(end) : [carrier.carryBeside(first, end)]),
      ...others,
      ...(await this.#options.signer.requestApprovals(this.#waiting)),
      ...this.#requests.flatMap((item) => showRequest(item, this.#options, (id) => id) ?? []),
    ];
  }
}
