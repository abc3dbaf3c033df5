import { parseApprovalId } from '../../core/approval-id.js';
import { asRecord, asRecords, asString } from '../../util/guards.js';
import { METADATA_KEY } from '../parts/metadata.js';
import { recordsOf } from './door.js';
import type { PromptPart } from './part-metadata.js';

/** What the stock provider puts before the name of a tool of a server's own MCP server. */
const OF_MCP = 'mcp.';

/** The name at the server of a tool that the stock provider shows. */
export function mcpNameOf({ toolName }: PromptPart): string | undefined {
  const name = asString(toolName) ?? '';
  return name.startsWith(OF_MCP) ? name.slice(OF_MCP.length) : undefined;
}

/** Which calls the user was asked about by the stock provider. */
export interface StockApprovals {
  /** The id of the request, by the part of the call. */
  readonly byPart: ReadonlyMap<object, string>;
  /** The same by the id of the call, which the stock provider made up. */
  readonly byCallId: ReadonlyMap<string, string>;
  /** Messages whose answers could not be matched to their requests. */
  readonly unclear: ReadonlySet<object>;
}

/**
 * The stock provider makes up an id for the call, and the prompt does not say which request it was, so calls and answers
 * belong together by their order. If that is not certain, no answer counts: the user's yes to one call must not run another.
 */
export function matchStockApprovals(prompt: readonly unknown[]): StockApprovals {
  const byPart = new Map<object, string>();
  const byCallId = new Map<string, string>();
  const unclear = new Set<object>();
  let waiting: readonly PromptPart[] = [];
  for (const message of asRecords(prompt)) {
    const { role } = message;
    const parts = asRecords(message['content']);
    if (role === 'assistant') waiting = waitingIn(parts);
    else if (role === 'user') waiting = [];
    const answers = new Map(role === 'tool' && waiting.length > 0 ? parts.flatMap(answerIn) : []);
    if (answers.size === 0) continue;
    if (answers.size !== waiting.length || new Set(answers.values()).size > 1) {
      unclear.add(message);
      continue;
    }
    const ids = [...answers.keys()];
    waiting.forEach((call, at) => {
      byPart.set(call, ids[at] ?? '');
      byCallId.set(asString(call['toolCallId']) ?? '', ids[at] ?? '');
    });
    waiting = [];
  }
  return { byPart, byCallId, unclear };
}

/** Calls of tools that the server would run itself, without a result. Ours say themselves what they are. */
function waitingIn(parts: readonly PromptPart[]): PromptPart[] {
  const done = new Set(parts.flatMap((part) => (part['type'] === 'tool-result' ? [part['toolCallId']] : [])));
  return parts.filter(
    (part) =>
      part['type'] === 'tool-call' &&
      part['providerExecuted'] === true &&
      mcpNameOf(part) !== undefined &&
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
