export interface JsonBounds {
  /** Levels of nesting. */
  readonly depth: number;
  /** Characters of all texts and names, each value counted as at least one. */
  readonly chars: number;
}

/** Whether a value can be written as JSON and is neither deeper nor larger than this. Looks no further than it has to. */
export function isJsonWithin(value: unknown, { depth, chars }: JsonBounds): boolean {
  let left = chars;
  const fits = (member: unknown, levels: number): boolean => {
    left -= typeof member === 'string' ? member.length + 1 : 1;
    if (left < 0 || typeof member === 'bigint') return false;
    if (typeof member !== 'object' || member === null) return true;
    if (levels === 0) return false;
    if (Array.isArray(member)) return member.every((entry) => fits(entry, levels - 1));
    return Object.entries(member).every(([name, entry]) => {
      left -= name.length;
      return fits(entry, levels - 1);
    });
  };
  return fits(value, depth);
}
