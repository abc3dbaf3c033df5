import type { ContentPart } from '../core/part.js';
import type { TextFilter, TextPart } from './broken-round.js';

type ReasoningPart = Extract<ContentPart, { type: 'reasoning-start' | 'reasoning-delta' | 'reasoning-end' }>;

/** The decision about a text: the answer, or a text before a call or a better answer. */
type Verdict = 'answer' | 'preamble';

interface HeldText {
  verdict: Verdict | undefined;
  /** The withheld parts, with their deltas joined, until the decision. */
  readonly parts: TextPart[];
  /** It contained more than white space. */
  isBegun: boolean;
}

/**
 * The texts of a round that must answer in JSON. In every AI SDK version, "Let me look." before the JSON breaks
 * structured output; as reasoning it is harmless.
 */
export class JsonAnswer implements TextFilter {
  readonly #texts = new Map<string, HeldText>();
  /** Undecided texts, in order. */
  readonly #held = new Map<string, HeldText>();
  #answered = false;
  #calling = false;

  /** Whether a text is known to be the answer, so that its parts pass unchanged. */
  passes(id: string): boolean {
    return this.#texts.get(id)?.verdict === 'answer';
  }

  text(part: TextPart): ContentPart[] {
    const text = this.#textOf(part);
    if (text.verdict !== undefined) return [emitted(part, text.verdict)];
    hold(text, part);
    if (part.type !== 'text-delta' || !beginsJson(text, part.delta)) return [];
    // The answer has begun, so the text before it only led up to it.
    this.#held.delete(part.id);
    return [...this.#releaseAll('preamble'), ...this.#release(text, 'answer')];
  }

  /** A tool call began, so the withheld text led up to it. */
  call(): ContentPart[] {
    this.#calling = true;
    return this.#releaseAll('preamble');
  }

  /**
   * The round has ended: the withheld text is the answer, unless a better one exists. Prose is an answer too, because
   * the caller can see or repair only text.
   */
  end(): ContentPart[] {
    return this.#releaseAll(this.#answered || this.#calling ? 'preamble' : 'answer');
  }

  #textOf(part: TextPart): HeldText {
    const known = this.#texts.get(part.id);
    if (known !== undefined) return known;
    const isCommentary = part.type === 'text-start' && part.facts?.phase === 'commentary';
    const verdict = isCommentary ? 'preamble' : undefined;
    const text: HeldText = { verdict, parts: [], isBegun: false };
    this.#texts.set(part.id, text);
    if (verdict === undefined) this.#held.set(part.id, text);
    return text;
  }

  #releaseAll(verdict: Verdict): ContentPart[] {
    const held = [...this.#held.values()];
    this.#held.clear();
    return held.flatMap((text) => this.#release(text, verdict));
  }

  #release(text: HeldText, verdict: Verdict): ContentPart[] {
    text.verdict = verdict;
    this.#answered ||= verdict === 'answer';
    return text.parts.splice(0).map((part) => emitted(part, verdict));
  }
}

function hold({ parts }: HeldText, part: TextPart): void {
  const last = parts.at(-1);
  if (part.type !== 'text-delta') parts.push(part);
  else if (last?.type === 'text-delta') parts.splice(-1, 1, { ...last, delta: last.delta + part.delta });
  else if (part.delta !== '') parts.push(part);
}

/** JSON streams from its first bracket on; other text waits for the decision. Reads only the new delta. */
function beginsJson(text: HeldText, delta: string): boolean {
  if (text.isBegun) return false;
  const first = delta.trimStart()[0];
  text.isBegun = first !== undefined;
  return first === '{' || first === '[';
}

function emitted(part: TextPart, verdict: Verdict): TextPart | ReasoningPart {
  if (verdict === 'answer') return part;
  if (part.type === 'text-delta') return { ...part, type: 'reasoning-delta' };
  const type = part.type === 'text-start' ? 'reasoning-start' : 'reasoning-end';
  return { ...part, type, facts: { ...part.facts, preamble: true } };
}
