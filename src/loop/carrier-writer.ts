import type { CarriedCall, CarriedOutput, Carrier, PlacedCall } from '../core/carrier.js';
import { isCompaction } from '../core/compaction.js';
import type { JsonObject } from '../core/json.js';
import type { ToolOutput } from '../core/message.js';
import type { CallPart, CallToolCall, ContentPart, HeldCall, HiddenCall, KeptItem } from '../core/part.js';
import { clip } from '../util/excerpt.js';

type TextEnd = Extract<ContentPart, { type: 'text-end' }>;
type ReasoningEnd = Extract<ContentPart, { type: 'reasoning-end' }>;
type ContentStart = Extract<CallPart, { type: 'text-start' | 'reasoning-start' | 'text-end' | 'shown-item' }>;

type Load = Omit<Carrier, 'v'>;

/** What the caller sees, and what travels hidden. */
export type LoopPart = CallPart | KeptItem | HiddenCall | HeldCall;

/** What carriers of a round of ours alone hang on: its last text where it has one, or always an empty reasoning part. */
export type CarrierPlace = 'metadata' | 'reasoning';

/**
 * Holds a round's last `text-end` back until the outputs of hidden calls are known, so that they can travel in its
 * metadata; where the round has no text, an empty reasoning part carries them, and where the client has calls in it, the
 * first of these. Hidden items and calls travel with the text they stood before, so that replay keeps the order the server
 * made them in.
 */
export class CarrierWriter {
  readonly #newPartId: (slot: string) => string;
  readonly #place: CarrierPlace;
  #held: TextEnd | undefined;
  /** A call was emitted since: what comes now stands behind that, not behind the held text. */
  #isBehindCall = false;
  /** Calls of the client's that are emitted behind what comes now. */
  #behind = new Set<string>();
  /** Hidden items that hang on nothing yet. */
  #items: JsonObject[] = [];
  /** How many of them came before the client's first call. */
  #beforeClient: number | undefined;
  /** Hidden calls likewise. */
  #calls: PlacedCall[] = [];
  /** Calls that went out ahead of their outputs. */
  readonly #placed = new Set<string>();
  #carriers = 0;
  /** What stood before texts and reasoning that are open. */
  readonly #before = new Map<string, Load>();

  constructor(newPartId: (slot: string) => string, place: CarrierPlace = 'metadata') {
    this.#newPartId = newPartId;
    this.#place = place;
  }

  get hasPending(): boolean {
    return this.#items.length > 0;
  }

  /** Passes a part on, except what is hidden and a `text-end` that may turn out to be the last. */
  pass(part: LoopPart, out: CallPart[]): void {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
      case 'text-end':
      case 'shown-item':
        return this.#passContent(part, out);
      case 'reasoning-end':
        out.push(...this.#carry(part, {}));
        return;
      default:
        return this.#passCall(part, out);
    }
  }

  #passCall(part: LoopPart, out: CallPart[]): void {
    switch (part.type) {
      // Parts that announce a call, the first of them first.
      case 'tool-input-start':
      case 'tool-call':
      case 'hosted-call':
        if (part.type === 'tool-call') this.#behind.delete(part.callId);
        out.push(...this.#placeItems(), part);
        return;
      case 'hidden-call':
        this.#calls.push(part.call);
        return;
      case 'held-call':
        this.#behind.add(part.callId);
        this.#beforeClient ??= this.#items.length;
        return;
      case 'item':
        return this.#keep(part.item, out);
      default:
        out.push(part);
    }
  }

  /** Lets the held part go with this and what stood before it; without one, a part of its own. */
  flushHeld(load: Load = {}): CallPart[] {
    const held = this.#held;
    this.#held = undefined;
    return this.#carry(held, load);
  }

