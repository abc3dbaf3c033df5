import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approvalsIn, textOf, typesOf, until } from '../../support/chat-client.js';
import { countingServer } from '../../support/counting-server.js';
import { type ScriptedModel, startScriptedModel, textOfItem } from '../../support/scripted-model.js';
import { type ChatProcess, newFolder, startChat } from '../../support/start-chat.js';

let model: ScriptedModel;
let chat: ChatProcess;
const folder = newFolder();
const mcp = countingServer(folder);
const workspace = newFolder();

beforeAll(async () => {
  writeFileSync(join(workspace, 'append.mjs'), APPEND);
  model = await startScriptedModel();
  chat = await startChat({ baseURL: model.baseURL, args: mcp.args, workspace });
});
afterAll(async () => {
  await model.close();
});

const APPEND = "import { appendFileSync } from 'node:fs';\nappendFileSync(process.argv[2], 'ran\\n');\n";
const append = (file: string): string => `call shellCommand ${JSON.stringify({ command: `node append.mjs ${file}` })}`;
const count = (what: string): string => `call count {"what":"${what}"}`;
const ran = (file: string): number => {
  const path = join(workspace, file);
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').length : 0;
};
const counted = (what: string): number => mcp.did().filter((line) => line === `count ${what}`).length;
const yes = (id: string | undefined): { id: string; approved: boolean } => ({ id: id ?? '', approved: true });

