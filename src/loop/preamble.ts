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
  /** Parts kept back until there is a verdict. */
  held: TextPart[];
  seen: string;
}

/**
 * Decides per text whether it is the answer or leads up to a tool call. Structured output breaks on "Let me look." before
 * the JSON, in every AI SDK version; as reasoning it is harmless.
 */
export class PreambleFilter {
  readonly #options: PreambleOptions;
  readonly #texts = new Map<string, HeldText>();
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
      text.held.push(part);
      if (part.type === 'text-delta') text.seen += part.delta;
      text.verdict = this.#judge(text.seen);
      if (text.verdict === undefined) return [];
      // The answer has begun: what stood before it only led up to it.
      return [...this.#releaseAll('preamble'), ...this.#release(text, text.verdict)];
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
    const answered = this.#options.json && [...this.#texts.values()].some((text) => text.verdict === 'text');
    return this.#releaseAll(answered || (this.#options.json && this.#calling) ? 'preamble' : 'text');
  }

  #textOf(part: TextPart): HeldText {
    const known = this.#texts.get(part.id);
    if (known !== undefined) return known;
    const phase = part.type === 'text-start' ? part.facts?.phase : undefined;
    const text: HeldText = { verdict: this.#judgeAtStart(phase), held: [], seen: '' };
    this.#texts.set(part.id, text);
    return text;
  }

  #judgeAtStart(phase: string | undefined): Verdict | undefined {
    const { json, mode, mayCall } = this.#options;
    if (json) return phase === 'commentary' ? 'preamble' : undefined;
    if (mode === 'text' || !mayCall || phase === 'final_answer') return 'text';
    return phase === 'commentary' || this.#calling ? 'preamble' : undefined;
  }

  /** JSON streams from its first bracket on; anything else waits for what comes of it. */
  #judge(seen: string): Verdict | undefined {
    const first = seen.trimStart()[0];
    return this.#options.json && (first === '{' || first === '[') ? 'text' : undefined;
  }

  #releaseAll(verdict: Verdict): ContentPart[] {
    return [...this.#texts.values()].flatMap((text) => {
      if (text.verdict !== undefined) return [];
      text.verdict = verdict;
      return this.#release(text, verdict);
    });
  }

  #release(text: HeldText, verdict: Verdict): ContentPart[] {
    const { held } = text;
    text.held = [];
    return held.flatMap((part) => this.#emit(part, verdict));
  }

  #emit(part: TextPart, verdict: Verdict): ContentPart[] {
    if (verdict === 'text') return [part];
    return this.#options.mode === 'drop' ? [] : [asReasoning(part)];
  }
}

function asReasoning(part: TextPart): ReasoningPart {
  if (part.type === 'text-delta') return { ...part, type: 'reasoning-delta' };
  const type = part.type === 'text-start' ? 'reasoning-start' : 'reasoning-end';
  return { ...part, type, facts: { ...part.facts, preamble: true } };
}
