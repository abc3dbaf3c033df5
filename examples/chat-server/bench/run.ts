// What the chat server costs beside a route that only streams. Prints a table and exits with 1 if a limit is missed.
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createScriptedServer } from 'responses-loop/testing';
import { askBare, askChat, get, type Seen } from './ask.js';
import { LONG_CHAT, writeChat } from './long-chat.js';
import { searchManyChats, writeManyChats } from './many-chats.js';
import { measurePage, OPENED_CHAT } from './page.js';
import { type Program, startBareRoute, startChatServer } from './programs.js';
import type { Row } from './row.js';

type Measure = (program: Program, ask: () => Promise<Seen>) => Promise<number>;

const DELTAS = 2000;
const SHORT = 20;
const TURNS = 40;
const WARM_UP = 5;
const AT_ONCE = 100;
const LONG = 1000;

const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'chat-bench-')));
const data = realpathSync(mkdtempSync(join(tmpdir(), 'chat-bench-data-')));
const deltas = (count: number): string[] => Array.from({ length: count }, (_, n) => `word${n} `);
const isStored: boolean[] = [];
const model = await createScriptedServer({
  otherwise: ({ index, input }) => {
    const said = JSON.stringify(input.at(-1));
    // Looked at while the model has not said a word.
    if (said.includes('Are you stored?')) isStored.push(isOnDisk('Are you stored?'));
    const count = said.includes('Talk long.') ? DELTAS : SHORT;
    return { output: [{ type: 'text', text: deltas(count) }], id: `resp_${index}` };
  },
});
writeChat(data, { id: LONG_CHAT, title: 'A long chat', count: LONG });
writeChat(data, OPENED_CHAT);
writeManyChats(data);
const chat = await startChatServer(workspace, data, model.baseURL);
const bare = await startBareRoute(model.baseURL);
try {
  const rows = [
    await firstText(),
    await eachDelta(),
    await manyAtOnce(),
    ...(await longChat()),
    await searchManyChats(chat.url),
    ...(await measurePage(chat.url)),
  ];
  console.table(rows.map(({ what, measured, limit }) => ({ what, measured, limit })));
  process.exitCode = rows.every(({ isHeld }) => isHeld) ? 0 : 1;
} finally {
  await Promise.all([chat.stop(), bare.stop()]);
  await model.close();
  for (const folder of [workspace, data]) rmSync(folder, { recursive: true, force: true });
}

async function firstText(): Promise<Row> {
  await askChat(chat.url, 'Are you stored?');
  const { withServer, without } = await compare('Talk.', async (_, ask) => (await ask()).firstTextMs);
  const added = withServer - without;
  const isFirst = isStored.length > 0 && isStored.every(Boolean);
  return {
    what: `added to the first text, the message ${isFirst ? 'stored before' : 'NOT STORED'}`,
    measured: `${added.toFixed(1)} ms (${withServer.toFixed(1)} ms beside ${without.toFixed(1)} ms)`,
    limit: '15 ms, stored before',
    isHeld: added <= 15 && isFirst,
  };
}

async function eachDelta(): Promise<Row> {
  const cpuOfTurn = async (program: Program, ask: () => Promise<Seen>): Promise<number> => {
    const before = await program.cpu();
    await ask();
    return (await program.cpu()) - before;
  };
  const { withServer, without } = await compare('Talk long.', cpuOfTurn);
  const short = await compare('Talk.', cpuOfTurn);
  const [ours, theirs] = [withServer - short.withServer, without - short.without].map((us) => us / (DELTAS - SHORT));
  const ratio = (ours ?? 0) / (theirs ?? 0);
  return {
    what: `each of ${DELTAS} deltas, CPU of the server`,
    measured: `${ratio.toFixed(2)} × (${ours?.toFixed(1)} µs beside ${theirs?.toFixed(1)} µs)`,
    limit: '1.3 ×',
    isHeld: ratio <= 1.3,
  };
}

/** The same turns through both, taking turns, so that a busy machine is busy for both. */
async function compare(text: string, measure: Measure): Promise<{ withServer: number; without: number }> {
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let turn = -WARM_UP; turn < TURNS; turn += 1) {
    const both = [
      async () => ours.push(await measure(chat, () => askChat(chat.url, text))),
      async () => theirs.push(await measure(bare, () => askBare(bare.url, text))),
    ];
    for (const one of turn % 2 === 0 ? both : both.toReversed()) await one();
    if (turn === -1) [ours.length, theirs.length] = [0, 0];
  }
  return { withServer: median(ours), without: median(theirs) };
}

async function manyAtOnce(): Promise<Row> {
  const start = performance.now();
  const seen = await Promise.all(Array.from({ length: AT_ONCE }, () => askChat(chat.url, 'Talk long.')));
  const seconds = (performance.now() - start) / 1000;
  const isWhole = seen.every(({ text }) => text === deltas(DELTAS).join(''));
  return {
    what: `${AT_ONCE} streams at once, ${DELTAS} deltas each`,
    measured: `${seconds.toFixed(1)} s, ${Math.round((AT_ONCE * DELTAS) / seconds)} deltas/s`,
    limit: 'all whole',
    isHeld: isWhole,
  };
}

async function longChat(): Promise<Row[]> {
  const load = async (): Promise<{ ms: number; isInOrder: boolean }> => {
    const start = performance.now();
    const { messages } = (await get(chat.url, `/api/sessions/${LONG_CHAT}`)) as { messages: { id: string }[] };
    const ms = performance.now() - start;
    return { ms, isInOrder: messages.length >= LONG && messages.slice(0, LONG).every(({ id }, n) => id === `m${n}`) };
  };
  const [first, again] = [await load(), await load()];
  const { firstTextMs, text } = await askChat(chat.url, 'Talk.', LONG_CHAT);
  return [
    {
      what: `load a chat of ${LONG} messages`,
      measured: `${first.ms.toFixed(0)} ms, then ${again.ms.toFixed(0)} ms`,
      limit: '1000 ms, all in order',
      isHeld: first.ms <= 1000 && first.isInOrder && again.isInOrder,
    },
    {
      what: `first text in a chat of ${LONG} messages`,
      measured: `${firstTextMs.toFixed(0)} ms`,
      limit: '1000 ms',
      isHeld: firstTextMs <= 1000 && text === deltas(SHORT).join(''),
    },
  ];
}

function isOnDisk(text: string): boolean {
  const sessions = join(data, 'sessions');
  return readdirSync(sessions).some((id) => {
    try {
      return readFileSync(join(sessions, id, 'messages.jsonl'), 'utf8').includes(text);
    } catch {
      return false; // Of a chat that has no message yet.
    }
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
