import { type CallMembers, membersOfCall, type ServerItem } from '../core/call-items.js';
import { type AssistantContent, textOutput } from '../core/message.js';
import type { RoundPart, RoundToolCall } from '../core/part.js';
import { defined } from '../util/defined.js';
import { asId, asNumber, asRecord, asString } from '../util/guards.js';
import { callMembers, metadataOf } from './stock-metadata.js';

type Part = Readonly<Record<string, unknown>>;

/** A call under the id that the stock provider gave it. */
interface KnownCall {
  readonly callId: string;
  isOpen: boolean;
  call?: RoundToolCall;
}

/** The calls of an answer that are not the server's own to run. */
export class StockCalls {
  readonly #claim: (stockId: unknown) => string;
  readonly #known = new Map<string, KnownCall>();
  /** Where the server has each call; it may finish them in another order. */
  readonly #places = new Map<string, number>();
  /** What the server said of its calls. */
  readonly #members = new Map<string, CallMembers>();
  /** Ids of calls that the answer itself holds an output for. */
  readonly #answered = new Set<string>();

  constructor(claim: (stockId: unknown) => string) {
    this.#claim = claim;
  }

  /** One that was told before may be a repetition: that shows with the call. */
  inputStart({ id, toolName }: Part): RoundPart[] {
    if (this.#known.has(String(id))) return [];
    const callId = this.#claim(id);
    this.#known.set(String(id), { callId, isOpen: true });
    return [{ type: 'tool-input-start', callId, name: String(toolName) }];
  }

  inputDelta({ id, delta }: Part): RoundPart[] {
    const known = this.#known.get(String(id));
    if (known?.isOpen !== true) return [];
    return [{ type: 'tool-input-delta', callId: known.callId, delta: asString(delta) ?? '' }];
  }

  inputEnd({ id }: Part): RoundPart[] {
    const known = this.#known.get(String(id));
    return known === undefined ? [] : end(known);
  }

  /** The same call told again is none; another one under the same id is. */
  call(part: Part, item: ServerItem | undefined): { readonly call?: RoundToolCall; readonly parts: RoundPart[] } {
    const stockId = String(part['toolCallId']);
    const before = this.#known.get(stockId);
    const name = String(part['toolName']);
    const text = argumentsOf(part['input']);
    if (before?.call?.name === name && before.call.arguments === text) return { parts: [] };
    const known: KnownCall =
      before === undefined || before.call !== undefined ? { callId: this.#claim(stockId), isOpen: false } : before;
    const { callId } = known;
    const call: RoundToolCall = {
      type: 'tool-call',
      callId,
      name,
      arguments: text,
      ...defined({
        itemId: asId(metadataOf(part)['itemId']),
        wireCallId: callId === stockId ? undefined : asId(stockId),
        item,
        members: this.#members.get(stockId) ?? callMembers(part),
      }),
    };
    known.call = call;
    this.#known.set(stockId, known);
    return { call, parts: [...end(known), call] };
  }

  get hasAny(): boolean {
    return [...this.#known.values()].some(({ call }) => call !== undefined);
  }

  /** An event of the wire may say where an item has its place, and what the stock provider has no name for. */
  note(event: Part): void {
    const place = asNumber(event['output_index']);
    const callId = asId(asRecord(event['item'])?.['call_id']);
    if (place !== undefined && callId !== undefined) this.#places.set(callId, place);
    const item = asRecord(event['item']);
    const members = item?.['type'] === 'function_call' ? membersOfCall(item) : undefined;
    if (callId !== undefined && members !== undefined) this.#members.set(callId, members);
  }

  /** An output in the answer, as the result of the call it belongs to; some servers run tools themselves. */
  answer(item: ServerItem): () => AssistantContent {
    const id = asString(item['call_id']) ?? '';
    if (item['type'] === 'function_call_output') this.#answered.add(id);
    return () => {
      const callId = this.#answered.has(id) ? this.#known.get(id)?.call?.callId : undefined;
      const { output = null } = item;
      const text = typeof output === 'string' ? output : JSON.stringify(output);
      return callId === undefined ? { type: 'item', item } : { type: 'tool-result', callId, output: textOutput(text) };
    };
  }

  get answeredCallIds(): readonly string[] {
    return [...this.#answered].flatMap((id) => this.#known.get(id)?.call?.callId ?? []);
  }

  /** The calls in the order the server has them; without one they stay as they came. */
  inOrder(content: readonly AssistantContent[]): AssistantContent[] {
    const placed = content.flatMap((entry) => {
      if (entry.type !== 'tool-call') return [];
      return [{ entry, place: this.#places.get(entry.wireCallId ?? entry.callId) }];
    });
    if (placed.some(({ place }) => place === undefined)) return [...content];
    const sorted = placed
      .toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0))
      .map(({ entry }) => entry)
      .values();
    return content.map((entry) => (entry.type === 'tool-call' ? (sorted.next().value ?? entry) : entry));
  }

  /** The round is over: whatever is open is closed. */
  close(): RoundPart[] {
    return [...this.#known.values()].flatMap(end);
  }
}

function end(known: KnownCall): RoundPart[] {
  if (!known.isOpen) return [];
  known.isOpen = false;
  return [{ type: 'tool-input-end', callId: known.callId }];
}

/** A text, by the book; some hand out what they parsed. */
function argumentsOf(input: unknown): string {
  return typeof input === 'string' ? input : (JSON.stringify(input) ?? '');
}
