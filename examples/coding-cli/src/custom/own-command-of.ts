import type { Op } from '../protocol/submissions.js';

/** A line that names a command of the user or of the workspace: `/name words`. `undefined`: it is something else. */
export function ownCommandOf(
  text: string,
  commands: readonly { readonly name: string }[],
): Extract<Op, { type: 'run_command' }> | undefined {
  const line = text.trim();
  const end = line.search(/\s/);
  const name = line.slice(1, end === -1 ? undefined : end);
  if (!line.startsWith('/') || !commands.some((command) => command.name === name)) return undefined;
  return { type: 'run_command', name, arguments: end === -1 ? '' : line.slice(end).trim() };
}
