import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { McpQuestion } from '../../../src/elicitation/mcp-questions.js';
import { type Answer, type Chunk, textOf, until } from '../../support/chat-client.js';
import { MCP_SERVERS, mcpConfig } from '../../support/mcp-servers.js';
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.js';
import { type ChatProcess, newFolder, startChat } from '../../support/start-chat.js';

let model: ScriptedModel;
let chat: ChatProcess;
const workspace = newFolder();
const ask = (what: string): string => `call ask ${JSON.stringify({ what })}`;

beforeAll(async () => {
  model = await startScriptedModel();
  const config = mcpConfig(workspace, { booking: { ...MCP_SERVERS.asking, trust: true } });
  chat = await startChat({ baseURL: model.baseURL, workspace, args: config });
});
afterAll(async () => {
  await chat.end();
  await model.close();
});

interface Begun {
  readonly id: string;
  readonly turn: Promise<Answer>;
  readonly question: McpQuestion;
}

/** Begins a turn, and waits for its question. */
async function begin(what: string, text = ask(what)): Promise<Begun> {
  const id = `chat-${randomUUID()}`;
  const turn = chat.send(id, text);
  const [question] = await until(
    () => openIn(id),
    (open) => open.length > 0,
  );
  if (question === undefined) throw new Error('Nobody asked.');
  return { id, turn, question };
}

async function openIn(id: string): Promise<readonly McpQuestion[]> {
  const { status, json } = await chat.api<McpQuestion[]>('GET', `/api/sessions/${id}/questions`);
  return status === 200 ? json : [];
}

function answer({ id, question }: Begun, body: object) {
  return chat.api('POST', `/api/sessions/${id}/questions/${question.id}`, body);
}

const itemsIn = (chunks: readonly Chunk[]): readonly (readonly McpQuestion[])[] =>
  chunks.flatMap(({ type, data }) => (type === 'data-questions' ? [(data as { items: McpQuestion[] }).items] : []));

