/** The beginning of a text, at most `limit` UTF-16 units, never cut inside a surrogate pair. */
export function excerpt(text: string, limit: number): string {
  return text.length <= limit ? text : `${clip(text, limit)}…`;
}

/** The end of a text, at most `limit` UTF-16 units, never cut inside a surrogate pair. */
export function clipStart(text: string, limit: number): string {
  const from = Math.max(0, text.length - limit);
  const first = text.charCodeAt(from);
  const splitsPair = from > 0 && first >= 0xdc00 && first <= 0xdfff;
  return text.slice(splitsPair ? from + 1 : from);
}

/** Like `excerpt`, with a mark that says how much is missing. */
export function cut(text: string, limit: number): string {
  const kept = clip(text, limit);
  return kept === text ? text : `${kept}\n[cut: ${text.length - kept.length} more characters]`;
}

/** Like `excerpt`, without a mark. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? limit - 1 : limit);
}
