/** Longer pastes are shown as a chip. */
const LINES_SHOWN = 5;
const CHARS_SHOWN = 2_000;

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
    // In one pass: what was pasted may hold the text of a chip.
    return text.replace(/\[pasted [\d,]+ [a-z]+ #\d+\]/g, (chip) => this.#texts.get(chip) ?? chip);
  }

  clear(): void {
    this.#texts.clear();
  }
}
