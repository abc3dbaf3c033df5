import { spellText } from '../../util/spell-text.js';
import { canonicalJson } from './canonical-json.js';

/** A call that the user is asked about, or shown. The argument of `approve` is one. */
export interface AskedCall {
  /** The name that the model uses. */
  readonly tool: string;
  /** The key of the MCP server. @default `local`, a function of the program */
  readonly source?: string | undefined;
  /** The name at its source, if it differs. */
  readonly originalName?: string | undefined;
  /** The arguments as the tool will get them. */
  readonly arguments: unknown;
}

/** The text that the user answers to. Both members are spelled: show them as they are, on a terminal and on a page. */
export interface ToolQuestion {
  /** Tool and source, on one line. */
  readonly head: string;
  /** All arguments, on as many lines as they need. Show it whole, wrapped and never cut, before the user can agree. */
  readonly whole: string;
}

/**
 * What a person has to see before a call runs. Nothing is left out, and nothing is chosen by what the arguments look
 * like: `whole` is JSON of all of them, with sorted keys; every sign that is not plainly printable is written out, see
 * `spellText`. Different calls never give the same two texts. The cost grows with the size of the arguments.
 *
 * @throws TypeError if the arguments contain a non-JSON value, such as a function or a circle. A model's JSON never
 * does.
 *
 * @example
 * approve: async (call) => {
 *   const { head, whole } = questionOf(call);
 *   return confirm(`Run ${head}?\n${whole}`);
 * }
 *
 * @example
 * questionOf({ tool: 'run_command', source: 'files', arguments: { command: 'ls', args: ['-a\u200b'] } });
 * // { head: 'run_command of files', whole: '{ "args": ["-a⟨U+200B⟩"], "command": "ls" }' }
 */
export function questionOf({ tool, source = 'local', originalName = tool, arguments: args }: AskedCall): ToolQuestion {
  const of = source === 'local' ? '' : ` of ${nameText(source)}`;
  const there = originalName === tool ? '' : ` (its name there: ${nameText(originalName)})`;
  return { head: `${nameText(tool)}${of}${there}`, whole: canonicalJson(args, 'arguments') };
}

/** Quotes a name, unless it is a plain word, so that it cannot continue the line. */
function nameText(name: string): string {
  return /^[\w.:/@-]+$/.test(name) ? name : spellText(JSON.stringify(name));
}
