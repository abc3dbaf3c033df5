import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approvalsIn, type Chunk, readAnswer, textOf, typesOf, until } from '../../support/chat-client.js';
import { countingServer } from '../../support/counting-server.js';
import { MCP_SERVERS, mcpConfig } from '../../support/mcp-servers.js';
import { type ScriptedModel, startScriptedModel, textOfItem } from '../../support/scripted-model.js';
import { type ChatProcess, newFolder, startChat } from '../../support/start-chat.js';

let model: ScriptedModel;

beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(async () => {
  await model.close();
  expect(model.problems).toEqual([]);
});

type Way = 'model' | 'sdk';

const start = (way: Way, workspace: string, args: readonly string[]): Promise<ChatProcess> =>
  startChat({ baseURL: model.baseURL, workspace, args: [...args, '--run-tools', way] });
const yes = (id: string | undefined, more: object = {}) => ({ id: id ?? '', approved: true, ...more });
const callOf = (chunks: readonly Chunk[]): Chunk | undefined =>
  chunks.find(({ type }) => type === 'tool-input-available');

describe.each<Way>(['model', 'sdk'])('a tool of an MCP server that is run by: %s', (way) => {
  const folder = newFolder();
  const workspace = newFolder();
  const mcp = countingServer(folder);
  const counted = (what: string): number => mcp.did().filter((line) => line === `count ${what}`).length;
  let chat: ChatProcess;

  beforeAll(async () => {
    chat = await start(way, workspace, mcp.args);
  });
  afterAll(() => chat.end());

  it('answers unasked if its server is trusted and it only reads', async () => {
    const { chunks } = await chat.send('look', 'call look {}');
    expect(textOf(chunks)).toBe('Done: looked');
    expect(approvalsIn(chunks)).toEqual([]);
    expect(callOf(chunks)).toMatchObject({ dynamic: true });
    expect(callOf(chunks)?.['providerExecuted'] ?? false).toBe(way === 'model');
    // Inside the model the rounds are one step.
    expect(typesOf(chunks).filter((type) => type === 'start-step')).toHaveLength(way === 'model' ? 1 : 2);
    expect(textOf((await chat.send('look', 'and now?')).chunks)).toBe('You said: and now?');
  });

  it('runs once after a yes, in the same message, and not after a no, which the model reads', async () => {
    const asked = await chat.send('ask', 'call count {"what":"ask"}');
    expect(asked.chunks.find(({ type }) => type === 'tool-approval-request')?.['approvalDescriptor']).toMatchObject({
      rule: 'mcp: counting/count',
      always: true,
    });
    expect(counted('ask')).toBe(0);
    const { chunks } = await chat.answer('ask', yes(approvalsIn(asked.chunks)[0]));
    expect([textOf(chunks), counted('ask')]).toEqual(['Done: counted ask', 1]);
    expect((await chat.session('ask')).messages).toHaveLength(2);
    const other = await chat.send('ask', 'call count {"what":"no"}');
    const no = { id: approvalsIn(other.chunks)[0] ?? '', approved: false, reason: 'Ducks live there.' };
    expect(textOf((await chat.answer('ask', no)).chunks)).toContain('Ducks live there.');
    expect(counted('no')).toBe(0);
  });

  it('runs after "Always in this chat", and from then on unasked, in that chat alone', async () => {
    const asked = await chat.send('always', 'call count {"what":"always"}');
    const { chunks } = await chat.answer('always', yes(approvalsIn(asked.chunks)[0], { always: true }));
    expect([textOf(chunks), counted('always')]).toEqual(['Done: counted always', 1]);
    expect((await chat.session('always')).grants).toEqual([{ kind: 'mcp', server: 'counting', tool: 'count' }]);
    expect(approvalsIn((await chat.send('always', 'call count {"what":"always"}')).chunks)).toEqual([]);
    expect(counted('always')).toBe(2);
    expect(approvalsIn((await chat.send('other', 'call count {"what":"other"}')).chunks)).toHaveLength(1);
  });

  it('is shown to a page that is loaded while it runs, and ends with Stop', async () => {
    const turn = chat.send('stop', 'call wait {}');
    await until(mcp.did, (did) => did.includes('wait began'));
    const joined = chat.fetch('GET', '/api/chat/stop/stream').then(readAnswer);
    await until(
      () => chat.session('stop'),
      ({ running }) => running,
    );
    expect(await chat.api('POST', '/api/chat/stop/stop', {})).toMatchObject({ json: { stopped: true } });
    expect(typesOf((await turn).chunks)).toContain('abort');
    expect(callOf((await joined).chunks)).toMatchObject({ toolName: 'wait' });
    await until(mcp.did, (did) => did.includes('wait cancelled'));
    await chat.idle('stop');
    expect(textOf((await chat.send('stop', 'still there?')).chunks)).toBe('You said: still there?');
  });

  it('is used by a sub-agent, which waits for the answer on the page', async () => {
    const what = `agent of ${way}`;
    const task = `call count {"what":"${what}"}`;
    const turn = chat.send('agent', `call subAgent ${JSON.stringify({ agent: 'dynamic', task, tools: ['count'] })}`);
    const { json } = await until(
      () => chat.api<readonly { agentId: string; state: string }[]>('GET', '/api/sessions/agent/agents'),
      ({ json: agents }) => agents[0]?.state === 'running',
    );
    expect(json).toHaveLength(1);
    const request = await until(
      () => model.requests.find(({ input }) => textOfItem(input.at(-1)?.['content']) === task),
      (found) => found !== undefined,
    );
    expect(request?.body['tools']).toMatchObject([{ name: 'count' }]);
    const path = `/api/sessions/agent/approvals/call_${request?.index}_0`;
    expect(counted(what)).toBe(0);
    expect((await chat.api('POST', path, { approved: true })).status).toBeLessThan(300);
    expect(textOf((await turn).chunks)).toContain(`counted ${what}`);
    expect(counted(what)).toBe(1);
  });

  it('asks for a sub-agent until Stop, which ends the question', async () => {
    const task = `call count {"what":"stopped agent of ${way}"}`;
    const body = chat.message('asks', `call subAgent ${JSON.stringify({ agent: 'dynamic', task, tools: ['count'] })}`);
    const seen = await chat.leaveWhen(body, (chunks) => typesOf(chunks).includes('data-sub-agent-approval'));
    const question = seen.find(({ type }) => type === 'data-sub-agent-approval');
    const { toolCallId } = (question?.['data'] ?? {}) as { readonly toolCallId?: string };
    expect(toolCallId).toBeDefined();
    await chat.api('POST', '/api/chat/asks/stop', {});
    await chat.idle('asks');
    const path = `/api/sessions/asks/approvals/${toolCallId}`;
    expect((await chat.api('POST', path, { approved: true })).json).not.toMatchObject({ result: 'resolved' });
    expect(counted(`stopped agent of ${way}`)).toBe(0);
  });
});

