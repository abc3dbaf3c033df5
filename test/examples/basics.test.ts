import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { createScriptedServer, responseBody, responseEvents } from '../../src/testing.js';
import { FIXTURES } from '../helpers/fixtures.js';
import { type Finished, runNode } from '../package/run-node.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const RUN_ALL = ['--import', 'tsx', 'examples/basics/support/run-all.ts'];

let names: string[] = [];
beforeAll(async () => {
  const files = await readdir(join(ROOT, 'examples/basics'));
  names = files.filter((file) => file.endsWith('.ts')).map((file) => file.slice(0, -'.ts'.length));
});

/** The examples that were run, by what came of them. */
function outcomes({ stdout }: Finished): Record<string, string[]> {
  const found = [...stdout.matchAll(/^(ok|FAILED) +(\S+) /gm)].map(([, word = '', name = '']) => ({ word, name }));
  const namesOf = (word: string): string[] => found.filter((one) => one.word === word).map(({ name }) => name);
  return { ok: namesOf('ok').toSorted(), failed: namesOf('FAILED').toSorted() };
}

describe('the basic examples', () => {
  // That they succeed is a step of its own in `.ci/run`: `npm run examples`.
  it('are all run by `npm run examples`, and fail when what comes back is not what they expect', async () => {
    await using server = await createScriptedServer({
      otherwise: ({ body }) => {
        const description = { output: [{ type: 'text', text: 'I would not know.' }] } as const;
        return body['stream'] === true ? responseEvents(description) : { json: responseBody(description) };
      },
    });
    const env = { OPENAI_BASE_URL: server.baseURL, OPENAI_API_KEY: 'sk-test', MODEL: 'any' };
    const finished = await runNode(RUN_ALL, { cwd: ROOT, env: { ...env, RECORDINGS: await wrongRecordings() } });
    expect(outcomes(finished), finished.stdout).toEqual({ ok: [], failed: names.toSorted() });
    expect(finished.code).toBe(1);
    // In their own words, not by a crash: one line each, where a live model answered.
    const said = 'The answer should hold what the tool counted, but is "I would not know.".';
    expect(finished.stdout).toContain(`    stream: ${said} A small model may fail these checks.\n`);
    expect(finished.stdout).toMatch(
      /^ {4}structured-output: No object generated.* A small model may fail these checks\.$/m,
    );
    expect(finished.stdout).not.toContain('actual - expected');
    const stacks = finished.stdout.split(/^(?=FAILED)/m).filter((part) => /^ +at /m.test(part));
    expect(
      stacks.map((part) => part.split(' ')[1]),
      stacks.join(''),
    ).toEqual(['five-cases']);
    expect(finished.stdout).toContain('no-tool: the answer is "The file is in Kyoto."');
    expect(server.requests.length).toBeGreaterThanOrEqual(names.length - 1);
  }, 60_000);

  it('ask the stand-in if told to, whatever the environment names', async () => {
    const env = { OPENAI_BASE_URL: 'http://127.0.0.1:1', OPENAI_API_KEY: 'sk-never-used' };
    const finished = await runNode([...RUN_ALL, '--stand-in', 'stream'], { cwd: ROOT, env });
    expect(outcomes(finished), finished.stdout).toEqual({ ok: ['stream'], failed: [] });
    expect(finished).toMatchObject({ code: 0, stderr: '' });
    expect(finished.stdout).toContain('Let me count. My tools say: 42 ducks on the north pond');
  });

  it('are all told of in their README', async () => {
    const readme = await readFile(join(ROOT, 'examples/basics/README.md'), 'utf8');
    const told = [...readme.matchAll(/^\| \[(.+)\.ts\]\(\1\.ts\) \|/gm)].map(([, name]) => name ?? '');
    expect(told.toSorted()).toEqual(names.toSorted());
  });

  it('one that is not there is said by name', async () => {
    const { code, stderr } = await runNode([...RUN_ALL, 'nope'], { cwd: ROOT });
    expect(code).toBe(1);
    expect(stderr).toContain('There is no example "nope". There are approval, ');
  });
});

/** A recording whose server said something else. */
async function wrongRecordings(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'responses-loop-examples-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const recording = join(folder, 'no-tool');
  await cp(join(FIXTURES, 'no-tool'), recording, { recursive: true });
  const stream = await readFile(join(recording, '1.sse'), 'utf8');
  await writeFile(join(recording, '1.sse'), stream.replaceAll('Tokyo', 'Kyoto'));
  return folder;
}
