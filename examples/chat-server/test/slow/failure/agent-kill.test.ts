import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chunk, textOf } from '../../support/chat-client.js';
import { countingServer } from '../../support/counting-server.js';
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.js';
import { type ChatProcess, dataOf, newFolder, startChat } from '../../support/start-chat.js';

/** Chunks of the turn, which writes its calls before a sub-agent begins. */
const CUTS_BEFORE = [1, 4, 8, 16];
/** Chunks after the first one of a sub-agent. A life of those below has about a hundred, which tell of all that was saved. */
const CUTS = Array.from({ length: 14 }, (_, n) => n * 8);

interface Agent {
  readonly agentId: string;
  readonly state: string;
  readonly questions: readonly { readonly toolCallId: string }[];
  readonly canContinue: boolean;
}

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel({ delayMs: 3 });
});
afterAll(async () => {
  await model.close();
});

const touch = (name: string): string => `call shellCommand ${JSON.stringify({ command: `echo ran >> ${name}.txt` })}`;
const hand = (task: string): string => `call subAgent ${JSON.stringify({ agent: 'default', task })}`;
/** One that reads, asks about two calls, and has an agent of its own that asks; one beside it; and a question of the chat. */
const TASK = [
  hand(`call look {}\n${touch('a')}\ncall count {"what":"b"}\n${hand(touch('c'))}`),
  hand(touch('d')),
  touch('e'),
].join('\n');

interface Cut {
  readonly chat: ChatProcess;
  readonly chunks: readonly Chunk[];
  /** How often each of the calls ran. */
  readonly runs: () => Readonly<Record<string, number>>;
}

async function agentsOf(chat: ChatProcess): Promise<readonly Agent[]> {
  const { status, json } = await chat.api<Agent[]>('GET', '/api/sessions/c/agents');
  return status === 200 ? json : [];
}

const approve = (chat: ChatProcess, toolCallId: string) =>
  chat.api('POST', `/api/sessions/c/approvals/${encodeURIComponent(toolCallId)}`, { approved: true });

const partsOf = async (chat: ChatProcess) =>
  (await chat.session('c').catch(() => ({ messages: [] }))).messages.flatMap(({ parts }) => parts);

/** Says yes to each question of the turn, kills the server when this is reached or the turn ends, and starts it again. */
async function killWhen(
  isReached: (chunks: readonly Chunk[]) => boolean,
  meanwhile: (workspace: string) => void = () => {},
): Promise<Cut> {
  const workspace = newFolder();
  const mcp = countingServer(newFolder());
  const start = (): Promise<ChatProcess> => startChat({ baseURL: model.baseURL, workspace, args: mcp.args });
  const killed = await start();
  const answered = new Set<string>();
  const chunks = await killed.leaveWhen(killed.message('c', TASK), (seen) => {
    for (const { type, data } of seen) {
      const id = String(Reflect.get(Object(data), 'toolCallId'));
      if (type !== 'data-sub-agent-approval' || answered.has(id)) continue;
      answered.add(id);
      void approve(killed, id).catch(() => {});
    }
    return isReached(seen) || seen.some(({ type }) => type === 'finish' || type === 'abort');
  });
  await killed.end('SIGKILL');
  meanwhile(workspace);
  const linesOf = (name: string): number => {
    const path = join(workspace, `${name}.txt`);
    return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').length : 0;
  };
  const runs = (): Record<string, number> => ({
    ...Object.fromEntries(['a', 'c', 'd', 'e'].map((name) => [name, linesOf(name)])),
    b: mcp.did().filter((line) => line === 'count b').length,
  });
  return { chat: await start(), chunks, runs };
}

