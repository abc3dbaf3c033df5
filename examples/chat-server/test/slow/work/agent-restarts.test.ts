import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { approvalsIn, type Chunk, readAnswer, textOf, typesOf, until } from '../../support/chat-client.js';
import { countingServer } from '../../support/counting-server.js';
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.js';
import { type ChatProcess, dataOf, newFolder, startChat } from '../../support/start-chat.js';

interface Question {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly descriptor: { readonly reason?: string; readonly rule?: string };
}

interface Agent {
  readonly agentId: string;
  readonly task: string;
  readonly state: string;
  readonly questions: readonly Question[];
  readonly canContinue: boolean;
}

let model: ScriptedModel;
let chat: ChatProcess;
let workspace: string;
let mcp: ReturnType<typeof countingServer>;

beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(async () => {
  await model.close();
});
beforeEach(async () => {
  workspace = newFolder();
  mcp = countingServer(newFolder());
  model.problems.splice(0);
  await start();
});
afterEach(async () => {
  await chat.end('SIGKILL');
  expect(model.problems).toEqual([]);
});

async function start(...args: string[]): Promise<void> {
  chat = await startChat({ baseURL: model.baseURL, workspace, args: [...mcp.args, ...args] });
}

async function restart(signal: NodeJS.Signals = 'SIGKILL', ...args: string[]): Promise<void> {
  await chat.end(signal);
  await start(...args);
}

/** A command that can be counted. */
const touch = (name: string): string => `call shellCommand ${JSON.stringify({ command: `echo ran >> ${name}.txt` })}`;
const count = (what: string): string => `call count ${JSON.stringify({ what })}`;
const hand = (task: string): string => `call subAgent ${JSON.stringify({ agent: 'default', task })}`;
const timesRun = (name: string): number => {
  const file = join(workspace, `${name}.txt`);
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
};

async function agents(): Promise<readonly Agent[]> {
  const { status, json } = await chat.api<Agent[]>('GET', '/api/sessions/c/agents');
  return status === 200 ? json : [];
}

async function questions(): Promise<readonly Question[]> {
  return (await agents()).flatMap((agent) => agent.questions);
}

/** Begins a turn, and leaves it when so many questions of sub-agents were heard. */
function askUntil(text: string, asked: number): Promise<readonly Chunk[]> {
  const isAsked = (chunks: readonly Chunk[]): boolean =>
    typesOf(chunks).filter((type) => type === 'data-sub-agent-approval').length === asked;
  return chat.leaveWhen(chat.message('c', text), isAsked);
}

function answer({ toolCallId }: Question, fields: object = { approved: true }) {
  return chat.api('POST', `/api/sessions/c/approvals/${encodeURIComponent(toolCallId)}`, fields);
}

/** The turn that an answer started, to its end. */
async function joined(): Promise<readonly Chunk[]> {
  return (await readAnswer(await chat.fetch('GET', '/api/chat/c/stream'))).chunks;
}

function goOn(agentId: string) {
  return chat.api('POST', `/api/sessions/c/agents/${agentId}/continue`);
}

