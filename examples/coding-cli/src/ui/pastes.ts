/** Longer pastes are shown as a chip. */
const LINES_SHOWN = 5;
const CHARS_SHOWN = 2_000;

/** Returns the chip that an offset is inside of: for the cursor and for edits it is one character. */
export function chipAround(text: string, at: number): { readonly start: number; readonly end: number } | undefined {
  return chipsIn(text).find(({ start, end }) => start < at && at < end);
}

function chipsIn(text: string) {
  const found = [...text.matchAll(/\[(?:pasted [\d,]+ [a-z]+ #|Image )\d+\]/g)];
  return found.map(({ index, 0: chip }) => ({ chip, start: index, end: index + chip.length }));
}

/** Long pastes: a chip stands for each in the input, and its text is sent. */
export class Pastes {
  readonly #texts = new Map<string, string>();

  /** Text to insert: the paste itself, or a chip for it. */
  shorten(text: string): string {
    const lines = text.split('\n').length;
    if (lines <= LINES_SHOWN && text.length <= CHARS_SHOWN) return text;
    const count =
      lines === 1 ? `${text.length.toLocaleString('en')} characters` : `${lines.toLocaleString('en')} lines`;
    const chip = `[pasted ${count} #${this.#texts.size + 1}]`;
    this.#texts.set(chip, text);
    return chip;
  }

  /** The input with the texts in place of their chips. */
  expand(text: string): string {
    // From the end: what was pasted may hold the text of a chip.
    return chipsIn(text).reduceRight(
      (whole, { chip, start, end }) => whole.slice(0, start) + (this.#texts.get(chip) ?? chip) + whole.slice(end),
      text,
    );
  }

  clear(): void {
    this.#texts.clear();
  }
}
