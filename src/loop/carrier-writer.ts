import type { CarriedCall, CarriedEntry, Carrier, PartPlace } from '../core/carrier.js';
import { isCompaction } from '../core/compaction.js';
import type { AddedText, ToolOutput } from '../core/message.js';
import type { CallPart, CallToolCall, ContentPart, KeptItem, PartFacts } from '../core/part.js';
import { FUNCTION_OUTPUT } from '../items/plain.js';
import { clip } from '../util/excerpt.js';

type TextEnd = Extract<ContentPart, { type: 'text-end' }>;
type PartEnd = Extract<ContentPart, { type: 'text-end' | 'reasoning-end' }>;

/** The place of a hidden call, or of one that is emitted at the end of the round. */
interface UnshownCall {
  readonly type: 'unshown-call';
  readonly callId: string;
  /** A carrier may have to contain the call, or others of its round. */
  readonly hides: boolean;
}

/** Parts for the caller, and hidden ones. */
export type LoopPart = CallPart | KeptItem | UnshownCall | AddedText;

/** The part that carries hidden parts: the round's last text, if it has one, or always an empty reasoning part. */
export type CarrierPlace = 'metadata' | 'reasoning';

/** The content of a carrier except items. */
interface RoundEnd {
  /** Hidden calls with their outputs. */
  readonly calls: readonly CarriedCall[];
  /** Ids of all calls of the round in the model's order. Servers may finish them in another. */
  readonly order: readonly string[];
  readonly asked: readonly string[];
}

/**
 * Numbers the parts of a round, and emits the hidden ones with their numbers at its end. The round's last `text-end`
 * waits, because it can carry them. Shown texts and reasoning behind a hidden part are marked with their number, so
 * that replay can sort the round.
 */
export class CarrierWriter {
  readonly #newPartId: (slot: string) => string;
  readonly #mode: CarrierPlace;
  #held: TextEnd | undefined;
  /** The number of the next part. */
  #next = 0;
  /** The round's name. Set once something is hidden or held. */
  #round: string | undefined;
  /** A shown part follows a hidden or held one. */
  #isMarked = false;
  readonly #items: CarriedEntry[] = [];
  readonly #calls = new Map<string, number>();
  readonly #openTexts = new Map<string, PartPlace>();
  #emptyParts = 0;

  constructor(newPartId: (slot: string) => string, mode: CarrierPlace = 'metadata') {
    this.#newPartId = newPartId;
    this.#mode = mode;
  }

  /** Whether the end of the round has to carry more than hidden calls. */
  get hasPending(): boolean {
    return this.#items.length > 0 || this.#isMarked;
  }

