import { isAbsolute, join, relative, sep } from 'node:path';

/** A path as people write it: `~` for their home folder. */
export function shortPath(path: string, home: string): string {
  const rest = relative(home, path);
  if (rest === '') return '~';
  const isOutside = rest === '..' || rest.startsWith(`..${sep}`) || isAbsolute(rest);
  return isOutside ? path : join('~', rest);
}
