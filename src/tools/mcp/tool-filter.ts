import { defined } from '../../util/defined.js';
import { createGlob, type Glob } from '../../util/glob.js';
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
  readonly fits: Glob;
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
  return { text, fits: createGlob(text) };
}
