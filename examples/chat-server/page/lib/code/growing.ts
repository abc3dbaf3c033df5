/** Less is not worth it before its end is there. */
const FIRST = 200;
const GROWTH = 1.5;

/**
 * How much of a code is highlighted now, `done` characters of which are: all once it has ended, whole lines each time it has
 * grown by half before. So a code that comes in many deltas costs three times its length, however many they are.
 *
 * @returns `undefined`: what there is will do.
 */
export function nextCut(code: string, done: number, isGrowing: boolean): number | undefined {
  if (!isGrowing) return code.length === done ? undefined : code.length;
  if (code.length < Math.max(FIRST, done * GROWTH)) return undefined;
  const cut = code.lastIndexOf('\n') + 1;
  return cut > done ? cut : undefined;
}
