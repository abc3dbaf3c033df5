import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresForTests } from 'responses-loop-example-shared/test-support/postgres.mjs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ChatClient } from '../../chat-client.js';
import { startChatInstance } from '../../chat-instance.js';
import { converseInChat } from '../../chat-conversation.js';
import { type Counts, countsOf } from '../../counts.js';
import type { Instance } from '../../instance.js';
import { type PlayedModel, startModel } from '../../model.js';
import { type BreakingProxy, type Fault, startBreakingProxy } from '../support/breaking-proxy.js';

const postgres = await postgresForTests();
const folder = mkdtempSync(join(tmpdir(), 'fleet-chat-'));
const ledger = join(folder, 'ledger.jsonl');
let model: PlayedModel;
let instance: Instance;
let proxy: BreakingProxy;
let turns = 0;

beforeAll(async () => {
  model = await startModel({ eventMs: 5, toolMs: 20, words: 8 });
  const place = { folder, ledger, database: postgres?.createDatabase() ?? '', modelUrl: model.baseURL };
  if (postgres !== undefined) instance = await startChatInstance(place, 'instance', ['--database', place.database]);
  proxy = await startBreakingProxy(instance?.url ?? '');
});
afterEach(() => {
  proxy.breakBy(() => (event) => [event]);
  rmSync(ledger, { force: true });
});
afterAll(async () => {
  await proxy.close();
  await instance?.end();
  await model.close();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A fault of the first event that matches, whatever connection it comes by. */
function once(pattern: RegExp, fault: Fault): () => Fault {
  let isDone = false;
  return () => (event) => {
    if (isDone || !pattern.test(event)) return [event];
    isDone = true;
    return fault(event);
  };
}

const drop: Fault = () => [];
const twice: Fault = (event) => [event, event];

async function talk(plan: string): Promise<Counts & { broken: readonly string[] }> {
  const client = new ChatClient(() => [proxy.url]);
  const outcomes = await converseInChat(client, [{ name: `t${(turns += 1)}`, plan }]);
  return { ...countsOf(outcomes, ledger, model.asked), broken: outcomes.flatMap(({ broken }) => broken) };
}

test('the client of chat-server reads the chat again if the connection breaks in the middle of it', async () => {
  const chat = { messages: [{ id: 'one' }], running: false };
  const answers: ((response: ServerResponse) => void)[] = [
    (response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"messages":', () => response.destroy());
    },
    (response) => void response.end(JSON.stringify(chat)),
  ];
  const server = createServer((_request, response) => answers.shift()?.(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  expect(await new ChatClient(() => [`http://127.0.0.1:${port}`]).stored()).toEqual(chat);
  server.close();
});

describe.skipIf(postgres === undefined)('the client of chat-server', () => {
  test('counts nothing against a server that is right', async () => {
    const client = new ChatClient(() => [proxy.url]);
    const names = ['r1', 'r2'];
    const outcomes = await converseInChat(
      client,
      names.map((name) => ({ name, plan: 'look|put look' })),
    );
    expect(outcomes.flatMap(({ broken }) => broken)).toEqual([]);
    expect(countsOf(outcomes, ledger, model.asked)).toEqual({
      ...{
        turns: 2,
        'ended well': 2,
        'lost connections': 0,
        'moved turns': 0,
        'went on within (s), half of them': '0.0',
      },
      ...{ requests: 6, 'tool runs': 6, 'second runs': 0, 'writes twice': 0, lost: 0, doubled: 0, orphans: 0 },
    });
    expect((await client.messages()).map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  });

  test('joins a turn whose connection was cut, and counts nothing but that', async () => {
    proxy.breakBy(once(/tool-input-start/, () => 'cut'));
    expect(await talk('look|put look')).toMatchObject({
      broken: [],
      'lost connections': 1,
      'moved turns': 1,
      lost: 0,
      doubled: 0,
    });
  });

  test('knows by the stored chat that a turn has ended whose last connection was cut', async () => {
    proxy.breakBy(() => (event) => (event.includes('"finish"') ? 'cut' : [event]));
    expect(await talk('look')).toMatchObject({ broken: [], lost: 0, doubled: 0 });
  });

  const WORD = /"delta":" [\da-f]{6}/;
  const OUTPUT = /tool-output-available/;
  test.each([
    ['a chunk of text that was lost', WORD, drop, { lost: 1, doubled: 0, 'ended well': 0 }],
    ['a chunk of text that came twice', WORD, twice, { lost: 0, doubled: 1, 'ended well': 0 }],
    ['an outcome of a tool that was lost', OUTPUT, drop, { lost: 1, doubled: 0 }],
    ['an outcome of a tool that came twice', OUTPUT, twice, { lost: 0, doubled: 1 }],
  ])('counts %s', async (_what, pattern, fault, counted) => {
    proxy.breakBy(once(pattern, fault));
    expect(await talk('look')).toMatchObject(counted);
  });

  test('counts a second write of one call', async () => {
    const client = new ChatClient(() => [proxy.url]);
    const outcomes = await converseInChat(client, [{ name: 'second', plan: 'put' }]);
    // What a server leaves behind that runs the call again.
    appendFileSync(ledger, readFileSync(ledger));
    expect(countsOf(outcomes, ledger, model.asked)).toMatchObject({ 'second runs': 1, 'writes twice': 1 });
  });

  test('counts a run of a tool that no chat names', async () => {
    appendFileSync(ledger, `${JSON.stringify({ tool: 'look', turn: 'none', callId: 'call_none' })}\n`);
    expect(await talk('look')).toMatchObject({ orphans: 1, broken: [] });
  });

  test('reports a text that goes on without its beginning, as clients of the AI SDK refuse it', async () => {
    proxy.breakBy(once(/text-start/, drop));
    expect((await talk('')).broken.join()).toContain('a text went on that had not begun');
  });
});
