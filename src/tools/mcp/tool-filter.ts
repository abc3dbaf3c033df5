import { createGlob, type Glob } from '../../util/glob.js';
import type { McpCommonConfig } from './server-config.js';

export interface ToolFilter {
  admits(name: string): boolean;
  /** The entries that fit none of these names, by list: most likely mistyped. */
  unmatched(names: readonly string[]): Readonly<Record<'allowTools' | 'denyTools', readonly string[]>>;
}

interface Pattern {
  readonly text: string;
  readonly fits: Glob;
}

export function createToolFilter({ allowTools, denyTools }: McpCommonConfig): ToolFilter {
  const allowed = allowTools?.map(readPattern);
  const denied = (denyTools ?? []).map(readPattern);
  return {
    admits: (name) =>
      (allowed === undefined || allowed.some((pattern) => pattern.fits(name))) &&
      !denied.some((pattern) => pattern.fits(name)),
    unmatched: (names) => ({ allowTools: idle(allowed ?? [], names), denyTools: idle(denied, names) }),
  };
}

function idle(patterns: readonly Pattern[], names: readonly string[]): readonly string[] {
  return patterns.filter((pattern) => !names.some((name) => pattern.fits(name))).map(({ text }) => text);
}

function readPattern(text: string): Pattern {
  return { text, fits: createGlob(text) };
}