describe('a form of an MCP server', () => {
  it('names the server, comes with the stream, and its answer reaches the server with the defaults', async () => {
    const begun = await begin('booking');
    expect(begun.question).toMatchObject({ server: 'booking', mode: 'form', message: 'Which seats?\nAnswer soon.' });
    const content = { name: 'Ada', meal: 'v', extras: ['t'] };
    expect(await answer(begun, { action: 'accept', content })).toMatchObject({ status: 200 });
    const { chunks } = await begun.turn;
    expect(itemsIn(chunks)).toEqual([[begun.question], []]);
    expect(textOf(chunks)).toContain('"name":"Ada","meal":"v","extras":["t"],"seats":2,"window":true');
    expect(await openIn(begun.id)).toEqual([]);
  });

  it('tells what is wrong, field by field, and stays open', async () => {
    const begun = await begin('booking');
    const content = {
      name: 'A',
      email: 'ada',
      day: 'soon',
      seats: 10,
      window: 'yes',
      meal: 'x',
      extras: ['z'],
      more: 1,
    };
    expect(await answer(begun, { action: 'accept', content })).toMatchObject({
      status: 422,
      json: {
        error: {
          code: 'bad_answer',
          fields: {
            name: 'Expected 2 characters or more.',
            email: 'Expected an email address.',
            day: 'Expected a date, such as 2026-01-31.',
            seats: 'Expected 9 or less.',
            window: 'Expected yes or no.',
            meal: 'Choose one of the options.',
            extras: 'Choose among the options.',
            more: 'The form has no such field.',
          },
        },
      },
    });
    expect(await answer(begun, { action: 'accept' })).toMatchObject({
      json: { error: { fields: { name: 'Required.' } } },
    });
    expect(await openIn(begun.id)).toEqual([begun.question]);
    await answer(begun, { action: 'decline' });
    expect(textOf((await begun.turn).chunks)).toContain('{"action":"decline"}');
  });

  it('is refused where a text does not fit the pattern of its field, and taken where it does', async () => {
    const begun = await begin('booking');
    const content = { name: 'Ada', meal: 'v' };
    expect(await answer(begun, { action: 'accept', content: { ...content, seat: '12G' } })).toMatchObject({
      status: 422,
      json: { error: { fields: { seat: 'Expected a text that fits the pattern ^[0-9]+[A-F]$' } } },
    });
    expect(await openIn(begun.id)).toEqual([begun.question]);
    const taken = await answer(begun, { action: 'accept', content: { ...content, seat: '12F' } });
    expect(taken.status).toBe(200);
    expect(textOf((await begun.turn).chunks)).toContain('"seat":"12F"');
  });

  it('with a pattern that never ends is not answered by a text for it, and the server goes on meanwhile', async () => {
    const begun = await begin('slow');
    const answered = answer(begun, { action: 'accept', content: { word: `${'a'.repeat(60)}!` } });
    const started = Date.now();
    expect((await chat.api('GET', '/api/health')).status).toBe(200);
    expect(Date.now() - started).toBeLessThan(900);
    expect(await answered).toMatchObject({
      status: 422,
      json: { error: { fields: { word: 'The pattern of this field takes too long to check, so nothing was sent.' } } },
    });
    expect((await answer(begun, { action: 'decline' })).status).toBe(200);
    await begun.turn;
  });

  it('is answered once by several answers at the same time', async () => {
    const begun = await begin('booking');
    const content = { name: 'Ada', meal: 'v', seat: '1A' };
    const answers = await Promise.all([1, 2, 3].map(() => answer(begun, { action: 'accept', content })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    await begun.turn;
  });

  it('is answered once, in its own chat', async () => {
    const begun = await begin('booking');
    const other = await begin('booking');
    expect(await answer({ ...begun, id: other.id }, { action: 'cancel' })).toMatchObject({ status: 404 });
    expect(await answer(begun, { action: 'cancel' })).toMatchObject({ status: 200 });
    expect(await answer(begun, { action: 'decline' })).toMatchObject({
      status: 409,
      json: { error: { code: 'already_answered' } },
    });
    expect(textOf((await begun.turn).chunks)).toContain('{"action":"cancel"}');
    expect(await openIn(other.id)).toEqual([other.question]);
    expect(await answer(other, { action: 'accept', content: 'no object' })).toMatchObject({ status: 422 });
    await answer(other, { action: 'decline' });
    await other.turn;
  });

  it('ends with its turn', async () => {
    const begun = await begin('booking');
    await chat.api('POST', `/api/chat/${begun.id}/stop`, {});
    await begun.turn;
    expect(await openIn(begun.id)).toEqual([]);
    expect((await answer(begun, { action: 'decline' })).status).toBe(409);
    expect((await chat.send(begun.id, 'Hello')).isDone).toBe(true);
  });

  it('of a call of a sub-agent is asked in its chat, too', async () => {
    const task = { agent: 'dynamic', tools: ['ask'], task: ask('booking') };
    const begun = await begin('booking', `call subAgent ${JSON.stringify(task)}`);
    await answer(begun, { action: 'decline' });
    expect(textOf((await begun.turn).chunks)).toContain('decline');
  });

  it('is cancelled when its time is over', async () => {
    const hasty = await startChat({
      baseURL: model.baseURL,
      workspace: newFolder(),
      args: ['--approval-timeout', '1', ...mcpConfig(newFolder(), { booking: { ...MCP_SERVERS.asking, trust: true } })],
    });
    expect(textOf((await hasty.send('hasty', ask('booking'))).chunks)).toContain('{"action":"cancel"}');
    await hasty.end();
  });
});

describe('a page that an MCP server wants opened', () => {
  it('is named whole, with its host, and a yes reaches the server', async () => {
    const begun = await begin('page');
    expect(begun.question).toMatchObject({ mode: 'url', url: 'http://127.0.0.1:9/pay?order=1', host: '127.0.0.1:9' });
    await answer(begun, { action: 'accept' });
    expect(textOf((await begun.turn).chunks)).toContain('{"action":"accept"');
  });

  it.each(['script', 'mail'])('is not asked for if a browser should not open it: %s', async (what) => {
    const { chunks } = await chat.send(`chat-${randomUUID()}`, ask(what));
    expect(itemsIn(chunks)).toEqual([]);
    expect(textOf(chunks)).toContain('{"action":"cancel"}');
    expect(chat.stderr).toContain('was cancelled');
  });
});
