import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateText } from 'ai';
import { afterAll, describe, expect, it } from 'vitest';
import { createResponsesProvider } from 'responses-loop';
import { recordEvents } from 'responses-loop/node';
import { createScriptedServer, scriptedFetch, type ScriptedStep } from 'responses-loop/testing';
import { run } from '../support/run.js';

const folder = mkdtempSync(join(tmpdir(), 'replay-command-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const order: ScriptedStep = { output: [{ type: 'call', name: 'order', arguments: { id: 7 } }] };
let files = 0;

/** Records one call at a server of this machine, and counts how often its tool has run. */
async function recorded(answer = 'It cost 12 dollars.', baseURL?: string) {
  files += 1;
  const file = join(folder, `${files}.jsonl`);
  const record = recordEvents(file, { outputs: 'full' });
  const ran = { times: 0 };
  await using provider = createResponsesProvider({
    baseURL: baseURL ?? 'http://127.0.0.1:1/v1',
    apiKey: 'sk-recorded-key',
    fetch: scriptedFetch([order, answer]),
    tools: { order: { inputSchema: { type: 'object' }, execute: ({ id }) => ({ id, dollars: ++ran.times * 12 }) } },
    onEvent: record,
  });
  await generateText({ model: provider('big-model'), prompt: 'What did order 7 cost?' });
  record.close();
  return { file, ran };
}

describe('responses-loop replay', () => {
  it('asks another model at another server, answers tools from the record, and exits with 0 if all went the same way', async () => {
    const { file, ran } = await recorded();
    await using server = await createScriptedServer({ steps: [order, 'It cost 12 dollars.'] });
    const { code, out, err } = await run(['replay', file, '--base-url', server.baseURL, '-m', 'small-model']);
    expect(err).toContain(`Call 1: asking small-model at ${server.baseURL}`);
    expect(out).toContain('Call 1: the same\n');
    expect(out).toMatch(/recorded: big-model +│ replayed: small-model/);
    expect(out).toMatch(/2 rounds, 1 call, ended with stop +│ 2 rounds, 1 call, ended with stop/);
    expect(out).toMatch(/tokens in, .+ s +│ .+tokens in/);
    expect(out).toMatch(/It cost 12 dollars\. +│ It cost 12 dollars\./);
    expect(out).toContain('1 call matched the recording.');
    expect(code).toBe(0);
    expect(ran.times).toBe(1);
    expect(server.requests[1]?.input.at(-1)?.['output']).toBe('{"id":7,"dollars":12}');
  });

  it('shows the first difference and exits with 1; with --answers any other words are the same', async () => {
    const { file } = await recorded();
    await using server = await createScriptedServer({ steps: [order, '12 dollars.', order, '12 dollars.'] });
    const strict = await run(['replay', file, '--base-url', server.baseURL]);
    expect(strict).toMatchObject({ code: 1 });
    expect(strict.out).toContain('Call 1: another answer: "12 dollars.", recorded "It cost 12 dollars."');
    expect(strict.out).toContain('1 of 1 call differed from the recording.');
    const lenient = await run(['replay', file, '--base-url', server.baseURL, '--answers', 'any']);
    expect(lenient).toMatchObject({ code: 0 });
    expect(lenient.out).toContain('Call 1: the same, except for the wording');
  });

  it('names a call that the record does not have, which is not run', async () => {
    const { file, ran } = await recorded();
    const other: ScriptedStep = { output: [{ type: 'call', name: 'order', arguments: { id: 8 } }] };
    await using server = await createScriptedServer({ steps: [other, 'I do not know.'] });
    const { code, out } = await run(['replay', file, '--base-url', server.baseURL, '--answers', 'any']);
    expect(out).toContain('Call 1: round 1: order {"id":8}, recorded order {"id":7}');
    expect(out).toContain('not in the record, so not answered: order {"id":8}');
    expect({ code, ran: ran.times }).toEqual({ code: 1, ran: 1 });
  });

  it('prints JSON for programs', async () => {
    const { file } = await recorded();
    await using server = await createScriptedServer({ steps: [order, 'It cost 12 dollars.'] });
    const { out } = await run(['replay', file, '--base-url', server.baseURL, '--json']);
    expect(JSON.parse(out)).toMatchObject({
      calls: [{ number: 1, replayed: { rounds: 2 } }],
      skipped: [],
      oddLines: 0,
    });
  });

  it('sends a key of this machine only to OpenAI, to --base-url, and where --api-key-env is given', async () => {
    await using server = await createScriptedServer({ steps: [], otherwise: 'It cost 12 dollars.' });
    const { file } = await recorded('It cost 12 dollars.', server.baseURL);
    const env = { OPENAI_API_KEY: 'sk-of-this-machine' };
    await run(['replay', file], { env });
    await run(['replay', file, '--base-url', server.baseURL], { env });
    await run(['replay', file, '--api-key-env', 'OPENAI_API_KEY'], { env });
    const sent = server.requests.map(({ headers }) => JSON.stringify(headers).includes('sk-of-this-machine'));
    expect(sent).toEqual([false, true, true]);
  });

  it('asks for a key before it asks OpenAI', async () => {
    const { file } = await recorded('Yes.', 'https://api.openai.com/v1');
    const { code, err } = await run(['replay', file]);
    expect(err).toContain('No key for OpenAI: set OPENAI_API_KEY, or name another variable with --api-key-env.');
    expect(code).toBe(2);
  });

  it('writes out what a model sends to move the cursor', async () => {
    const { file } = await recorded();
    await using server = await createScriptedServer({ steps: [order, 'It \u001b[2J cost.'] });
    const { out } = await run(['replay', file, '--base-url', server.baseURL]);
    expect(out).not.toContain('\u001b');
    expect(out).toContain('\\u{1b}[2J');
  });

  it.each([
    [[], 'Missing file. Record one with recordEvents('],
    [['a', 'b'], 'One file at a time'],
    [['a', '--answers', 'some'], '--answers: write same or any.'],
    [['a', '--call', '0'], '--call: write the number of a call'],
    [['a', '--base-url', 'there'], '--base-url'],
  ])('refuses %j with what to do', async (args, message) => {
    const { code, err } = await run(['replay', ...args]);
    expect(err).toContain(message);
    expect(code).toBe(2);
  });

  it('refuses a file without whole rounds with what to record', async () => {
    const file = join(folder, 'short.jsonl');
    const record = recordEvents(file);
    const provider = createResponsesProvider({ apiKey: 'test', fetch: scriptedFetch(['Hello.']), onEvent: record });
    await generateText({ model: provider('m'), prompt: 'Hello.' });
    record.close();
    const { code, err } = await run(['replay', file]);
    expect(err).toContain("outputs: 'full'");
    expect(code).toBe(1);
  });

  it('names what a file that was torn at any place lacks, and asks no server', async () => {
    const { file } = await recorded();
    const whole = readFileSync(file, 'utf8');
    for (const share of [0.1, 0.35, 0.6, 0.85, 0.99]) {
      const torn = join(folder, `torn-${share}.jsonl`);
      writeFileSync(torn, whole.slice(0, Math.floor(whole.length * share)));
      await using server = await createScriptedServer({ steps: [], otherwise: 'It cost 12 dollars.' });
      const { code, out, err } = await run(['replay', torn, '--base-url', server.baseURL]);
      expect({ code, requests: server.requests.length }).toEqual({ code: 1, requests: 0 });
      expect(`${out}${err}`).toMatch(/no end in the file|cannot be read|outputs: 'full'|has no events/);
    }
  });
});
