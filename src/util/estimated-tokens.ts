/** The average of English text and of JSON. A tokenizer for each model would be larger than this package. */
export const CHARS_PER_TOKEN = 4;

/** Estimates the tokens of a text with this many characters. */
export function estimatedTokens(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN);
}