/** As a person would, until nothing is left to do. */
async function finish(chat: ChatProcess): Promise<void> {
  for (let round = 0; round < 400; round += 1) {
    const all = await agentsOf(chat);
    const question = all.flatMap(({ questions }) => questions)[0];
    const unended = all.find(({ canContinue }) => canContinue);
    const { running } = await chat.session('c').catch(() => ({ running: false }));
    const own = (await partsOf(chat)).flatMap((part) =>
      'state' in part && part.state === 'approval-requested' ? [part.approval.id] : [],
    );
    if (question !== undefined) await approve(chat, question.toolCallId);
    else if (!running && unended) await chat.api('POST', `/api/sessions/c/agents/${unended.agentId}/continue`);
    else if (!running && own[0] !== undefined) await chat.answer('c', { id: own[0], approved: true });
    else if (!running) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('Something was still to do.');
}

const beganAt = (chunks: readonly Chunk[]): number => chunks.findIndex(({ type }) => type === 'data-sub-agent-start');

describe('kill -9 in the life of sub-agents', () => {
  /** How many were killed before their ends. */
  let cutOff = 0;

  it.each(CUTS)(
    'at chunk %i: they can be finished, and nothing ran twice',
    async (cut) => {
      const { chat, chunks, runs } = await killWhen(
        (seen) => beganAt(seen) !== -1 && seen.length - beganAt(seen) > cut,
      );
      if (chunks.at(-1)?.type !== 'finish') cutOff += 1;
      await finish(chat);
      expect(new Set((await agentsOf(chat)).map(({ state }) => state))).toEqual(new Set(['done']));
      for (const [name, count] of Object.entries(runs())) expect(count, name).toBeLessThanOrEqual(1);
      expect(model.problems).toEqual([]);
      await chat.end();
    },
    120_000,
  );

  it('came before their ends', () => {
    expect(cutOff).toBeGreaterThan(CUTS.length / 2);
  });
});

describe('kill -9 before a sub-agent began', () => {
  const NOTHING = { a: 0, b: 0, c: 0, d: 0, e: 0 };
  /** How many turns were killed without a sub-agent. */
  let early = 0;

  it.each(CUTS_BEFORE)(
    'at chunk %i of the turn: nothing ran, and the chat goes on',
    async (cut) => {
      const { chat, runs } = await killWhen((seen) => seen.length >= cut || beganAt(seen) !== -1);
      // Else the server was quicker than the kill.
      if ((await agentsOf(chat)).length === 0) {
        early += 1;
        expect(runs()).toEqual(NOTHING);
        expect(textOf((await chat.send('c', 'and now?')).chunks)).toBe('You said: and now?');
        expect(runs()).toEqual(NOTHING);
      } else await finish(chat);
      expect(model.problems).toEqual([]);
      await chat.end();
    },
    120_000,
  );

  it('came before one', () => {
    expect(early).toBeGreaterThan(0);
  });

  // The server writes the call, the folder, the task and the file, in this order, before a model is asked. The kill may come
  // before the file of one of the two.
  it.each(['', 'session.json'])(
    'between its call and its file: the call counts as interrupted, nothing ran, and the chat goes on (%j is missing)',
    async (missing) => {
      const { chat, runs } = await killWhen(
        (seen) => beganAt(seen) !== -1,
        (workspace) => {
          const folder = dataOf(workspace, 'sessions', 'c', 'agents');
          for (const agent of readdirSync(folder))
            rmSync(join(folder, agent, missing), { recursive: true, force: true });
        },
      );
      expect(await agentsOf(chat)).toEqual([]);
      const calls = (await partsOf(chat)).filter(({ type }) => type === 'tool-subAgent');
      expect(calls).toMatchObject([{ state: 'input-available' }, { state: 'input-available' }]);
      expect(textOf((await chat.send('c', 'and now?')).chunks)).toBe('You said: and now?');
      expect(model.requests.at(-1)?.text).toContain('interrupted');
      expect(runs()).toEqual(NOTHING);
      expect(await agentsOf(chat)).toEqual([]);
      expect(model.problems).toEqual([]);
      await chat.end();
    },
  );
});
