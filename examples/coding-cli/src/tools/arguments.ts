import { z } from 'zod';

/** Names that models take from other programs, and what they are called here. */
const NAMES: Readonly<Record<string, string>> = {
  file_path: 'path',
  filepath: 'path',
  cmd: 'command',
  command: 'cmd',
  input: 'patch',
};
/** Tools that have a parameter of that name. */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  path: ['read', 'write', 'edit', 'list', 'glob', 'grep'],
  command: ['bash'],
  cmd: ['exec_command'],
  patch: ['apply_patch'],
};

/** Tools that start a command, and their parameter for it. */
export const COMMAND_PARAMETERS: Readonly<Record<string, string>> = { bash: 'command', exec_command: 'cmd' };

/** The arguments by the names of this program. Where both are given, its own counts. */
export function ownArguments(
  tool: string,
  input: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(input).flatMap(([name, value]): [string, unknown][] => {
    const own = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;
    if (own === undefined || TOOLS[own]?.includes(tool) !== true) return [[name, value]];
    return Object.hasOwn(input, own) ? [] : [[own, value]];
  });
  return Object.fromEntries(entries);
}

/** The schema of a tool, that also takes those names. */
export function withOtherNames<Schema extends z.ZodType>(tool: string, schema: Schema) {
  return z.preprocess(
    (input) =>
      typeof input === 'object' && input !== null && !Array.isArray(input) ? ownArguments(tool, { ...input }) : input,
    schema,
  );
}
