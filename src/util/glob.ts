/** Whether a whole text matches. */
export type Glob = (text: string) => boolean;

/**
 * Reads a pattern in which `*` matches any characters, even none, and other characters match themselves. Not a regular
 * expression, which with a few stars takes minutes for a malicious text. This time depends on the text alone.
 */
export function createGlob(pattern: string, { ignoreCase = false }: { readonly ignoreCase?: boolean } = {}): Glob {
  const plain = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
  const pieces = plain(pattern).split('*');
  return pieces.length === 1 ? (text) => plain(text) === pieces[0] : (text) => fitsInOrder(plain(text), pieces);
}

/** Matches each piece as early as possible: if any choice of places fits, this does. */
function fitsInOrder(text: string, pieces: readonly string[]): boolean {
  const first = pieces[0] ?? '';
  const last = pieces.at(-1) ?? '';
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let from = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const at = text.indexOf(piece, from);
    if (at < 0 || at + piece.length > end) return false;
    from = at + piece.length;
  }
  return true;
}
