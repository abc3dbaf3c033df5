import type { ContentPart } from '../core/part.js';
import type { PreambleMode } from './loop-options.js';

type TextPart = Extract<ContentPart, { type: 'text-start' | 'text-delta' | 'text-end' }>;
type ReasoningPart = Extract<ContentPart, { type: 'reasoning-start' | 'reasoning-delta' | 'reasoning-end' }>;

export interface PreambleOptions {
  readonly mode: PreambleMode;
  /** The answer has to be JSON: whatever does not begin like JSON is no answer. */
  readonly json: boolean;
  /** Tools are on offer, so text may turn out to precede a call. */
  readonly mayCall: boolean;
}

/** What became of one text. */
type Verdict = 'text' | 'preamble';

interface HeldText {
  verdict: Verdict | undefined;
  /** What was kept back until there is a verdict: at most one part of each type. */
  start: TextPart | undefined;
  /** Of the deltas; emitted as one. */
  readonly pieces: string[];
  end: TextPart | undefined;
  /** Something that is not white space was in it. */
  isBegun: boolean;
}

/**
 * Decides per text whether it is the answer or leads up to a tool call. Structured output breaks on "Let me look." before
 * the JSON, in every AI SDK version; as reasoning it is harmless.
 */
export class PreambleFilter {
  readonly #options: PreambleOptions;
  readonly #texts = new Map<string, HeldText>();
  /** Those without a verdict, in order. */
  readonly #held = new Map<string, HeldText>();
  #answered = false;
  #calling = false;

  constructor(options: PreambleOptions) {
    this.#options = options;
  }

  /** Whether a text is known to be the answer, so that all of it goes out as it comes. */
  passes(id: string): boolean {
    return this.#texts.get(id)?.verdict === 'text';
  }

  /** What to emit for a text part now. */
  text(part: TextPart): ContentPart[] {
    const text = this.#textOf(part);
    if (text.verdict === undefined) {
      hold(text, part);
      if (part.type !== 'text-delta' || !this.#beginsJson(text, part.delta)) return [];
      // The answer has begun: what stood before it only led up to it.
      this.#held.delete(part.id);
      return [...this.#releaseAll('preamble'), ...this.#release(part.id, text, 'text')];
    }
    return this.#emit(part, text.verdict);
  }

  /** A tool call began: what was held back led up to it. */
  call(): ContentPart[] {
    this.#calling = true;
    return this.#releaseAll('preamble');
  }

  /**
   * The round is over: what is still held back is the answer, unless there was a better one. Prose where JSON was asked for
   * is an answer too: only as text can the caller see it, or have it repaired.
   */
  end(): ContentPart[] {
    return this.#releaseAll(this.#options.json && (this.#answered || this.#calling) ? 'preamble' : 'text');
  }

  #textOf(part: TextPart): HeldText {
    const known = this.#texts.get(part.id);
    if (known !== undefined) return known;
    const phase = part.type === 'text-start' ? part.facts?.phase : undefined;
    const verdict = this.#judgeAtStart(phase);
    const text: HeldText = { verdict, start: undefined, pieces: [], end: undefined, isBegun: false };
    this.#texts.set(part.id, text);
    if (verdict === undefined) this.#held.set(part.id, text);
    return text;
  }

  #judgeAtStart(phase: string | undefined): Verdict | undefined {
    const { json, mode, mayCall } = this.#options;
    if (json) return phase === 'commentary' ? 'preamble' : undefined;
    if (mode === 'text' || !mayCall || phase === 'final_answer') return 'text';
    return phase === 'commentary' || this.#calling ? 'preamble' : undefined;
  }

  /** JSON streams from its first bracket on; anything else waits for what comes of it. Only the new delta is looked at. */
  #beginsJson(text: HeldText, delta: string): boolean {
    if (!this.#options.json || text.isBegun) return false;
    const first = delta.trimStart()[0];
    text.isBegun = first !== undefined;
    return first === '{' || first === '[';
  }

  #releaseAll(verdict: Verdict): ContentPart[] {
    const held = [...this.#held];
    this.#held.clear();
    return held.flatMap(([id, text]) => this.#release(id, text, verdict));
  }

  #release(id: string, text: HeldText, verdict: Verdict): ContentPart[] {
    const { start, pieces, end } = text;
    text.verdict = verdict;
    this.#answered ||= verdict === 'text';
    const delta = pieces.splice(0).join('');
    const parts: (TextPart | undefined)[] = [start, delta === '' ? undefined : { type: 'text-delta', id, delta }, end];
    return parts.flatMap((part) => (part === undefined ? [] : this.#emit(part, verdict)));
  }

  #emit(part: TextPart, verdict: Verdict): ContentPart[] {
    if (verdict === 'text') return [part];
    return this.#options.mode === 'drop' ? [] : [asReasoning(part)];
  }
}

function hold(text: HeldText, part: TextPart): void {
  if (part.type === 'text-start') text.start = part;
  else if (part.type === 'text-delta') text.pieces.push(part.delta);
  else text.end = part;
}

function asReasoning(part: TextPart): ReasoningPart {
  if (part.type === 'text-delta') return { ...part, type: 'reasoning-delta' };
  const type = part.type === 'text-start' ? 'reasoning-start' : 'reasoning-end';
  return { ...part, type, facts: { ...part.facts, preamble: true } };
}
