/** Levels of reasoning, from the lowest on. */
const LEVELS: readonly string[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/**
 * Returns the level if the model supports it, else the nearest lower one, else the nearest higher one. `none` never
 * replaces another level. `takes`: all supported levels; default: all except the `refused`.
 */
export function nearestEffort(
  level: string,
  takes: readonly string[] = LEVELS,
  refused: ReadonlySet<string> = new Set(),
): string | undefined {
  if (takes.includes(level) && !refused.has(level)) return level;
  const at = LEVELS.indexOf(level);
  const known = LEVELS.filter((name) => takes.includes(name) && !refused.has(name) && name !== 'none');
  return known.findLast((name) => LEVELS.indexOf(name) <= at) ?? known[0];
}

/**
 * "Supported values are: 'low', 'medium', and 'high'." Returns these levels; `undefined` if the text has no such list.
 */
export function effortsIn(message: string): readonly string[] | undefined {
  const [, list] = /supported values are:([^\n.]{1,200})/i.exec(message) ?? [];
  const named = list?.match(/\w+/g)?.filter((word) => LEVELS.includes(word));
  return named?.length === 0 ? undefined : named;
}
