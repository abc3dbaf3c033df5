import type { JsonObject } from '../core/json.js';
import type { Entry, Turn } from '../core/entry.js';
import type { Message, ToolCallContent } from '../core/message.js';
import type {
  CallPart,
  CallToolCall,
  CallToolResult,
  HostedCall,
  HostedPreview,
  HostedResult,
  KeptItem,
} from '../core/part.js';
import { callKind, hostedKindOfTool } from '../items/kinds.js';
import { mcp } from '../items/kinds/mcp.js';
import { approvalRequestId, isApprovalRequest } from '../items/plain.js';
import { defined } from '../util/defined.js';
import { asId, asString } from '../util/guards.js';
import { lazy } from '../util/lazy.js';
import type { ClientCalls } from './client-calls.js';
import { loopInput } from './call-parts.js';
import { type Fate, fateOfHosted, hostedTool } from './fate.js';
import type { LoopOptions, RoundPlace } from './loop-options.js';

interface Surroundings {
  readonly round: RoundPlace;
  readonly client: ClientCalls;
  readonly fates: Map<string, Fate>;
}

/**
 * Shows the calls that the server runs, and its requests for approval of tools of its own MCP servers. The user's answer is
 * in the next prompt.
 */
export class ServerTools {
  readonly #options: LoopOptions;
  readonly #previews: Previews;
  /** Ids of the emitted requests. */
  readonly asked: string[] = [];
  /** Ids of the requests in the prompt that were shown under their own ids. */
  readonly #inPrompt = lazy(() => requestsIn(this.#options.call.messages));
  readonly #round: RoundPlace;
  /** Contains calls that may prove to be the server's. */
  readonly #client: ClientCalls;
  readonly #fates: Map<string, Fate>;

  constructor(options: LoopOptions, { round, client, fates }: Surroundings) {
    this.#options = options;
    this.#previews = new Previews(options);
    this.#round = round;
    this.#client = client;
    this.#fates = fates;
  }

  /** Shows a call that the server ran, or its result. Keeps the item of a hidden one. */
  show(part: HostedCall | HostedResult): (CallPart | KeptItem)[] {
    return part.type === 'hosted-call' ? this.#showCall(part) : this.#showResult(part);
  }

  #showCall(part: HostedCall): (CallPart | KeptItem)[] {
    const fate = fateOfHosted(part, this.#options);
    const { shownAs } = fate;
    const request = asId(part.item['approval_request_id']);
    const approvalId = request !== undefined && this.#wasAsked(request) ? request : undefined;
    this.#fates.set(part.callId, { ...fate, approvalId });
    if (shownAs === undefined) return this.#kept(part);
    return this.#previews.holds(part) ? [] : [callOf(part, shownAs)];
  }

