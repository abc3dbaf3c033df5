/** Commands that are run by the server and not stored. */
export const COMMANDS = {
  'summary-title': 'Generate a title.',
  compact: 'Compact the conversation: a summary replaces the earlier messages.',
  help: 'List commands and skills.',
} as const;

export type CommandName = keyof typeof COMMANDS;

export interface Command {
  readonly name: CommandName;
  /** What stands behind the name. */
  readonly rest: string;
}

/** Only what begins with the name of a known command is one: anywhere else, or unknown, it is text. */
export function parseCommand(text: string): Command | undefined {
  const { name, rest } = /^\/(?<name>[a-z-]+)(?:\s+(?<rest>[^]*))?$/.exec(text)?.groups ?? {};
  if (name === undefined || !isCommand(name)) return undefined;
  return { name, rest: rest?.trim() ?? '' };
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}
