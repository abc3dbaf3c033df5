import { defined } from '../../util/defined.js';
import type { SourceTool } from '../tool-source.js';
import type { McpCommonConfig } from './server-config.js';

export interface ToolFilter {
  admits(name: string): boolean;
  /** What else the declaration of a tool says. */
  declares(name: string): Pick<SourceTool, 'options'>;
  /** The entries that fit none of these names, by list: most likely mistyped. */
  unmatched(names: readonly string[]): Readonly<Record<'allowTools' | 'denyTools' | 'deferTools', readonly string[]>>;
}

interface Pattern {
  readonly text: string;
  fits(name: string): boolean;
}

export function createToolFilter({ allowTools, denyTools, deferTools, allowedCallers }: McpCommonConfig): ToolFilter {
  const allowed = allowTools?.map(readPattern);
  const denied = (denyTools ?? []).map(readPattern);
  const deferred = (deferTools === '*' ? ['*'] : (deferTools ?? [])).map(readPattern);
  return {
    admits: (name) =>
      (allowed === undefined || allowed.some((pattern) => pattern.fits(name))) &&
      !denied.some((pattern) => pattern.fits(name)),
    declares: (name) => {
      const deferLoading = deferred.some((pattern) => pattern.fits(name)) ? true : undefined;
      const options = defined({ deferLoading, allowedCallers });
      return Object.keys(options).length === 0 ? {} : { options };
    },
    unmatched: (names) => ({
      allowTools: idle(allowed ?? [], names),
      denyTools: idle(denied, names),
      deferTools: deferTools === '*' ? [] : idle(deferred, names),
    }),
  };
}

function idle(patterns: readonly Pattern[], names: readonly string[]): readonly string[] {
  return patterns.filter((pattern) => !names.some((name) => pattern.fits(name))).map(({ text }) => text);
}

function readPattern(text: string): Pattern {
  const pieces = text.split('*');
  return { text, fits: pieces.length === 1 ? (name) => name === text : (name) => fitsInOrder(name, pieces) };
}

/** Not by a regular expression: one with many stars can be made to run for minutes by the name a server chose. */
function fitsInOrder(name: string, pieces: readonly string[]): boolean {
  const first = pieces[0] ?? '';
  const last = pieces.at(-1) ?? '';
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  const end = name.length - last.length;
  let from = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const at = name.indexOf(piece, from);
    if (at < 0 || at + piece.length > end) return false;
    from = at + piece.length;
  }
  return true;
}