  #showResult(part: HostedResult): (CallPart | KeptItem)[] {
    const { callId, tool } = part;
    if (part.isLate === true) return this.#showLate(part);
    const call = this.#client.withdraw(callId);
    if (call?.item !== undefined) {
      const { arguments: input, item } = call;
      return [...this.#showCall({ type: 'hosted-call', callId, tool, input, item }), ...this.#showResult(part)];
    }
    const { origin, shownAs: name, approvalId } = this.#fates.get(callId) ?? {};
    // The client has the call already, so its output counts.
    if (origin === 'client') return [];
    if (name === undefined) return this.#kept(part);
    const shown = [this.#previews.finish(part, name)];
    // For the SDK, the call with the question is another one, which ends with this result.
    if (approvalId !== undefined) shown.push(resultOf({ ...part, callId: approvalId }, name));
    return [...shown, ...this.#kept(part)];
  }

  preview(part: HostedPreview): CallPart[] {
    return this.#previews.show(part, fateOfHosted(part, this.#options).shownAs);
  }

  closePreviews(): CallPart[] {
    return this.#previews.close();
  }

  /** Shows a call that has the form of a client's, with its result if the response has no output. */
  showRun({ callId, name: tool, arguments: text, item }: ToolCallContent, { shownAs }: Fate): (CallPart | KeptItem)[] {
    if (item === undefined) return [];
    if (shownAs === undefined) return this.#options.carrier ? [{ type: 'item', item }] : [];
    const alone = callKind(asString(item['type']) ?? '')?.ranAlone?.(item, text);
    const call = this.#showCall({ type: 'hosted-call', callId, tool, input: alone?.input ?? text, item });
    if (alone === undefined) return call;
    const { result } = alone;
    const isError = result['status'] === 'failed';
    return [...call, ...this.#showResult({ type: 'hosted-result', callId, tool, result, isError })];
  }

  #kept({ item }: HostedCall | HostedResult): KeptItem[] {
    return item !== undefined && this.#options.carrier ? [{ type: 'item', item }] : [];
  }

  /** Shows the result of a call that an earlier round or an earlier answer has shown. */
  #showLate(part: HostedResult): (CallPart | KeptItem)[] {
    const { call, canAskUser } = this.#options;
    const { before } = this.#round;
    const name = fateOfHosted({ tool: part.tool }, this.#options).shownAs;
    const isOfThisCall = entriesOf(before.slice(1), part.callId).length > 0;
    // The SDK takes a generated result without its call only of a declared tool, and in V2 never.
    const isTaken = isOfThisCall || call.stream || (canAskUser && hostedTool(part.tool, call) !== undefined);
    const [only, ...others] = entriesOf(before, part.callId);
    const isLate = only?.type === 'item' && callKind(asString(only.item['type']) ?? '')?.output.mayBeLate === true;
    const isOpen = isLate && others.length === 0;
    return [...(name !== undefined && isTaken && isOpen ? [resultOf(part, name)] : []), ...this.#kept(part)];
  }

  /** Shows a request for approval, once per id, because the answer names the request by its id. */
  ask(item: JsonObject): CallPart[] | undefined {
    const { ids, responseId } = this.#round;
    return showRequest(item, this.#options, (id) => {
      if (this.asked.includes(id)) return undefined;
      this.asked.push(id);
      return ids.claimCallId(id, responseId, id);
    });
  }

  /** Whether the prompt has the request. The SDK takes no generated result of a call that is not in it. */
  #wasAsked(approvalId: string): boolean {
    const { canAskUser, call } = this.#options;
    return canAskUser && call.stream && this.#inPrompt().has(approvalId);
  }
}

/**
 * Shows a request for approval as its call, under the id that `nameCall` returns. Returns `undefined` for another item,
 * or if no user can be asked.
 */
export function showRequest(
  item: JsonObject,
  options: LoopOptions,
  nameCall: (approvalId: string) => string | undefined,
): CallPart[] | undefined {
  const approvalId = approvalRequestId(item);
  const name = fateOfHosted({ tool: mcp.tool, item }, options).shownAs;
  if (!options.canAskUser || approvalId === undefined || name === undefined) return undefined;
  const callId = nameCall(approvalId);
  if (callId === undefined) return undefined;
  const { input } = loopInput(asString(item['arguments']) ?? '');
  return [callOf({ callId, input, item }, name), { type: 'approval-request', approvalId, callId }];
}

function callOf(call: Pick<CallToolCall, 'callId' | 'input' | 'item'>, name: string): CallToolCall {
  const { callId, input, item } = call;
  return { type: 'tool-call', origin: 'hosted', callId, name, input, ...defined({ item }) };
}

function resultOf(
  { callId, result, isError }: Pick<HostedResult, 'callId' | 'result' | 'isError'>,
  name: string,
): CallToolResult {
  const output = { isError, content: [], value: result };
  return { type: 'tool-result', origin: 'hosted', callId, name, output };
}

/** Returns the ids of requests, except those that another item has too: their calls were shown under other ids. */
function requestsIn(messages: readonly Message[]): ReadonlySet<string> {
  const requests = new Set<string>();
  const others = new Set<string>();
  for (const content of messages.flatMap((message) => (message.role === 'assistant' ? message.content : []))) {
    const isRequest = content.type === 'item' && isApprovalRequest(content.item['type']);
    const id =
      content.type === 'item' ? asId(content.item['id']) : content.type === 'tool-call' ? content.callId : undefined;
    if (id !== undefined) (isRequest && !requests.has(id) ? requests : others).add(id);
  }
  return new Set([...requests].filter((id) => !others.has(id)));
}

/** Returns the calls and items with this call id in a conversation. */
function entriesOf(turns: readonly (readonly Turn[])[], callId: string): Entry[] {
  const entries = turns.flat().flatMap((turn) => (turn.role === 'assistant' ? turn.entries : []));
  return entries.filter(
    (entry) => (entry.type === 'item' ? entry.item['call_id'] : entry.type === 'call' && entry.call.callId) === callId,
  );
}

interface OpenPreview {
  readonly name: string;
  /** The item of the call, once complete. */
  item?: JsonObject;
}

/**
 * Shows unfinished results of calls that the server runs. The results carry the items of these calls, because the calls
 * were shown without them.
 */
class Previews {
  readonly #options: LoopOptions;
  readonly #open = new Map<string, OpenPreview>();

  constructor(options: LoopOptions) {
    this.#options = options;
  }

  /** Shows the call with its first preview, or at once if the caller requested previews. */
  show({ callId, tool, result }: HostedPreview, name: string | undefined): CallPart[] {
    const { call, previews } = this.#options;
    if (previews !== true || !call.stream || name === undefined) return [];
    const isOpen = this.#open.has(callId);
    if (!isOpen && result === undefined && !this.#isAskedFor(tool)) return [];
    this.#open.set(callId, { name });
    const shown: CallPart[] = isOpen ? [] : [callOf({ callId, input: '{}' }, name)];
    if (result !== undefined)
      shown.push({ ...resultOf({ callId, result, isError: false }, name), isPreliminary: true });
    return shown;
  }

  /** Whether the call was shown already. Keeps its item for the result. */
  holds({ callId, item }: HostedCall): boolean {
    const open = this.#open.get(callId);
    if (open !== undefined) open.item = item;
    return open !== undefined;
  }

  finish(part: HostedResult, name: string): CallToolResult {
    const { callId, isError, result, afterPreviews = result } = part;
    const item = this.#open.get(callId)?.item;
    this.#open.delete(callId);
    return item === undefined
      ? resultOf(part, name)
      : { ...resultOf({ callId, result: afterPreviews, isError }, name), callItem: item };
  }

  /** Ends calls that have no result as failed. */
  close(): CallPart[] {
    const failed = [...this.#open].map(([callId, { name }]) =>
      resultOf({ callId, result: { status: 'incomplete' }, isError: true }, name),
    );
    this.#open.clear();
    return failed;
  }

  #isAskedFor(tool: string): boolean {
    const declared = hostedTool(tool, this.#options.call);
    return declared !== undefined && hostedKindOfTool(tool)?.preview?.isAskedFor(declared.args) === true;
  }
}