  /** The round is settled: everything hidden goes out with the held part, or with one of its own. */
  flushHidden(calls: readonly CarriedCall[], asked: readonly string[] = []): CallPart[] {
    const isBehindCall = this.#held !== undefined && this.#isBehindCall;
    const after = this.#takeItems();
    const outputs: CarriedOutput[] = [];
    const rest: CarriedCall[] = [];
    for (const call of calls) {
      if (this.#placed.has(call.callId)) outputs.push({ callId: call.callId, output: call.output });
      else rest.push(call);
    }
    const parts = this.flushHeld(unlessEmpty({ after: isBehindCall ? [] : after, calls: rest, outputs, asked }));
    return isBehindCall ? [...parts, ...this.#carry(undefined, unlessEmpty({ after }))] : parts;
  }

  /**
   * The same in a round that the client has calls in: its first call takes everything, also calls that another part placed,
   * since frameworks may drop what stands beside texts and reasoning. They keep what stands beside calls of their tools.
   */
  carryBeside(call: CallToolCall, beside: Pick<Load, 'calls' | 'order' | 'asked'>): CallToolCall {
    const split = this.#beforeClient ?? this.#items.length;
    const items = this.#takeItems();
    const carrier = toCarrier(unlessEmpty({ before: items.slice(0, split), after: items.slice(split), ...beside }));
    return carrier === undefined ? call : { ...call, carrier };
  }

  #keep(item: JsonObject, out: CallPart[]): void {
    // An output that the server wrote itself travels beside its call.
    if (item['type'] === 'function_call_output') return;
    // Hidden calls that an item stands behind: a part of their own keeps the order.
    if (this.#calls.length > 0) {
      out.push(...this.flushHeld());
      const { behind: _behind, ...hidden } = this.#takeBefore();
      out.push(...this.#carry(undefined, hidden));
    }
    this.#items.push(item);
  }

  #passContent(part: ContentStart, out: CallPart[]): void {
    // What comes behind a later part would be replayed in the wrong order.
    if (this.#held !== undefined) out.push(...this.flushHeld());
    if (part.type === 'text-end') {
      if (this.#place === 'reasoning') out.push(part);
      else this.#held = part;
      this.#isBehindCall = false;
      return;
    }
    if (this.#items.length + this.#calls.length + this.#behind.size > 0) out.push(...this.#placeBefore(part));
    out.push(part);
  }

  /** What is hidden before a text or reasoning: on that, if it may hang there, else on a part of its own. */
  #placeBefore(part: ContentStart): CallPart[] {
    const { behind, ...hidden } = this.#takeBefore();
    const isOnText = part.type === 'text-start' && this.#place === 'metadata';
    const onPart: Load = { ...(behind && { behind }), ...(isOnText ? hidden : {}) };
    const canHold = isOnText || part.type === 'reasoning-start';
    if (canHold && Object.keys(onPart).length > 0) this.#before.set(part.id, onPart);
    return isOnText ? [] : this.#carry(undefined, hidden);
  }

  /** Items that a call stands behind: on the text before it, else on a part of their own. */
  #placeItems(): CallPart[] {
    const mayHang = !this.#isBehindCall;
    this.#isBehindCall = true;
    const after = this.#takeItems();
    if (after.length === 0) return [];
    return mayHang ? this.flushHeld({ after }) : this.#carry(undefined, { after });
  }

  #takeBefore(): Load {
    const behind = [...this.#behind];
    const callsBefore = this.#calls;
    // What comes later in the round stands behind the last of them, too.
    this.#behind = new Set(behind.slice(-1));
    this.#calls = [];
    for (const { callId } of callsBefore) this.#placed.add(callId);
    return unlessEmpty({ behind, before: this.#takeItems(), callsBefore });
  }

  #takeItems(): JsonObject[] {
    const items = this.#items;
    if (items.length > 0) this.#items = [];
    if (this.#beforeClient !== undefined) this.#beforeClient = 0;
    return items;
  }

  /** Puts this on the end of a text or of reasoning, beside what stood before that; else on an empty reasoning part. */
  #carry(end: TextEnd | ReasoningEnd | undefined, load: Load): CallPart[] {
    const before = end && this.#before.get(end.id);
    const carrier = toCarrier({ ...before, ...load });
    if (carrier === undefined) return end === undefined ? [] : [end];
    if (end !== undefined) return [{ ...end, facts: { ...end.facts, carrier } }];
    const id = this.#newPartId(`carrier${this.#carriers}`);
    this.#carriers += 1;
    return [
      { type: 'reasoning-start', id },
      { type: 'reasoning-end', id, facts: { carrier } },
    ];
  }
}

/** Above this, a carrier is cut: it is stored with the app's messages. Characters of its JSON. */
const MAX_CARRIER_CHARS = 256_000;

/** `undefined` if it would hold nothing. */
export function toCarrier(load: Load): Carrier | undefined {
  if (Object.keys(load).length === 0) return undefined;
  const carrier = { v: 1, ...load } as const;
  return JSON.stringify(carrier).length <= MAX_CARRIER_CHARS ? carrier : capCarrier(carrier, MAX_CARRIER_CHARS);
}

/** Without the lists that hold nothing. */
function unlessEmpty(lists: { readonly [Name in keyof Load]: Load[Name] | undefined }): Load {
  const kept: [string, unknown][] = [];
  for (const entry of Object.entries(lists)) if (entry[1] !== undefined && entry[1].length > 0) kept.push(entry);
  // What is left of the lists are those of the object.
  return Object.fromEntries(kept) as Load;
}

/**
 * Cuts a carrier to so many characters: what a summary of the server's replaces is left out first. If that is not enough,
 * long outputs are cut with a visible mark, and items that alone would fill it are left out. `undefined` if nothing remains.
 */
function capCarrier(whole: Carrier, maxChars: number): Carrier | undefined {
  const carrier = sinceCompaction(whole);
  if (jsonLength(carrier) <= maxChars) return carrier;
  const { v, behind, before, callsBefore, after, calls, order, outputs, asked } = carrier;
  const entries = [before, callsBefore, after, calls, outputs].reduce((count, list) => count + (list?.length ?? 0), 0);
  const perEntry = Math.floor(maxChars / 2 / Math.max(1, entries));
  const fits = (item: JsonObject): boolean => JSON.stringify(item).length <= perEntry;
  const kept = unlessEmpty({
    behind,
    before: before?.filter(fits),
    callsBefore: callsBefore?.map((call) => capCall(call, perEntry)),
    after: after?.filter(fits),
    calls: calls?.map((call) => ({ ...capCall(call, perEntry), output: capOutput(call.output, perEntry) })),
    order,
    outputs: outputs?.map((entry) => ({ ...entry, output: capOutput(entry.output, perEntry) })),
    asked,
  });
  return Object.keys(kept).length === 0 ? undefined : { v, ...kept };
}

/** Calls stay, since their outputs came behind the summary. */
function sinceCompaction(carrier: Carrier): Carrier {
  const { before = [], after = [], ...rest } = carrier;
  const inAfter = after.findLastIndex(isCompaction);
  const start = inAfter === -1 ? Math.max(0, before.findLastIndex(isCompaction)) : before.length;
  return { ...rest, ...unlessEmpty({ before: before.slice(start), after: after.slice(Math.max(0, inAfter)) }) };
}

/** The cut arguments are still JSON: servers refuse a call whose arguments are not. */
function capCall<Call extends PlacedCall>(call: Call, maxChars: number): Call {
  const { members, ...rest } = call;
  const kept = members === undefined || jsonLength(members) <= maxChars ? call : (rest as Call);
  if (jsonLength(call.arguments) <= maxChars) return kept;
  const cut = `${call.arguments.length} characters left out: too large to keep`;
  return { ...kept, arguments: JSON.stringify({ _cut: cut }) };
}

/** Texts from the first on, as far as they fit; what is behind them is counted. */
function capOutput(output: ToolOutput, maxChars: number): ToolOutput {
  let left = maxChars;
  let cut = 0;
  const content = output.content.flatMap((part) => {
    const text = part.type === 'file' ? `[${part.mediaType} left out: too large to keep]` : part.text;
    const kept = fitting(text, left - PART_CHARS);
    left -= jsonLength(kept) + PART_CHARS;
    cut += text.length - kept.length;
    return kept === '' ? [] : [{ type: 'text', text: kept } as const];
  });
  const mark = { type: 'text', text: `[… ${cut} characters left out: too large to keep]` } as const;
  return { isError: output.isError, content: cut === 0 ? content : [...content, mark] };
}

/** What a part takes beside its text. */
const PART_CHARS = 32;

/** The beginning of a text that takes no more than this as JSON: escapes can make it six times as long. */
function fitting(text: string, maxChars: number): string {
  let kept = clip(text, Math.max(0, maxChars));
  while (kept !== '' && jsonLength(kept) > maxChars) kept = clip(kept, Math.floor(kept.length / 2));
  return kept;
}

function jsonLength(value: unknown): number {
  return JSON.stringify(value).length;
}
