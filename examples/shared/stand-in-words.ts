// What the offline stand-ins of the applications say their answers with.

const QUOTED_CHARS = 600;

/** The first line of a text, short enough for one of ours. */
export function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}

/** A text as far as a stand-in repeats it. */
export function shorten(text: string): string {
  return text.length > QUOTED_CHARS ? `${text.slice(0, QUOTED_CHARS)}…` : text;
}

/** In deltas of a word each, so that it streams. */
export function wordsOf(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}

/** As many tokens as a text of so many characters mostly has. */
export function usageOf(charsIn: number, charsOut: number): Record<string, number> {
  const [input, output] = [Math.ceil(charsIn / 4), Math.ceil(charsOut / 4)];
  return { input_tokens: input, output_tokens: output, total_tokens: input + output };
}
