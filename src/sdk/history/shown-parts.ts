import type { CallMembers, ServerItem } from '../../core/call-items.js';
import type { AssistantContent, ToolResultContent } from '../../core/message.js';
import type { HostedTool } from '../../core/tool.js';
import { defined } from '../../util/defined.js';
import { asRecord, asString, asRecords } from '../../util/guards.js';
import { membersOf } from '../prompt/call-members.js';
import { type HistoryTrust, recordsOf } from './door.js';
import type { PartMetadata, PromptPart } from './part-metadata.js';
import type { ShownPart } from '../../items/kind.js';
import { hostedKindOfTool, runnerOf } from '../../items/kinds.js';
import { MCP_PREFIX } from '../../items/kinds/mcp.js';
import { callShown, requestShown, resultShown, shownKind } from './shown-calls.js';
import { parseApprovalId } from '../../core/approval-id.js';
import { METADATA_KEY } from '../parts/metadata.js';

/** The item that a part shows. */
interface ShownItem {
  /** The call is this item. */
  readonly item?: ServerItem;
  /** Replaces the call, if it is not the caller's. */
  readonly instead?: readonly AssistantContent[];
}

/**
 * Turns parts that another provider wrote back into items, for calls of tools of the API. Takes what only a server can have
 * made only if histories need no signature.
 */
export class ShownParts {
  readonly #tools: ReadonlyMap<string, HostedTool>;
  readonly #hostedTools: readonly HostedTool[];
  readonly #believes: boolean;
  readonly #takesTools: boolean;
  /** Set if a tool of this call may require them. */
  readonly approvals: VendorApprovals | undefined;
  /** Results in the present message. */
  #results: ReadonlyMap<string, PromptPart> = new Map();
  /** Calls whose results are items too. */
  readonly #withItems = new Set<string>();

  /** `hostedTools`: those of this call. A part belongs to the tool with its name. */
  constructor(prompt: readonly unknown[], hostedTools: readonly HostedTool[], trust: HistoryTrust) {
    this.#hostedTools = hostedTools;
    this.#tools = new Map(hostedTools.map((tool) => [tool.name, tool]));
    this.#takesTools = trust.carriers;
    this.#believes = trust.carriers && trust.signed === undefined;
    const mayAsk = this.#believes && hostedTools.some(({ type }) => type === 'mcp');
    this.approvals = mayAsk ? matchVendorApprovals(prompt) : undefined;
  }

  /** Prepares for the parts of a message. */
  begin(parts: readonly PromptPart[]): void {
    if (this.#tools.size === 0) return;
    const results = parts.filter(({ type }) => type === 'tool-result');
    this.#results = new Map(results.map((part) => [asString(part['toolCallId']) ?? '', part]));
  }

  /** Returns the item of a call; nothing for a plain one. */
  call(part: PromptPart, metadata: PartMetadata): ShownItem {
    // Calls of ours have their item in the metadata.
    if (metadata.own.inRound !== undefined) return {};
    const request = this.#request(part);
    if (request !== undefined) return { instead: [{ type: 'item', item: request }] };
    const call = this.#shown(part, part['input']);
    if (call === undefined) return {};
    const isTaken = this.#believes || shownKind(call.tool.type).needsTrust !== true;
    const item = isTaken ? callShown(call, membersOf(metadata)) : undefined;
    if (item === undefined) return this.#isInResult(call) ? { instead: [] } : {};
    if (runnerOf(item) !== 'server') return { item };
    this.#withItems.add(call.callId);
    return { instead: [{ type: 'item', item }] };
  }

  /** Returns the server's result; `undefined` for an ordinary result. */
  result(part: PromptPart): readonly AssistantContent[] | undefined {
    if (!this.#believes) return undefined;
    const call = this.#shown(part, asRecord(part['output'])?.['value']);
    if (call === undefined || !this.#withItems.has(call.callId)) return undefined;
    // Previews of an image are results of their own to some versions of the AI SDK.
    if (hostedKindOfTool(call.tool.type)?.preview !== undefined && this.#results.get(call.callId) !== part) return [];
    const item = resultShown(call);
    return item === undefined ? undefined : [{ type: 'item', item }];
  }

  /** Returns facts about the call of a result, for requests without the call. */
  answered(part: PromptPart, members: CallMembers | undefined): Pick<ToolResultContent, 'name' | 'item'> {
    const name = asString(part['toolName']);
    const { type, needsTrust } = shownKind(this.#tools.get(name ?? '')?.type ?? '');
    // An untrusted client cannot supply the tools that a search finds.
    const item = type === undefined || (needsTrust && !this.#takesTools) ? undefined : { ...members, type };
    return defined({ name, item });
  }

  #request(part: PromptPart): ServerItem | undefined {
    const approvalId = this.approvals?.byPart.get(part);
    const name = mcpNameOf(part);
    if (approvalId === undefined || name === undefined) return undefined;
    return requestShown(approvalId, { name, input: part['input'] }, this.#hostedTools);
  }

  #shown(part: PromptPart, input: unknown): ShownPart | undefined {
    const tool = this.#tools.get(asString(part['toolName']) ?? '');
    return tool === undefined ? undefined : { callId: asString(part['toolCallId']) ?? '', input, tool };
  }

  /** Whether the last result has the item: calls of web searches and images have no input. */
  #isInResult(call: ShownPart): boolean {
    const result = this.#results.get(call.callId);
    if (!this.#believes || shownKind(call.tool.type).call !== undefined || result === undefined) return false;
    const shown = this.#shown(result, asRecord(result['output'])?.['value']);
    if (shown === undefined || resultShown(shown) === undefined) return false;
    this.#withItems.add(call.callId);
    return true;
  }
}

/** The name at the server of a tool that `@ai-sdk/openai` shows. */
function mcpNameOf({ toolName }: PromptPart): string | undefined {
  const name = asString(toolName) ?? '';
  return name.startsWith(MCP_PREFIX) ? name.slice(MCP_PREFIX.length) : undefined;
}

/** Calls for which `@ai-sdk/openai` asked the user. */
interface VendorApprovals {
  /** The id of the request, by the part of the call. */
  readonly byPart: ReadonlyMap<object, string>;
  /** The same by the id of the call, which `@ai-sdk/openai` made up. */
  readonly byCallId: ReadonlyMap<string, string>;
  /** Messages whose answers could not be matched to their requests. */
  readonly unclear: ReadonlySet<object>;
}

/**
 * Matches calls and answers by their order, because `@ai-sdk/openai` makes up the id of the call and the prompt does not name
 * the request. If the order is not certain, no answer counts: the user's yes to one call must not run another.
 */
function matchVendorApprovals(prompt: readonly unknown[]): VendorApprovals {
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

/** Returns calls of tools that the server runs, without a result and without metadata of ours. */
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

/** An answer to a server's request, with the decision. `generateText` may write a denial as a result alone. */
function answerIn(part: PromptPart): (readonly [id: string, approved: boolean])[] {
  const output = asRecord(part['output']);
  const isDenial = part['type'] === 'tool-result' && output?.['type'] === 'execution-denied';
  const denied = asString(recordsOf(output ?? {}).vendor?.['approvalId']);
  const id = part['type'] === 'tool-approval-response' ? asString(part['approvalId']) : isDenial ? denied : undefined;
  if (id === undefined || parseApprovalId(id) !== undefined) return [];
  return [[id, part['approved'] === true]];
}
