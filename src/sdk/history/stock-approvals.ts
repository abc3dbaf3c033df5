import { parseApprovalId } from '../../core/approval-id.js';
import { asRecord, asRecords, asString } from '../../util/guards.js';
import { METADATA_KEY } from '../parts/metadata.js';
import { recordsOf } from './door.js';
import type { PromptPart } from './part-metadata.js';

/** What the stock provider puts before the name of a tool of a server's own MCP server. */
const OF_MCP = 'mcp.';

/** The name at the server of a tool that the stock provider shows. */
export function mcpNameOf(toolName: string): string | undefined {
  return toolName.startsWith(OF_MCP) ? toolName.slice(OF_MCP.length) : undefined;
}

/**
 * Which calls the user was asked about by the stock provider: it makes up an id for the call, and the prompt does not say
 * which request it was, so calls and answers belong together by their order. If that is not certain, no answer counts:
 * the user's yes to one call must not run another.
 */
export class StockApprovals {
  /** By the part of the call: the id of the request. */
  readonly #requests = new Map<object, string>();
  /** By the id of the call. */
  readonly #callIds = new Map<string, string>();
  /** Messages whose answers could not be matched to their requests. */
  readonly unclear = new Set<object>();

  constructor(prompt: readonly unknown[]) {
    let waiting: PromptPart[] = [];
    for (const message of asRecords(prompt)) {
      const parts = asRecords(message['content']);
      if (message['role'] === 'tool') {
        if (this.#matches(waiting, parts, message)) waiting = [];
      } else if (message['role'] === 'assistant') waiting = waitingIn(parts);
      else if (message['role'] === 'user') waiting = [];
    }
  }

  /** The request that a part of an answer shows. */
  requestOf(call: object): string | undefined {
    return this.#requests.get(call);
  }

  /** The same by the id that the stock provider made up. */
  requestOfCall(callId: string): string | undefined {
    return this.#callIds.get(callId);
  }

  /** Whether each of the calls has its answer here. */
  #matches(waiting: readonly PromptPart[], parts: readonly PromptPart[], message: object): boolean {
    if (waiting.length === 0) return false;
    const answers = new Map(parts.flatMap(answerIn));
    if (answers.size === 0) return false;
    const decisions = new Set(answers.values());
    if (answers.size !== waiting.length || decisions.size > 1) {
      this.unclear.add(message);
      return false;
    }
    [...answers.keys()].forEach((approvalId, at) => {
      const call = waiting[at];
      if (call === undefined) return;
      this.#requests.set(call, approvalId);
      this.#callIds.set(asString(call['toolCallId']) ?? '', approvalId);
    });
    return true;
  }
}

/** Calls of tools that the server would run itself, without a result. Ours say themselves what they are. */
function waitingIn(parts: readonly PromptPart[]): PromptPart[] {
  const done = new Set(parts.flatMap((part) => (part['type'] === 'tool-result' ? [part['toolCallId']] : [])));
  return parts.filter(
    (part) =>
      part['type'] === 'tool-call' &&
      part['providerExecuted'] === true &&
      mcpNameOf(asString(part['toolName']) ?? '') !== undefined &&
      !done.has(part['toolCallId']) &&
      asRecord(part['providerOptions'])?.[METADATA_KEY] === undefined,
  );
}

/** An answer to a request of a server's, with the decision. `generateText` may write a denial as a result alone. */
function answerIn(part: PromptPart): (readonly [id: string, approved: boolean])[] {
  const output = asRecord(part['output']);
  const isDenial = part['type'] === 'tool-result' && output?.['type'] === 'execution-denied';
  const denied = asString(recordsOf(output ?? {}).stock?.['approvalId']);
  const id = part['type'] === 'tool-approval-response' ? asString(part['approvalId']) : isDenial ? denied : undefined;
  if (id === undefined || parseApprovalId(id) !== undefined) return [];
  return [[id, part['approved'] === true]];
}
