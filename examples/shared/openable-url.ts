const MAX_URL = 4_000;
const PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:']);

/** The address of a page that somebody else names and a person may open, or nothing. */
export function openableUrl(text: string): URL | undefined {
  if (text.length > MAX_URL || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  // What stands before an @ looks like the host to a person.
  return PROTOCOLS.has(url.protocol) && url.username === '' && url.password === '' ? url : undefined;
}
