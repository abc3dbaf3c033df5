/**
 * Returns the known word that a person most likely meant. Case, signs and a final "s" do not count (`base_url`,
 * `apikey`); one of every four letters may be wrong.
 */
export function closest(word: string, known: readonly string[]): string | undefined {
  const typed = plain(word);
  const most = Math.max(1, Math.floor(typed.length / 4));
  return known
    .map((candidate) => ({ candidate, errors: typingErrors(typed, plain(candidate)) }))
    .filter(({ candidate, errors }) => errors === 0 || (errors <= most && candidate.length > 2 && typed.length > 2))
    .toSorted((a, b) => a.errors - b.errors)[0]?.candidate;
}

function plain(word: string): string {
  return word
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[^a-z\d]/g, '')
    .replace(/s$/, '');
}

/** Letters to add, leave out or replace, until one word is the other (Levenshtein). */
function typingErrors(typed: string, meant: string): number {
  let row = Array.from({ length: meant.length + 1 }, (_, at) => at);
  for (let at = 0; at < typed.length; at++) {
    const next = [at + 1];
    for (let to = 0; to < meant.length; to++) {
      const replaced = (row[to] ?? 0) + (typed[at] === meant[to] ? 0 : 1);
      next.push(Math.min(replaced, (row[to + 1] ?? 0) + 1, (next[to] ?? 0) + 1));
    }
    row = next;
  }
  return row[meant.length] ?? 0;
}
