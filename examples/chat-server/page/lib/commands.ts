import type { Command } from './use-catalog.js';

/** The word that a message begins with, if it looks like a command and there is none. A path is no command. */
export function unknownCommand(draft: string, commands: readonly Command[]): string | undefined {
  const [word] = /^\/[\w-]+(?=\s|$)/.exec(draft) ?? [];
  return word === undefined || commands.some(({ text }) => text === word) ? undefined : word;
}
