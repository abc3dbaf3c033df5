/** Half of a surrogate pair: UTF-8 has no way to write it, and would put U+FFFD in its place. */
const HALF = /\p{Surrogate}/u;

/** What is wrong with a text that is to be written to a file, as a sentence for the model; `undefined` if nothing is. */
export function wellFormedProblem(name: string, text: string): string | undefined {
  const at = text.search(HALF);
  if (at < 0) return undefined;
  const sign = `\\u${text.charCodeAt(at).toString(16)}`;
  return `"${name}" holds half of a surrogate pair (${sign} at character ${at + 1}), which no file can hold. Send the whole sign.`;
}
