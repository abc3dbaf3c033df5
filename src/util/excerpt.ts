/** The rest of a branded text keeps the brand. */
type Cut<T extends string> = string extends T ? string : T;

/** Returns the beginning of a text, at most `limit` UTF-16 units, never cut inside a surrogate pair. */
export function excerpt<T extends string>(text: T, limit: number): Cut<T> {
  return (text.length <= limit ? text : `${clip(text, limit)}…`) as Cut<T>;
}

/** Like `excerpt`, with a mark for the number of missing characters. */
export function cut(text: string, limit: number): string {
  const kept = clip(text, limit);
  return kept === text ? text : `${kept}\n[cut: ${text.length - kept.length} more characters]`;
}

/** Like `excerpt`, without a mark. */
export function clip<T extends string>(text: T, limit: number): Cut<T> {
  if (text.length <= limit) return text as string as Cut<T>;
  const last = text.charCodeAt(limit - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? limit - 1 : limit) as Cut<T>;
}

const GAP = '\n[…]\n';

/** The beginning and the end of a text that arrives in pieces and may be endless. */
export interface Ends {
  readonly add: (text: string) => void;
  readonly read: () => string;
}

/** Keeps `chars` characters of each end. */
export function keepEnds(chars: number): Ends {
  let head = '';
  let tail = '';
  let isCut = false;
  return {
    add: (text) => {
      const room = chars - head.length;
      head += text.slice(0, room);
      const rest = tail + text.slice(room);
      isCut ||= rest.length > chars;
      tail = rest.slice(Math.max(0, rest.length - chars));
    },
    read: () => (isCut ? head + GAP + tail : head + tail).trim(),
  };
}

/** A text of which at most `chars` characters of each end are left, never cut inside a surrogate pair. */
export function cutEnds(text: string, chars: number): string {
  if (text.length <= 2 * chars) return text;
  const tail = text.slice(-chars);
  const splitsPair = /^[\udc00-\udfff]/.test(tail);
  return `${clip(text, chars)}${GAP}${splitsPair ? tail.slice(1) : tail}`;
}
