/** Returns the words of a search, each as a regular expression that finds just it: every sign is escaped. */
export function searchWords(query: string): string[] {
  const words = query.split(/\s+/u).filter((word) => word !== '');
  return words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
}