describe('a tool that is run by the AI SDK', () => {
  it('has its server in front if it is called like a tool of the app, and is gated by that server', async () => {
    const workspace = newFolder();
    const chat = await start('sdk', workspace, mcpConfig(workspace, { odd: { ...MCP_SERVERS.odd, trust: true } }));
    const asked = await chat.send('clash', 'call odd__writeFile {"path":"x"}');
    const { chunks } = await chat.answer('clash', yes(approvalsIn(asked.chunks)[0], { always: true }));
    expect(textOf(chunks)).toContain('odd writeFile ran');
    expect((await chat.session('clash')).grants).toEqual([{ kind: 'mcp', server: 'odd', tool: 'writeFile' }]);
    const own = await chat.send('clash', 'call writeFile {"path":"x","content":"y"}');
    expect(approvalsIn(own.chunks)).toHaveLength(1);
    expect(existsSync(join(workspace, 'x'))).toBe(false);
    expect(textOf((await chat.send('odd', 'call constructor {}')).chunks)).toContain('odd constructor ran');
  });
});

describe('a chat with an open question, whose server is started again with the other way', () => {
  it.each<[Way, Way, number]>([
    ['model', 'sdk', 1],
    // The provider believes no question that it has not asked itself.
    ['sdk', 'model', 0],
  ])('from %s to %s: the call runs %s times after a yes, and the chat goes on', async (from, to, runs) => {
    const workspace = newFolder();
    const mcp = countingServer(newFolder());
    const before = await start(from, workspace, mcp.args);
    await before.send('moved', 'call look {}');
    const asked = await before.send('moved', 'call count {"what":"moved"}');
    await before.end();
    const chat = await start(to, workspace, mcp.args);
    await chat.answer('moved', yes(approvalsIn(asked.chunks)[0]));
    expect(mcp.did().filter((line) => line === 'count moved')).toHaveLength(runs);
    expect(textOf((await chat.send('moved', 'call look {}')).chunks)).toBe('Done: looked');
  });
});
