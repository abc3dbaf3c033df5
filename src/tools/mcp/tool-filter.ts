import { defined } from '../../util/defined.js';
import { errorText } from '../../util/error-text.js';
import { createGlob, type Glob } from '../../util/glob.js';
import type { SourceTool } from '../tool-source.js';
import type { McpCommonConfig, McpToolDescription } from './server-config.js';

export interface ToolFilter {
  /** Returns whether the names in the settings allow the tool. */
  admits(name: string): boolean;
  /** Returns whether the settings' function allows the tool, or a sentence if it cannot tell. */
  allows(tool: McpToolDescription): boolean | string;
  /** Returns the other options of the tool's declaration. */
  declares(name: string): Pick<SourceTool, 'options'>;
  /** Returns the entries that match none of these names, by list: most likely typing errors. */
  unmatched(names: readonly string[]): Readonly<Record<'allowTools' | 'denyTools' | 'deferTools', readonly string[]>>;
}

export function createToolFilter({ allowTools, denyTools, deferTools, allowedCallers }: McpCommonConfig): ToolFilter {
  const isAllowed = typeof allowTools === 'function' ? allowTools : () => true;
  const listed = typeof allowTools === 'function' ? undefined : allowTools;
  const allowed = readPatterns(listed ?? ['*']);
  const denied = readPatterns(denyTools ?? []);
  const deferred = readPatterns(deferTools === '*' ? ['*'] : (deferTools ?? []));
  return {
    admits: (name) => fits(allowed, name) && !fits(denied, name),
    allows: (tool) => askSafely(isAllowed, tool),
    declares: (name) => {
      const options = defined({ deferLoading: fits(deferred, name) || undefined, allowedCallers });
      return Object.keys(options).length === 0 ? {} : { options };
    },
    unmatched: (names) => ({
      allowTools: listed === undefined ? [] : idle(allowed, names),
      denyTools: idle(denied, names),
      deferTools: deferTools === '*' ? [] : idle(deferred, names),
    }),
  };
}

/** Compiled patterns by their text. */
type Patterns = ReadonlyMap<string, Glob>;

function readPatterns(texts: readonly string[]): Patterns {
  return new Map(texts.map((text) => [text, createGlob(text)]));
}

function fits(patterns: Patterns, name: string): boolean {
  return [...patterns.values()].some((glob) => glob(name));
}

function idle(patterns: Patterns, names: readonly string[]): readonly string[] {
  return [...patterns].filter(([, glob]) => !names.some(glob)).map(([text]) => text);
}

/** Any answer but `true` or `false` drops the tool. */
function askSafely(isAllowed: (tool: McpToolDescription) => boolean, tool: McpToolDescription): boolean | string {
  try {
    const answer: unknown = isAllowed(tool);
    return typeof answer === 'boolean' ? answer : 'the `allowTools` function returned neither true nor false';
  } catch (error) {
    return `the \`allowTools\` function failed (${errorText(error)})`;
  }
}

/** Returns the tool as functions of the settings see it. */
export function describeTool(tool: SourceTool): McpToolDescription {
  const { name, title, description, inputSchema, readOnly, destructive, idempotent, openWorld } = tool;
  const annotations = defined({
    readOnlyHint: readOnly ? true : undefined,
    destructiveHint: destructive,
    idempotentHint: idempotent,
    openWorldHint: openWorld,
  });
  return { name, inputSchema, readOnly, annotations, ...defined({ title, description }) };
}