describe('a sub-agent that waits when its server is killed', () => {
  it.each([
    ['the app', touch('x'), 'shellCommand', () => timesRun('x')],
    ['an MCP server', count('x'), 'count', () => mcp.did().filter((line) => line === 'count x').length],
  ])(
    'with a call of %s waits afterwards, runs it once, and reports into the same answer',
    async (_, task, tool, ran) => {
      const seen = await askUntil(hand(task), 1);
      const messageId = seen[0]?.['messageId'];
      await restart();
      await restart();
      const [agent] = await agents();
      expect(agent).toMatchObject({ state: 'waiting', canContinue: false, questions: [{ toolName: tool }] });
      const [question] = agent?.questions ?? [];
      expect(question?.descriptor.reason).toBeTypeOf('string');
      expect(task).toContain(JSON.stringify(question?.input));
      expect(await chat.session('c')).toMatchObject({ pendingApprovals: 1, running: false });
      expect(ran()).toBe(0);
      expect(await answer(question!)).toEqual({ status: 200, json: { result: 'resumed' } });
      const chunks = await joined();
      expect(chunks[0]).toMatchObject({ type: 'start', messageId });
      expect(typesOf(chunks)).toEqual(
        expect.arrayContaining(['data-sub-agent-start', 'data-sub-agent-end', 'tool-output-available', 'finish']),
      );
      expect(textOf(chunks)).toMatch(/^Done: .*Done: /);
      const { messages, pendingApprovals } = await chat.idle('c');
      expect(messages.map(({ id }) => id).slice(1)).toEqual([messageId]);
      expect(messages[1]?.parts).toMatchObject([{ state: 'output-available', output: { ok: true } }, { type: 'text' }]);
      expect([ran(), pendingApprovals]).toEqual([1, 0]);
      expect(await agents()).toMatchObject([{ state: 'done', questions: [], canContinue: false }]);
      expect((await answer(question!)).status).toBe(409);
      expect(ran()).toBe(1);
    },
  );

  it('reads why it was rejected, and its call does not run', async () => {
    await askUntil(hand(touch('no')), 1);
    await restart();
    const [question] = await questions();
    await answer(question!, { approved: false, reason: 'not on Mondays' });
    expect(textOf(await joined())).toContain('not on Mondays');
    expect(timesRun('no')).toBe(0);
  });

  it('gives "Always in this chat" to the chat', async () => {
    const write = 'call writeFile {"path":"always.txt","content":"ran"}';
    await askUntil(hand(write), 1);
    await restart();
    const [question] = await questions();
    expect(question?.descriptor.rule).toBe('tool: writeFile');
    await answer(question!, { approved: true, always: true });
    await joined();
    expect((await chat.idle('c')).grants).toHaveLength(1);
    expect(timesRun('always')).toBe(1);
    const again = await chat.send('c', hand(write));
    expect(typesOf(again.chunks)).not.toContain('data-sub-agent-approval');
  });

  it('beside others and the question of the chat: each is answered by itself, and runs once', async () => {
    const write = 'call writeFile {"path":"own.md","content":"x"}';
    const seen = await askUntil([hand(touch('one')), hand(touch('two')), write].join('\n'), 2);
    const [own = ''] = approvalsIn(seen);
    await restart();
    expect(await chat.answer('c', { id: own, approved: true })).toMatchObject({ status: 202, json: { waiting: 2 } });
    const one = (await agents()).find(({ task }) => task.includes('one'));
    expect((await answer(one!.questions[0]!)).json).toEqual({ result: 'resumed' });
    await until(
      () => timesRun('one'),
      (times) => times === 1,
    );
    await until(agents, (all) => all.some(({ state }) => state === 'done'));
    await restart();
    const left = await agents();
    expect(left.map(({ state }) => state).toSorted()).toEqual(['done', 'waiting']);
    const [question] = await questions();
    await answer(question!);
    await joined();
    const { messages } = await chat.idle('c');
    expect(messages[1]?.parts.map((part) => ('state' in part ? part.state : ''))).toEqual([
      ...['output-available', 'output-available', 'output-available', 'done'],
    ]);
    expect([timesRun('one'), timesRun('two'), existsSync(join(workspace, 'own.md'))]).toEqual([1, 1, true]);
  });

  it('goes on while the question of the chat stays open', async () => {
    const seen = await askUntil([hand(touch('sub')), 'call writeFile {"path":"own.md","content":"x"}'].join('\n'), 1);
    const [own = ''] = approvalsIn(seen);
    await restart();
    const [question] = await questions();
    await answer(question!);
    await joined();
    expect(await chat.idle('c')).toMatchObject({ pendingApprovals: 1 });
    expect([timesRun('sub'), existsSync(join(workspace, 'own.md'))]).toEqual([1, false]);
    const { chunks } = await chat.answer('c', { id: own, approved: true });
    expect(textOf(chunks)).toMatch(/^Done: /);
    expect([timesRun('sub'), existsSync(join(workspace, 'own.md'))]).toEqual([1, true]);
  });

  it('for another sub-agent lets that one, and then the chat, go on', async () => {
    await askUntil(hand(hand(touch('deep'))), 1);
    await restart();
    expect((await agents()).map(({ state, canContinue }) => [state, canContinue])).toEqual([
      ['waiting', false],
      ['waiting', false],
    ]);
    const [question] = await questions();
    await answer(question!);
    expect(textOf(await joined())).toMatch(/^Done: .*Done: .*Done: /);
    expect((await agents()).map(({ state }) => state)).toEqual(['done', 'done']);
    expect(timesRun('deep')).toBe(1);
  });

  it('with two questions waits for both', async () => {
    await askUntil(hand(`${touch('a')}\n${touch('b')}`), 2);
    await restart();
    const [a, b] = await questions();
    expect(await answer(a!)).toEqual({ status: 202, json: { waiting: 1 } });
    await restart();
    expect([timesRun('a'), timesRun('b')]).toEqual([0, 0]);
    await answer(b!);
    await joined();
    expect([timesRun('a'), timesRun('b')]).toEqual([1, 1]);
  });

  it('is ended for good by Stop, and by the next message', async () => {
    await askUntil(hand(touch('stopped')), 1);
    await restart();
    const [question] = await questions();
    expect((await chat.api('POST', '/api/chat/c/stop')).json).toEqual({ stopped: true });
    expect(await agents()).toMatchObject([{ state: 'aborted', questions: [], canContinue: false }]);
    expect((await answer(question!)).status).toBe(409);
    await askUntil(hand(touch('passed')), 1);
    await restart();
    const [passed] = await questions();
    expect(textOf((await chat.send('c', 'Hello')).chunks)).toBe('You said: Hello');
    expect((await answer(passed!)).status).toBe(409);
    expect((await agents()).map(({ state, canContinue }) => [state, canContinue])).toEqual([
      ['aborted', false],
      ['interrupted', false],
    ]);
    expect([timesRun('stopped'), timesRun('passed')]).toEqual([0, 0]);
    expect((await chat.session('c')).pendingApprovals).toBe(0);
  });

  it('goes with its chat when that is deleted', async () => {
    await askUntil(hand(touch('gone')), 1);
    await restart();
    const [question] = await questions();
    expect((await chat.api('DELETE', '/api/sessions/c')).status).toBe(204);
    expect((await answer(question!)).status).toBe(404);
    expect(existsSync(dataOf(workspace, 'sessions/c'))).toBe(false);
  });
});