describe.each([
  ['of the app', append, ran],
  ['of an MCP server', count, counted],
])('a tool %s that asks', (kind, call, runs) => {
  const session = (name: string): string => `${kind.includes('MCP') ? 'mcp' : 'app'}-${name}`;

  it('waits in the store, runs once when it is approved, and goes on in the same assistant message', async () => {
    const id = session('yes');
    const asked = await chat.send(id, call(id));
    const [approvalId] = approvalsIn(asked.chunks);
    expect(asked.chunks.at(-1)).toMatchObject({ type: 'finish' });
    expect(runs(id)).toBe(0);
    expect(await chat.session(id)).toMatchObject({ pendingApprovals: 1, running: false });
    const answered = await chat.answer(id, yes(approvalId));
    expect(answered.chunks[0]).toEqual(asked.chunks[0]);
    expect(typesOf(answered.chunks)).toContain('tool-output-available');
    expect(textOf(answered.chunks)).toMatch(/^Done: /);
    expect(runs(id)).toBe(1);
    const { messages, pendingApprovals } = await chat.session(id);
    expect(pendingApprovals).toBe(0);
    expect(messages).toHaveLength(2);
    expect(messages[1]?.parts.map((part) => ('state' in part ? part.state : ''))).toEqual(['output-available', 'done']);
    expect(messages[1]?.metadata.usage).toMatchObject({ input: 20, output: 10, rounds: 2 });
    expect(model.problems).toEqual([]);
  });

  it('does not run when it is denied, and the model reads why', async () => {
    const id = session('no');
    const [approvalId = ''] = approvalsIn((await chat.send(id, call(id))).chunks);
    const { chunks } = await chat.answer(id, { id: approvalId, approved: false, reason: 'Ducks live there.' });
    expect(chunks.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
    expect(runs(id)).toBe(0);
    const output = model.requests.at(-1)?.input.find(({ type }) => type === 'function_call_output');
    expect(textOfItem(output?.['output'])).toContain('Ducks live there.');
    for (const format of ['markdown', 'json']) {
      const exported = await chat.fetch('GET', `/api/sessions/${id}/export?format=${format}`);
      expect(await exported.text(), format).toContain('Ducks live there.');
    }
    expect(model.problems).toEqual([]);
  });

  it('is not asked about again in this chat once it is approved always, but in another one', async () => {
    const id = session('always');
    const [approvalId = ''] = approvalsIn((await chat.send(id, call(id))).chunks);
    await chat.answer(id, { id: approvalId, approved: true, always: true });
    expect(runs(id)).toBe(1);
    expect((await chat.session(id)).grants).toHaveLength(1);
    const again = await chat.send(id, call(id));
    expect(approvalsIn(again.chunks)).toEqual([]);
    expect(runs(id)).toBe(2);
    const other = await chat.send(`${id}-other`, call(`${id}-other`));
    expect(approvalsIn(other.chunks)).toHaveLength(1);
  });

  it('gives no grant for a no, whatever else the answer says', async () => {
    const id = session('never');
    const [approvalId = ''] = approvalsIn((await chat.send(id, call(id))).chunks);
    await chat.answer(id, { id: approvalId, approved: false, always: true });
    expect((await chat.session(id)).grants).toEqual([]);
  });

  it('runs once, whoever answers twice: one after the other, or at the same time', async () => {
    const id = session('twice');
    const [approvalId] = approvalsIn((await chat.send(id, call(id))).chunks);
    const answers = await Promise.all([1, 2, 3].map(() => chat.answer(id, yes(approvalId))));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    const late = await chat.answer(id, { id: approvalId ?? '', approved: false });
    expect(late).toMatchObject({ status: 409, json: { error: { code: 'already_answered' } } });
    await chat.idle(id);
    expect(runs(id)).toBe(1);
  });

  it('takes one of two different answers that come at the same time, and does what that one wants', async () => {
    const id = session('apart');
    const [approvalId = ''] = approvalsIn((await chat.send(id, call(id))).chunks);
    const [no, agreed] = await Promise.all([
      chat.answer(id, { id: approvalId, approved: false }),
      chat.answer(id, yes(approvalId)),
    ]);
    expect([no.status, agreed.status].toSorted((one, other) => one - other)).toEqual([200, 409]);
    await chat.idle(id);
    expect(runs(id)).toBe(agreed.status === 200 ? 1 : 0);
    expect(model.problems).toEqual([]);
  });

  it('counts as denied once the person writes something else, and runs by no later yes', async () => {
    const id = session('else');
    const [approvalId] = approvalsIn((await chat.send(id, call(id))).chunks);
    await chat.send(id, 'never mind');
    expect(model.problems).toEqual([]);
    expect((await chat.session(id)).pendingApprovals).toBe(0);
    const late = await chat.answer(id, yes(approvalId));
    expect(late).toMatchObject({ status: 409, json: { error: { code: 'already_answered' } } });
    expect(runs(id)).toBe(0);
  });

  it('can be answered after a restart of the server', async () => {
    const id = session('restart');
    const [approvalId] = approvalsIn((await chat.send(id, call(id))).chunks);
    expect(await chat.end()).toMatchObject({ code: 0 });
    chat = await startChat({ baseURL: model.baseURL, args: mcp.args, workspace });
    expect((await chat.session(id)).pendingApprovals).toBe(1);
    const { chunks } = await chat.answer(id, yes(approvalId));
    expect(textOf(chunks)).toMatch(/^Done: /);
    expect(runs(id)).toBe(1);
  });
});

describe('several calls in one step', () => {
  it('of both kinds wait for all answers; the last one starts the turn', async () => {
    const text = [append('both'), count('both'), 'call timeNow {}', append('both2')].join('\n');
    const asked = await chat.send('both', text);
    const ids =
      (await chat.session('both')).messages
        .at(-1)
        ?.parts.flatMap((part) => ('approval' in part && part.approval ? [part.approval.id] : [])) ?? [];
    expect(new Set(approvalsIn(asked.chunks))).toEqual(new Set(ids));
    expect(ids).toHaveLength(3);
    const [first, second, third] = ids;
    expect(await chat.answer('both', yes(first))).toMatchObject({ status: 202, json: { waiting: 2 } });
    expect((await chat.answer('both', yes(first))).status).toBe(409);
    const requests = model.requests.length;
    expect(await chat.answer('both', { id: third ?? '', approved: false })).toMatchObject({
      status: 202,
      json: { waiting: 1 },
    });
    expect(model.requests).toHaveLength(requests);
    expect([ran('both'), counted('both'), ran('both2')]).toEqual([0, 0, 0]);
    const last = await chat.answer('both', yes(second));
    expect(textOf(last.chunks)).toMatch(/^Done: /);
    const runs = [ran('both'), counted('both'), ran('both2')];
    expect(runs.toSorted((a, b) => a - b)).toEqual([0, 1, 1]);
    expect(model.problems).toEqual([]);
    const { messages } = await chat.session('both');
    expect(messages).toHaveLength(2);
    const calls = messages[1]?.parts.flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : [])) ?? [];
    expect(new Set(calls).size).toBe(calls.length);
  });

  it('can be answered together', async () => {
    const asked = await chat.send('together', [append('together'), count('together')].join('\n'));
    const { chunks } = await chat.answer('together', ...approvalsIn(asked.chunks).map(yes));
    expect(textOf(chunks)).toMatch(/^Done: /);
    expect([ran('together'), counted('together')]).toEqual([1, 1]);
  });
});

