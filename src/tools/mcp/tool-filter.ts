import { defined } from '../../util/defined.js';
import { errorText } from '../../util/error-text.js';
import { createGlob, type Glob } from '../../util/glob.js';
import type { SourceTool } from '../tool-source.js';
import type { McpCommonConfig, McpToolDescription } from './server-config.js';

export interface ToolFilter {
  /** Whether the names of the settings allow it. */
  admits(name: string): boolean;
  /** Whether the function of the settings allows it; a sentence if it cannot say. */
  allows(tool: McpToolDescription): boolean | string;
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
  const isAllowed = typeof allowTools === 'function' ? allowTools : undefined;
  const allowed = typeof allowTools === 'function' ? undefined : allowTools?.map(readPattern);
  const denied = (denyTools ?? []).map(readPattern);
  const deferred = (deferTools === '*' ? ['*'] : (deferTools ?? [])).map(readPattern);
  return {
    admits: (name) =>
      (allowed === undefined || allowed.some((pattern) => pattern.fits(name))) &&
      !denied.some((pattern) => pattern.fits(name)),
    allows: (tool) => (isAllowed === undefined ? true : askSafely(isAllowed, tool)),
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

/** Whatever is not a plain answer keeps the tool out. */
function askSafely(isAllowed: (tool: McpToolDescription) => boolean, tool: McpToolDescription): boolean | string {
  try {
    const answer: unknown = isAllowed(tool);
    return typeof answer === 'boolean' ? answer : 'the `allowTools` function returned neither true nor false';
  } catch (error) {
    return `the \`allowTools\` function failed (${errorText(error)})`;
  }
}

function idle(patterns: readonly Pattern[], names: readonly string[]): readonly string[] {
  return patterns.filter((pattern) => !names.some((name) => pattern.fits(name))).map(({ text }) => text);
}

function readPattern(text: string): Pattern {
  return { text, fits: createGlob(text) };
}