describe('a sub-agent that waits', () => {
  it('waits still when its server was ended in peace, and when no client was connected', async () => {
    await restart('SIGTERM', '--grace', '0');
    await askUntil(hand(touch('left')), 1);
    await chat.idle('c');
    expect(await agents()).toMatchObject([{ state: 'waiting' }]);
    await restart('SIGTERM');
    await until(questions, ({ length }) => length === 1);
    const [question] = await questions();
    await answer(question!);
    await joined();
    expect(timesRun('left')).toBe(1);
  });

  it('has its time limit while its turn runs, and none afterwards', async () => {
    await restart('SIGTERM', '--approval-timeout', '1');
    const { chunks } = await chat.send('c', hand(touch('late')));
    expect(textOf(chunks)).toContain('no one answered in time');
    await restart('SIGTERM', '--approval-timeout', '60');
    await askUntil(hand(touch('later')), 1);
    await restart('SIGKILL', '--approval-timeout', '1');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const [question] = await questions();
    await answer(question!);
    await joined();
    expect([timesRun('late'), timesRun('later')]).toEqual([0, 1]);
  });
});

describe('a sub-agent that works when its server is killed', () => {
  const slow = `call shellCommand ${JSON.stringify({ command: 'bash -c "echo ran >> slow.txt; sleep 30"' })}`;

  it('goes on when it is told to; what had begun counts as interrupted, and does not run again', async () => {
    const before = askUntil(hand(slow), 2).catch(() => []);
    const [question] = await until(questions, ({ length }) => length === 1);
    await answer(question!);
    await until(
      () => timesRun('slow'),
      (times) => times === 1,
    );
    await restart();
    await before;
    const [agent] = await agents();
    expect(agent).toMatchObject({ state: 'interrupted', canContinue: true, questions: [] });
    expect(await goOn(agent!.agentId)).toEqual({ status: 202, json: { result: 'resumed' } });
    expect(textOf(await joined())).toMatch(/^Done: .*interrupted/);
    expect(await agents()).toMatchObject([{ state: 'done', canContinue: false }]);
    expect(timesRun('slow')).toBe(1);
    expect((await goOn(agent!.agentId)).status).toBe(409);
    expect((await goOn('agent_unknown')).status).toBe(404);
  });

  it('in a reading tool goes on with what it has read before', async () => {
    const left = chat.leaveWhen(chat.message('c', hand('call look {}\ncall wait {}')), () => false);
    await until(
      () => mcp.did(),
      (did) => did.includes('wait began'),
    );
    await restart();
    await left;
    const [agent] = await agents();
    expect(agent).toMatchObject({ state: 'interrupted', canContinue: true });
    await goOn(agent!.agentId);
    expect(textOf(await joined())).toMatch(/interrupted/);
    expect(mcp.did().filter((line) => line === 'look' || line === 'wait began')).toEqual(['look', 'wait began']);
  });
});

