import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CommandWord, ParsedCommand } from './parse-command.js';
import type { PathGuard } from './path-guard.js';

export interface NamedPathsContext {
  readonly cwd: string;
  readonly home: string;
  readonly guard: PathGuard;
}

const MAX_WORDS = 200;

/** Real paths outside of the roots that stand in a command to the letter; of what is not there yet, its folder. */
export function namedPaths({ commands, redirects }: ParsedCommand, context: NamedPathsContext): string[] {
  const words = [
    ...redirects.map(({ target }) => target),
    ...commands.flatMap(({ args, redirects: own }) => [...args, ...own.map(({ target }) => target)]),
  ].slice(0, MAX_WORDS);
  return [...new Set(words.flatMap((word) => pathsIn(word, context)))];
}

/** A word that is a path, or an option with one behind `=`. */
function pathsIn({ value, text, isLiteral }: CommandWord, { cwd, home, guard }: NamedPathsContext): string[] {
  const isHome = text.startsWith('~/');
  if (!isLiteral && !isHome) return [];
  const path = isHome ? home + value.slice(1) : value.slice(value.startsWith('-') ? value.indexOf('=') + 1 : 0);
  if (!path.startsWith('/') && !path.split('/').includes('..')) return [];
  const found = guard.resolve(path, cwd);
  if (found.isReadable || found.problem !== undefined) return [];
  return [existsSync(found.path) ? found.path : dirname(found.path)];
}