  /** Passes a part on, except a hidden one and a `text-end` that may be the last. */
  pass(part: LoopPart, out: CallPart[]): void {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
      case 'shown-item':
        out.push(...this.flushHeld(), ...this.#mark(part), part);
        return;
      case 'text-end':
        out.push(...this.flushHeld());
        this.#held = this.#withPlace(part);
        if (this.#mode === 'reasoning') out.push(...this.flushHeld());
        return;
      case 'reasoning-end':
        out.push(this.#withPlace(part));
        return;
      case 'item':
        // Outputs of the server are sent with their calls.
        if (part.item['type'] === FUNCTION_OUTPUT) return;
        this.#items.push({ at: this.#next++, item: part.item });
        this.#hide();
        return;
      case 'added-text':
        this.#items.push({ at: this.#next++, user: part.text });
        this.#hide();
        return;
      default:
        this.#passCall(part, out);
    }
  }

  #passCall(part: Exclude<LoopPart, KeptItem | AddedText>, out: CallPart[]): void {
    switch (part.type) {
      case 'unshown-call':
        this.#placeCall(part.callId);
        if (part.hides) this.#hide();
        return;
      case 'tool-call':
        this.#placeCall(part.callId);
        // The client's calls are emitted last and carry their own place.
        this.#isMarked ||= this.#round !== undefined && part.origin !== 'client';
        out.push(part);
        return;
      default:
        out.push(part);
    }
  }

  /** Releases the held part. */
  flushHeld(carrier?: Carrier): CallPart[] {
    const held = this.#held;
    this.#held = undefined;
    if (carrier === undefined) return held === undefined ? [] : [held];
    return held === undefined ? this.#emptyPart({ carrier }) : [{ ...held, facts: { ...held.facts, carrier } }];
  }

  /** Emits a carrier on the held part, or on an empty reasoning part. */
  flushHidden(end: RoundEnd): CallPart[] {
    return this.flushHeld(this.#carrierOf(end));
  }

  /** Attaches a carrier to a call of the client, because frameworks may drop the metadata of texts. */
  carryBeside(call: CallToolCall, end: RoundEnd): CallToolCall {
    const carrier = this.#carrierOf(end);
    return carrier === undefined ? call : { ...call, carrier };
  }

  #carrierOf({ calls, order, asked }: RoundEnd): Carrier | undefined {
    const hidden = calls.length > 0 || this.hasPending;
    return toCarrier({
      ...(hidden && { round: this.#hide(), entries: this.#entries(calls, order) }),
      ...(asked.length > 0 && { asked }),
    });
  }

  #entries(calls: readonly CarriedCall[], order: readonly string[]): CarriedEntry[] {
    for (const { callId } of calls) this.#placeCall(callId);
    if (this.#calls.size > 1) {
      const known = order.filter((callId) => this.#calls.has(callId));
      const free = known.map((callId) => this.#calls.get(callId) ?? 0).toSorted((a, b) => a - b);
      // Reorders the calls among their places, in the model's order.
      known.forEach((callId, index) => this.#calls.set(callId, free[index] ?? 0));
    }
    const hidden = new Map(calls.map((call) => [call.callId, call]));
    const entries = [...this.#items];
    for (const [callId, at] of this.#calls) entries.push({ at, ...(hidden.get(callId) ?? { callId }) });
    return entries.toSorted((a, b) => a.at - b.at);
  }

  #placeCall(callId: string): void {
    if (!this.#calls.has(callId)) this.#calls.set(callId, this.#next++);
  }

  #hide(): string {
    return (this.#round ??= this.#newPartId('round'));
  }

  /** Numbers a part. Behind a hidden one, marks its end or an empty reasoning part before it. */
  #mark(part: Extract<CallPart, { type: 'text-start' | 'reasoning-start' | 'shown-item' }>): CallPart[] {
    const at = this.#next++;
    if (this.#round === undefined) return [];
    const place = { round: this.#round, at };
    this.#isMarked = true;
    if (part.type === 'shown-item' || (part.type === 'text-start' && this.#mode === 'reasoning'))
      return this.#emptyPart({ place });
    this.#openTexts.set(part.id, place);
    return [];
  }

  #withPlace<End extends PartEnd>(end: End): End {
    const place = this.#openTexts.get(end.id);
    return place === undefined ? end : { ...end, facts: { ...end.facts, place } };
  }

  #emptyPart(facts: PartFacts): CallPart[] {
    const id = this.#newPartId(`carrier${this.#emptyParts++}`);
    return [
      { type: 'reasoning-start', id },
      { type: 'reasoning-end', id, facts },
    ];
  }
}

/** Characters of a carrier's JSON. Longer ones are cut, because apps store them with their messages. */
const MAX_CARRIER_CHARS = 256_000;

type Load = Omit<Carrier, 'v'>;

/** Returns `undefined` if there is nothing to carry. */
export function toCarrier(load: Load): Carrier | undefined {
  if (Object.keys(load).length === 0) return undefined;
  const carrier = { v: 2, ...load } as const;
  return JSON.stringify(carrier).length <= MAX_CARRIER_CHARS ? carrier : capCarrier(carrier, MAX_CARRIER_CHARS);
}

/**
 * Cuts a carrier to a number of characters. First drops items that the server's summary replaces; then cuts long outputs
 * with a visible mark, and drops items that would fill the carrier alone.
 */
function capCarrier({ entries = [], ...rest }: Carrier, maxChars: number): Carrier | undefined {
  // Calls stay, because their outputs follow the summary.
  const summary = entries.findLastIndex(({ item }) => item !== undefined && isCompaction(item));
  const current = entries.filter(({ item }, index) => index >= summary || item === undefined);
  const whole = { ...rest, entries: current };
  if (jsonLength(whole) <= maxChars) return whole;
  const perEntry = Math.floor(maxChars / 2 / Math.max(1, current.length));
  const kept = current.flatMap((entry): CarriedEntry[] => {
    if (entry.item !== undefined) return jsonLength(entry.item) <= perEntry ? [entry] : [];
    return [entry.output === undefined ? entry : capCall(entry, perEntry)];
  });
  if (kept.length === 0 && rest.asked === undefined) return undefined;
  return { ...whole, entries: kept };
}

/** Cuts arguments to a note in JSON, because servers refuse other arguments. */
function capCall<Call extends CarriedCall>(call: Call, maxChars: number): Call {
  const { members, ...rest } = call;
  const hasRoom = members === undefined || jsonLength(members) <= maxChars;
  const kept = { ...(hasRoom ? call : (rest as Call)), output: capOutput(call.output, maxChars) };
  if (jsonLength(call.arguments) <= maxChars) return kept;
  const cut = `${call.arguments.length} characters left out: too large to keep`;
  return { ...kept, arguments: JSON.stringify({ _cut: cut }) };
}

/** Keeps the first texts that fit, and counts the characters of the rest. */
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

/** Characters of a part except its text. */
const PART_CHARS = 32;

/** Returns the beginning of a text that fits as JSON, in which escapes can make it six times as long. */
function fitting(text: string, maxChars: number): string {
  let kept = clip(text, Math.max(0, maxChars));
  while (kept !== '' && jsonLength(kept) > maxChars) kept = clip(kept, Math.floor(kept.length / 2));
  return kept;
}

function jsonLength(value: unknown): number {
  return JSON.stringify(value).length;
}