describe('a question in the files of a chat', () => {
  const fileOf = (agentId: string, name: string): string => dataOf(workspace, 'sessions/c/agents', agentId, name);
  const read = (agentId: string, name: string): string => readFileSync(fileOf(agentId, name), 'utf8');

  async function twoThatWait(): Promise<readonly [Agent, Agent]> {
    await askUntil(`${hand(touch('good'))}\n${hand(touch('other'))}`, 2);
    const all = await agents();
    await chat.end('SIGKILL');
    return [all.find(({ task }) => task.includes('good'))!, all.find(({ task }) => task.includes('other'))!];
  }

  it('that was copied from another sub-agent runs nothing', async () => {
    const [good, other] = await twoThatWait();
    const part: unknown = JSON.parse(read(good.agentId, 'messages.jsonl').trim().split('\n').at(-1)!).parts[0];
    const lines = read(other.agentId, 'messages.jsonl').trim().split('\n');
    const message = JSON.parse(lines.at(-1)!);
    const copied = { ...message, parts: [part] };
    writeFileSync(fileOf(other.agentId, 'messages.jsonl'), `${[...lines, JSON.stringify(copied)].join('\n')}\n`);
    const { asked } = JSON.parse(read(good.agentId, 'session.json'));
    const file = JSON.parse(read(other.agentId, 'session.json'));
    writeFileSync(fileOf(other.agentId, 'session.json'), JSON.stringify({ ...file, asked: [...file.asked, ...asked] }));
    await start();
    const found = await agents();
    expect(found.find(({ agentId }) => agentId === other.agentId)?.questions).toEqual([]);
    await goOn(other.agentId);
    await until(questions, ({ length }) => length === 1);
    await answer(good.questions[0]!);
    await chat.idle('c');
    expect([timesRun('good'), timesRun('other')]).toEqual([1, 0]);
  });

  it.each([
    ['another command', (text: string) => text.replaceAll('other.txt', 'evil.txt')],
    [
      'another command, and a yes',
      (text: string) =>
        text
          .replaceAll('other.txt', 'evil.txt')
          .replaceAll('"approval-requested"', '"approval-responded"')
          .replaceAll('"approval":{', '"approval":{"approved":true,'),
    ],
  ])('that was changed to %s runs nothing', async (_, change) => {
    const [, other] = await twoThatWait();
    writeFileSync(fileOf(other.agentId, 'messages.jsonl'), change(read(other.agentId, 'messages.jsonl')));
    await start();
    expect((await answer(other.questions[0]!)).status).toBe(409);
    await goOn(other.agentId);
    const left = await until(questions, ({ length }) => length === 1);
    await answer(left[0]!);
    await chat.idle('c');
    expect([timesRun('other'), timesRun('evil')]).toEqual([0, 0]);
  });

  it('that was made up is not known', async () => {
    const [, other] = await twoThatWait();
    await start();
    expect((await answer({ ...other.questions[0]!, toolCallId: 'call_made_up' })).status).toBe(404);
    expect((await chat.api('POST', `/api/sessions/c/approvals/${'x'.repeat(400)}`, { approved: true })).status).toBe(
      404,
    );
  });
});
