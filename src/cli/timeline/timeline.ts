import { createReadStream, createWriteStream } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { readEvents } from '../../node/read-events.js';
import { showControls } from '../../util/control-characters.js';
import { type Command, type Terminal, UsageError } from '../command.js';
import { amount, count } from '../words.js';
import { buildTimeline, type BuiltTimeline } from './build-timeline.js';
import { renderPage } from './render-page.js';
import type { Totals } from './model.js';
import { money, totalsOf } from './totals.js';

const HELP = `Usage: npx responses-loop timeline FILE [-o PAGE]

Renders the events in FILE as a page: calls, rounds and tools over time, tokens, retries,
approvals, errors, and what each request repeated. Record the events with recordEvents
from "responses-loop/node". The page is a single file, loads nothing from the network,
and contains what the events contain: prompts, arguments and outputs.

  FILE              the recorded events; - means standard input
  -o, --out PAGE    the page to write (default: FILE with the extension .html, or
                    standard output if FILE is -); - means standard output

Example:
  npx responses-loop timeline events.jsonl -o timeline.html
`;

/** Built separately: it runs in the page. */
const SCRIPT = new URL('timeline-page.js', import.meta.url);

export const timeline: Command = { help: HELP, run };

async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { file, out } = readArguments(args, terminal.cwd);
  if (file !== undefined && out !== undefined && (await isSameFile(file, out))) throw overwrites(file);
  const built = await read(file, terminal);
  const page = Readable.from(renderPage(built, await readFile(SCRIPT, 'utf8')));
  if (out === undefined) await pipeline(page, terminal.stdout, { end: false, signal: terminal.signal });
  else {
    await write(page, out, terminal.signal);
    terminal.stdout.write(`${showControls(out)}\n`);
  }
  terminal.stderr.write(`${summaryOf(built)}\n`);
  return 0;
}

interface Paths {
  /** Absent: standard input. */
  readonly file: string | undefined;
  /** Absent: standard output. */
  readonly out: string | undefined;
}

function readArguments(args: readonly string[], cwd: string): Paths {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { out: { type: 'string', short: 'o' } },
  });
  const [name, ...more] = positionals;
  if (name === undefined) throw new UsageError('Which file? recordEvents("events.jsonl") keeps one.');
  if (more.length > 0) throw new UsageError(`Only one file at a time: remove "${showControls(more.join(' '))}".`);
  const file = name === '-' ? undefined : resolve(cwd, name);
  const wanted = values.out ?? (file === undefined ? '-' : `${file.slice(0, file.length - extname(file).length)}.html`);
  const out = wanted === '-' ? undefined : resolve(cwd, wanted);
  if (out !== undefined && out === file) throw overwrites(file);
  return { file, out };
}

function overwrites(file: string): UsageError {
  return new UsageError(`The page would overwrite its events, ${showControls(file)}: name another one with -o.`);
}

/** True for the same file under another name: through a link, or on a file system without cases. */
async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((path) => stat(path).catch(() => undefined)));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

async function read(file: string | undefined, { stdin, signal }: Terminal): Promise<BuiltTimeline> {
  const source = file === undefined ? 'events' : basename(file);
  const bytes = file === undefined ? stdin : createReadStream(file, { signal });
  bytes.setEncoding('utf8');
  let odd = 0;
  const lines = readEvents(bytes, { name: file ?? 'Standard input', onOdd: () => (odd += 1) });
  return buildTimeline(lines, { source, odd: () => odd });
}

/** Writes under the final name only when it is whole. The page contains texts of calls, so only its owner may read it. */
async function write(page: Readable, out: string, signal: AbortSignal): Promise<void> {
  const there = await stat(out).catch(() => undefined);
  if (there?.isDirectory() === true) throw new UsageError(`-o: ${showControls(out)} is a folder; name a file.`);
  // A device or a pipe, such as /dev/stdout, is written directly.
  if (there !== undefined && !there.isFile()) return pipeline(page, createWriteStream(out), { signal });
  const draft = `${out}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await pipeline(page, createWriteStream(draft, { mode: 0o600, flags: 'wx' }), { signal });
    await rename(draft, out);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function summaryOf({ timeline: { calls, odd } }: BuiltTimeline): string {
  const sum = (of: 'rounds' | 'tools'): number => calls.reduce((total, call) => total + call[of].length, 0);
  const left = odd === 0 ? '' : `; not understood: ${count(odd, 'line')}`;
  const spent = spentOn(totalsOf(...calls));
  const all = `${count(calls.length, 'call')}, ${count(sum('rounds'), 'round')}, ${count(sum('tools'), 'tool')}${spent}${left}`;
  // The total of a conversation that is the whole file is the line above.
  const conversations = [...new Set(calls.flatMap(({ conversation }) => conversation ?? []))];
  const parts = conversations.filter((conversation) => conversation.calls.length < calls.length);
  return [
    all,
    ...parts.map(
      (one) => `conversation of ${count(one.calls.length, 'call')} (${one.calls.join(', ')})${spentOn(one.totals)}`,
    ),
  ].join('\n');
}

function spentOn({ input, cached, output, cost }: Totals): string {
  const inCache = cached === undefined ? '' : ` (${amount(cached)} cached)`;
  const tokens = input === undefined ? '' : `; ${amount(input)} tokens in${inCache}, ${amount(output ?? 0)} out`;
  return `${tokens}${cost === undefined ? '' : `, cost ${money(cost)}`}`;
}
