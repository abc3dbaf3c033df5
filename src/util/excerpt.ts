/** The beginning of a text, at most `limit` UTF-16 units, never cut inside a surrogate pair. */
export function excerpt(text: string, limit: number): string {
  return text.length <= limit ? text : `${clip(text, limit)}…`;
}

/** Like `excerpt`, without a mark. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? limit - 1 : limit);
}