describe('an answer', () => {
  it.each([
    ['to a request that was never made', 404, 'no_such_approval', 'mine', [{ id: 'made-up', approved: true }]],
    ['of another chat', 404, 'no_such_approval', 'other', undefined],
    ['in a chat that is not there', 404, 'no_such_session', 'nowhere', undefined],
    [
      'given twice in one request',
      422,
      'bad_request',
      'mine',
      [
        { id: 'x', approved: true },
        { id: 'x', approved: false },
      ],
    ],
  ])('%s is refused', async (_what, status, code, session, given) => {
    if ((await chat.fetch('GET', '/api/sessions/mine')).status === 404) {
      await chat.send('mine', append('mine'));
      await chat.send('other', 'hello');
    }
    const open =
      (await chat.session('mine')).messages
        .at(-1)
        ?.parts.flatMap((part) => ('approval' in part && part.approval ? [part.approval.id] : [])) ?? [];
    const approvals = given ?? open.map(yes);
    const answer = await chat.post({ id: session, trigger: 'approval-response', approvals });
    expect(answer).toMatchObject({ status, json: { error: { code } } });
    expect(ran('mine')).toBe(0);
    expect((await chat.session('mine')).pendingApprovals).toBe(1);
  });

  it('to a request of a grown conversation on another branch makes that branch the current one', async () => {
    const asked = await chat.send('branch', append('branch'));
    const { messages } = await chat.session('branch');
    await chat.post(chat.message('branch', 'edited', { parentMessageId: null }));
    await chat.answer('branch', yes(approvalsIn(asked.chunks)[0]));
    const after = await chat.session('branch');
    expect(after.messages.map(({ id }) => id)).toEqual(messages.map(({ id }) => id));
    expect(ran('branch')).toBe(1);
  });
});

describe('a sub-agent that asks', () => {
  it('waits for an answer while its stream runs, and refuses the second one', async () => {
    const task = 'call writeFile {"path":"by-agent.txt","content":"x"}';
    const body = chat.message('sub', `call subAgent ${JSON.stringify({ agent: 'document', task })}`);
    const turn = chat.post(body);
    const stream = await until(
      async () => readSome(await chat.fetch('GET', '/api/chat/sub/stream')),
      (text) => text.includes('data-sub-agent-approval'),
    );
    const [, toolCallId = ''] = /data-sub-agent-approval.*?"toolCallId":"([^"]+)"/.exec(stream) ?? [];
    const path = `/api/sessions/sub/approvals/${toolCallId}`;
    expect((await chat.api('GET', '/api/sessions/sub/agents')).json).toMatchObject([
      { agentType: 'document', state: 'waiting' },
    ]);
    expect(await chat.api('POST', path, { approved: true })).toEqual({ status: 200, json: { result: 'resolved' } });
    expect((await chat.api('POST', path, { approved: true })).status).toBe(409);
    const { chunks } = await turn;
    expect(typesOf(chunks)).toEqual(expect.arrayContaining(['data-sub-agent-start', 'data-sub-agent-end']));
    expect(readFileSync(join(workspace, 'by-agent.txt'), 'utf8')).toBe('x');
    const agents = await chat.api<{ agentId: string; state: string }[]>('GET', '/api/sessions/sub/agents');
    expect(agents.json).toMatchObject([{ state: 'done' }]);
    const said = await chat.api<{ role: string }[]>(
      'GET',
      `/api/sessions/sub/agents/${agents.json[0]?.agentId}/messages`,
    );
    expect(said.json.length).toBeGreaterThan(0);
    expect((await chat.fetch('GET', '/api/sessions/sub/agents/none/messages')).status).toBe(404);
  });
});

/** What a stream says within a moment. */
async function readSome(response: Response): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const end = Date.now() + 300;
  let text = '';
  while (Date.now() < end) {
    const late = new Promise<undefined>((resolve) => setTimeout(resolve, 100, undefined));
    const next = await Promise.race([reader.read(), late]);
    if (next?.done === true) break;
    text += next?.value ?? '';
  }
  await reader.cancel();
  return text;
}
