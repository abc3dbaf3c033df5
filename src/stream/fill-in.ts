/**
 * What a complete text adds to what was streamed of it: the missing rest or nothing; `undefined` when it tells another
 * story (then what was streamed stands).
 */
export function fillIn(streamed: string, complete: string): string | undefined {
  if (complete.startsWith(streamed)) return complete.slice(streamed.length);
  return streamed.startsWith(complete) ? '' : undefined;
}
