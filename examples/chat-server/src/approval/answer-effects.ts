import { getToolName, isToolUIPart } from 'ai';
import { offReason } from '../tools/switches.js';
import type { ChatPart, Grant } from '../types.js';
import { describeGrant, type GrantStore } from './grants.js';

export type ToolCallPart = Extract<ChatPart, { toolCallId: string }>;

/** A call that a person was asked about, as it is stored. */
export interface AskedCall {
  readonly toolName: string;
  readonly isMcp: boolean;
  readonly input: unknown;
}

export interface AnswerEffectsOptions {
  readonly grants: GrantStore;
  /** What "Always in this chat" would allow for this call; `undefined`, if nothing may be granted. */
  readonly grantFor: (call: AskedCall) => Promise<Grant | undefined>;
  /** Whether its tool is off in this chat. */
  readonly isOff: (sessionId: string, call: AskedCall) => Promise<boolean>;
}

/** What an answer does beside being kept, in the chat and in its sub-agents. */
export class AnswerEffects {
  readonly #options: AnswerEffectsOptions;

  constructor(options: AnswerEffectsOptions) {
    this.#options = options;
  }

  /** A yes to a tool that is off by now runs nothing. */
  async withoutOff<Part extends ChatPart>(sessionId: string, part: Part): Promise<Part> {
    if (!isToolUIPart(part) || part.state !== 'approval-responded' || !part.approval.approved) return part;
    if (!(await this.#options.isOff(sessionId, askedCallOf(part)))) return part;
    const reason = offReason({ kind: 'tool', tool: getToolName(part) });
    return { ...part, approval: { ...part.approval, approved: false, reason } };
  }

  /** "Always in this chat". What may not be granted, or is not what the person was shown, is allowed this once. */
  async grant(sessionId: string, call: ToolCallPart): Promise<void> {
    const grant = await this.#options.grantFor(askedCallOf(call));
    if (grant !== undefined && describeGrant(grant) === shownRule(call))
      await this.#options.grants.add(sessionId, grant);
  }
}

function askedCallOf(call: ToolCallPart): AskedCall {
  return { toolName: getToolName(call), isMcp: !isOwnCall(call), input: call.input };
}

/** Others are those that the provider runs, and those of MCP servers that the AI SDK runs. */
export function isOwnCall(call: ToolCallPart): boolean {
  return call.providerExecuted !== true && call.type !== 'dynamic-tool';
}

/** As the question has it: servers, files and links may be others since it was asked. */
function shownRule({ approval }: ToolCallPart): unknown {
  const descriptor: unknown = approval === undefined ? undefined : Reflect.get(approval, 'descriptor');
  return typeof descriptor === 'object' && descriptor !== null ? Reflect.get(descriptor, 'rule') : undefined;
}
