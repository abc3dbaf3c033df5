import { classifyCommand, type CommandContext } from './command-policy.js';
import { CTRL_C, type OpenTerminal } from './terminal-sessions.js';

/** What typing into a terminal may do. */
export interface TypedText {
  /** `safe`: nothing is typed, or Ctrl-C alone, which only stops what the terminal itself started. */
  readonly class: 'safe' | 'ask' | 'danger' | 'forbidden';
  /** For the person who is asked. */
  readonly reason: string;
}

const MAX_SHOWN = 200;

/**
 * Judges a text for a running program. Whatever reads it may be a shell: a text is judged as a command with what was typed on
 * its line before, and is never safe, since what names mean there is not known.
 */
export function classifyTyped(chars: string, terminal: OpenTerminal, context: CommandContext): TypedText {
  if (chars === '') return { class: 'safe', reason: 'it only reads what the terminal shows' };
  if (chars.replaceAll(CTRL_C, '') === '')
    return { class: 'safe', reason: 'Ctrl-C only stops what the terminal itself started' };
  const { class: kind, reason } = classifyCommand((terminal.line + chars).replaceAll('\r', '\n'), context);
  const where = `it types into terminal ${terminal.id}, where ${quoted(terminal.command)} runs`;
  const before = terminal.line === '' ? '' : `; ${quoted(terminal.line)} was typed on that line before`;
  if (kind === 'forbidden' || kind === 'danger') return { class: kind, reason: `${where}${before}; ${reason}` };
  return { class: 'ask', reason: `${where}${before}` };
}

function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
}
