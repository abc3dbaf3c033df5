import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.js';
import { type ChatProcess, startChat } from '../../support/start-chat.js';

interface Item {
  readonly id: string;
  readonly title: string;
  readonly updatedAt: string;
}

let model: ScriptedModel;
let chat: ChatProcess;

beforeAll(async () => {
  model = await startScriptedModel();
  chat = await startChat({ baseURL: model.baseURL });
  for (const [id, text] of [
    ['first', 'Alfred is a duck'],
    ['second', 'Berta is a goose'],
    ['third', 'Carl is a swan'],
  ] as const)
    await chat.send(id, text);
});
afterAll(() => model.close());

const list = async (query = ''): Promise<string[]> => {
  const { json } = await chat.api<{ items: readonly Item[] }>('GET', `/api/sessions${query}`);
  return json.items.map(({ id }) => id);
};
const search = (q: string) =>
  chat.api<{ items: readonly Item[]; total: number }>('GET', `/api/search?q=${encodeURIComponent(q)}`);

describe('a search', () => {
  it('finds what people and models said', async () => {
    const { status, json } = await search('said: alfred');
    expect(status).toBe(200);
    expect(json).toMatchObject({ total: 1, items: [{ id: 'first', isArchived: false }] });
    expect((await search('duck goose')).json).toEqual({ total: 0, items: [] });
  });

  it.each(['', ' ', 'x'.repeat(201)])('for %j is refused, and the field is named', async (q) => {
    const { status, json } = await search(q);
    expect(status).toBe(422);
    expect(JSON.stringify(json)).toContain('\\"q\\"');
  });
});

describe('a chat', () => {
  it('is first in every list while it is pinned, however old it is, and no newer for it', async () => {
    expect(await list()).toEqual(['third', 'second', 'first']);
    const { updatedAt } = (await chat.api<Item>('GET', '/api/sessions/first')).json;
    const { status, json } = await chat.api<Item>('PATCH', '/api/sessions/first', { isPinned: true });
    expect(status).toBe(200);
    expect(json).toMatchObject({ isPinned: true, updatedAt });
    expect(await list()).toEqual(['first', 'third', 'second']);
    expect(await list('?limit=1')).toEqual(['first', 'third']);
    const third = (await chat.api<Item>('GET', '/api/sessions/third')).json;
    expect(await list(`?before=${third.updatedAt}`)).toEqual(['second']);
    await chat.api('PATCH', '/api/sessions/first', { isPinned: false });
    expect(await list()).toEqual(['third', 'second', 'first']);
  });

  it('is in the list of archived ones and in none else once it is archived, and still found', async () => {
    await chat.api('PATCH', '/api/sessions/second', { isArchived: true });
    expect(await list()).toEqual(['third', 'first']);
    expect(await list('?archived=true')).toEqual(['second']);
    expect((await search('berta')).json).toMatchObject({ items: [{ id: 'second', isArchived: true }] });
    await chat.api('PATCH', '/api/sessions/second', { isArchived: false });
    expect(await list('?archived=true')).toEqual([]);
  });

  it('is exported as Markdown and as JSON, under its name, without what was granted', async () => {
    const markdown = await chat.fetch('GET', '/api/sessions/first/export?format=markdown');
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(markdown.headers.get('content-disposition')).toContain('filename="Alfred is a duck.md"');
    expect(await markdown.text()).toContain('## You\n\nAlfred is a duck\n\n## Assistant\n\nYou said: Alfred is a duck');
    const json = await chat.fetch('GET', '/api/sessions/first/export?format=json');
    const file = (await json.json()) as Record<string, unknown>;
    expect(file).toMatchObject({ version: 1, id: 'first', messages: [{ role: 'user' }, { role: 'assistant' }] });
    expect(Object.keys(file)).not.toContain('grants');
  });

  it('is exported in no other form, and only if it is there', async () => {
    expect((await chat.fetch('GET', '/api/sessions/first/export?format=pdf')).status).toBe(422);
    expect((await chat.fetch('GET', '/api/sessions/first/export')).status).toBe(422);
    expect((await chat.fetch('GET', '/api/sessions/nobody/export?format=json')).status).toBe(404);
  });
});
