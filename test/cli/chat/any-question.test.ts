import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { askPerson } from '../../../src/cli/chat/approve-calls.js';
import { Dialog } from '../../../src/cli/chat/dialog.js';
import { Screen } from '../../../src/cli/chat/screen.js';
import { oddArguments } from '../../tools/support/odd-arguments.js';
import { unspell } from '../../tools/support/unspell.js';

const QUESTION = '[y]es, [n]o, [a]lways this tool:';

/** What the log of `responses-loop chat` holds when a person is asked about a call, up to the prompt. */
async function askedAbout(args: object): Promise<string> {
  const [stdin, stderr, stdout] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const stop = new AbortController();
  const terminal = { stdin, stdout, stderr, env: { NO_COLOR: '1' }, cwd: '/', signal: stop.signal };
  let [log, isAnswered] = ['', false];
  stderr.on('data', (piece: Buffer) => {
    log += piece.toString();
    if (isAnswered || !log.includes(QUESTION)) return;
    isAnswered = true;
    stdin.write('y\r');
  });
  const dialog = new Dialog(terminal);
  const request = { tool: 't', source: 's', originalName: 't', arguments: args, signal: stop.signal };
  const approve = askPerson(dialog, new Screen(terminal));
  expect(await approve(request as unknown as Parameters<typeof approve>[0])).toBe(true);
  dialog.close();
  return log.slice(0, log.indexOf(QUESTION));
}

const argumentsIn = (log: string): unknown =>
  JSON.parse(unspell(log.slice(log.indexOf('?') + 1, log.lastIndexOf('}') + 1)));

it('the log of chat holds every key and value of what it asks about, before the prompt', async () => {
  await fc.assert(
    fc.asyncProperty(oddArguments, async (args) => {
      expect(argumentsIn(await askedAbout(args))).toStrictEqual(args);
    }),
    { numRuns: 150 },
  );
});

it('a command of 100,000 characters is asked about with its middle', async () => {
  const command = `${'a '.repeat(25_000)}EVIL-IN-THE-MIDDLE${' b'.repeat(25_000)}`;
  expect(argumentsIn(await askedAbout({ command }))).toEqual({ command });
});

it('a call that runs unasked is shown whole, too', () => {
  fc.assert(
    fc.property(oddArguments, (args) => {
      const stderr = new PassThrough();
      const { signal } = new AbortController();
      const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr };
      const screen = new Screen({ ...streams, env: { NO_COLOR: '1' }, cwd: '/', signal });
      screen.part({ type: 'tool-call', toolName: 'run', input: JSON.stringify(args) });
      const log = String(stderr.read());
      expect(log.startsWith('→ run ')).toBe(true);
      expect(JSON.parse(unspell(log.slice('→ run '.length)))).toStrictEqual(args);
    }),
    { numRuns: 150 },
  );
});
