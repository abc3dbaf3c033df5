import { realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isDisabled } from '../../tools/mcp/server-config.js';
import { errorText } from '../../util/error-text.js';
import { isRecord } from '../../util/guards.js';
import { spellText } from '../../util/spell-text.js';
import { delay } from '../../util/timers.js';
import { Dialog } from '../chat/dialog.js';
import { type Terminal, UsageError } from '../command.js';
import { Allowed } from '../state-folder.js';
import { count } from '../words.js';
import { describeEntries } from './describe-entries.js';

/** A file that the command found in the folder, whose author is unknown. */
export interface FoundFile {
  readonly name: string;
  readonly content: string;
  readonly servers: Readonly<Record<string, unknown>>;
}

export interface AskOptions {
  readonly terminal: Terminal;
  /** Whether the user allowed it for this run. */
  readonly isAllowed: boolean;
}

/** No user reads more than this before an answer. */
const MAX_CHARS = 20_000;
const NOTE = `Programs also get PATH, HOME and similar variables, and the paths of certificates, but nothing else from your environment.
Nothing was started and nothing was sent.`;
/** A line typed before the question is no answer to it. */
const TYPED_AHEAD_MS = 100;

/**
 * Starts nothing and sends nothing that a found file names until the user has seen all of it and agreed. The consent is
 * for this content, file and folder: programs start in the folder, and a link there may lead to a file that was allowed
 * elsewhere. Throws without consent.
 */
export async function askFirst(file: FoundFile, { terminal, isAllowed }: AskOptions): Promise<void> {
  const wanted = Object.values(file.servers).filter((entry) => !(isRecord(entry) && isDisabled(entry)));
  if (isAllowed || wanted.length === 0) return;
  const path = await realpath(resolve(terminal.cwd, file.name));
  const folder = await realpath(terminal.cwd);
  const allowed = new Allowed('allowed-mcp-files', terminal.env, [dirname(path), folder]);
  const place = JSON.stringify([folder, path]);
  if (await allowed.has(place, file.content)) return;
  const lines = describeEntries(file.servers).join('\n');
  const title = `${spellText(path)} defines ${count(wanted.length, 'MCP server')}:`;
  if (lines.length > MAX_CHARS)
    throw new UsageError(`${title} they are too long to show in a question. ${adviceFor(file.name)}`);
  terminal.stderr.write(`${title}\n\n${lines}\n\n${NOTE}\n`);
  if (terminal.stdin.isTTY !== true || terminal.stderr.isTTY !== true)
    throw new UsageError(`there is no terminal to ask in. ${adviceFor(file.name)}`);
  if (!(await saysYes(terminal))) throw new Error('nothing was started and nothing was sent.');
  try {
    await allowed.add(place, file.content);
  } catch (error) {
    terminal.stderr.write(`(Your consent was not saved: ${spellText(errorText(error))}.)\n`);
  }
}

function adviceFor(name: string): string {
  return `If you trust it, name it with --config ${name}, or add --yes.`;
}

async function saysYes(terminal: Terminal): Promise<boolean> {
  const { signal } = terminal;
  const dialog = new Dialog(terminal);
  try {
    await delay(TYPED_AHEAD_MS, signal);
    const answer = await dialog.answer(
      'Start and send all of this, now and until the file changes? [y]es, [n]o: ',
      signal,
    );
    // Ctrl-C and Ctrl-D leave the cursor after the question.
    if (answer === undefined) terminal.stderr.write('\n');
    return /^y(?:es)?$/i.test(answer?.trim() ?? '');
  } finally {
    dialog.close();
  }
}
