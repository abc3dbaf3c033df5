import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approvalsIn, type Chunk, textOf } from '../../support/chat-client.js';
import { countingServer } from '../../support/counting-server.js';
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.js';
import { type ChatProcess, dataOf, newFolder, startChat } from '../../support/start-chat.js';

const KILLS = 20;
const TURNS = 50;

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel({ delayMs: 3 });
});
afterAll(async () => {
  await model.close();
});

/** The same moments in each run; a failure can be seen again. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

describe('kill -9', () => {
  it(`at ${KILLS} moments during ${TURNS} turns loses no message of a person and no finished step, and leaves no empty answer`, async () => {
    const workspace = newFolder();
    const folder = newFolder();
    const mcp = countingServer(folder);
    const next = random(7);
    const start = (): Promise<ChatProcess> => startChat({ baseURL: model.baseURL, workspace, args: mcp.args });
    const acknowledged = new Map<string, Set<string>>();
    const steps = new Map<string, number>();
    let chat = await start();
    let turn = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const wave = Array.from({ length: 3 }, (_, n) => `s${(turn + n) % 5}`);
      turn += wave.length;
      // A turn of this kind has about thirty chunks.
      const moment = Math.floor(next() * 80) + 1;
      let shown = 0;
      let reached = (): void => {};
      const isReached = new Promise<void>((resolve) => {
        reached = resolve;
      });
      const sent = wave.map(async (session, n) => {
        const text = `think turn ${turn} ${n}\ncall look {}\ncall timeNow {}`;
        const body = chat.message(session, text) as { message: { id: string } };
        const id = `${body.message.id}-${kill}-${n}`;
        let own = 0;
        const count = (chunks: readonly Chunk[]): boolean => {
          shown += chunks.length - own;
          own = chunks.length;
          if (shown >= moment) reached();
          return false;
        };
        const seen = await chat
          .leaveWhen({ ...body, message: { ...body.message, id } }, count)
          .catch((): Chunk[] => []);
        // What was shown of a turn was stored before: the message of the person at the first chunk.
        if (seen.length > 0) acknowledged.set(session, (acknowledged.get(session) ?? new Set()).add(id));
        const finished = seen.filter(({ type }) => type === 'finish-step').length;
        if (finished > 0) steps.set(id, finished);
      });
      await Promise.race([isReached, Promise.all(sent)]);
      await chat.end('SIGKILL');
      await Promise.all(sent);
      chat = await start();
    }
    while (turn < TURNS) {
      turn += 1;
      await chat.send(`s${turn % 5}`, `last ${turn}`);
    }
    for (const [session, ids] of acknowledged) {
      const lines = readFileSync(dataOf(workspace, 'sessions', session, 'messages.jsonl'), 'utf8');
      const { messages } = await chat.session(session);
      for (const id of ids) expect(lines, `${session} ${id}`).toContain(`"id":"${id}"`);
      for (const { id, role, parts } of messages) expect(parts.length, `${role} ${id}`).toBeGreaterThan(0);
      for (const { id } of messages) {
        const answer = messages.find(({ parentMessageId, role }) => parentMessageId === id && role === 'assistant');
        const calls = answer?.parts.filter((part) => 'toolCallId' in part) ?? [];
        if (steps.has(id))
          expect(
            calls.map((part) => ('state' in part ? part.state : '')),
            id,
          ).toEqual(['output-available', 'output-available']);
      }
      const after = await chat.send(session, 'still there?');
      expect(textOf(after.chunks)).toBe('You said: still there?');
    }
    expect(acknowledged.size).toBeGreaterThan(2);
    expect(steps.size).toBeGreaterThan(2);
    // Every call had an output when it was sent, if only "interrupted".
    expect(model.problems).toEqual([]);
  });

  it('between an approval and the end of its tool runs nothing twice, and the chat goes on', async () => {
    const workspace = newFolder();
    const mcp = countingServer(newFolder());
    let chat = await startChat({ baseURL: model.baseURL, workspace, args: mcp.args });
    const sleep = 'call shellCommand {"command":"bash -c \\"echo ran >> ran.txt; sleep 30\\""}';
    const [id = ''] = approvalsIn((await chat.send('k', sleep)).chunks);
    const turn = chat.answer('k', { id, approved: true }).catch(() => undefined);
    const ran = join(workspace, 'ran.txt');
    const { existsSync } = await import('node:fs');
    while (!existsSync(ran)) await new Promise((resolve) => setTimeout(resolve, 20));
    await chat.end('SIGKILL');
    await turn;
    chat = await startChat({ baseURL: model.baseURL, workspace, args: mcp.args });
    const session = await chat.session('k');
    expect(session.messages[1]?.parts).toMatchObject([{ state: 'approval-responded', approval: { approved: true } }]);
    expect((await chat.answer('k', { id, approved: true })).status).toBe(409);
    const next = await chat.send('k', 'and now?');
    expect(textOf(next.chunks)).toBe('You said: and now?');
    expect(model.requests.at(-1)?.text).toContain('interrupted');
    expect(readFileSync(ran, 'utf8')).toBe('ran\n');
    expect(model.problems).toEqual([]);
  });
});
