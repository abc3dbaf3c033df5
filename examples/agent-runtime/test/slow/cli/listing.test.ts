import { describe, expect, it } from 'vitest';
import { newFolder, runAgent } from '../../support/run-agent.js';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

async function json(args: readonly string[], cwd: string) {
  const { code, stdout } = await runAgent([...args, '--json'], { cwd });
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

describe('agent sessions', () => {
  it('is empty in a new folder', async () => {
    expect(await json(['sessions'], newFolder())).toEqual({ items: [], total: 0 });
  });

  it('lists the newest activity first, a page at a time', async () => {
    const cwd = newFolder();
    for (const text of ['one', 'two', 'three']) await runAgent(['send', text], { cwd });
    const all = await json(['sessions'], cwd);
    expect(all.total).toBe(3);
    expect(all.items.map(({ summary }: { summary: string }) => summary)).toEqual(['three', 'two', 'one']);
    expect(all.items[0]).toEqual({
      id: expect.stringMatching(UUID),
      summary: 'three',
      state: 'idle',
      model: 'stand-in',
      createdAt: expect.stringMatching(ISO),
      lastActivity: expect.stringMatching(ISO),
      messageCount: 2,
    });
    const page = await json(['sessions', '--limit', '1', '--offset', '1'], cwd);
    expect(page).toEqual({ items: [all.items[1]], total: 3 });
    await runAgent(['send', 'more', '--session', all.items[2].id], { cwd });
    expect((await json(['sessions', '--limit', '1'], cwd)).items[0].summary).toBe('one');
  });

  it('prints a line each for people, without what a terminal would take for a command', async () => {
    const cwd = newFolder();
    await runAgent(['send', 'Hi \u001b]0;owned\u0007 there'], { cwd });
    const { stdout } = await runAgent(['sessions'], { cwd });
    expect(stdout).toMatch(/^[\da-f]{8} {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}idle +2 {2}Hi .*there\n$/);
    expect(stdout).not.toMatch(/(?!\n)\p{Cc}/u);
  });
});

describe('agent show', () => {
  it('prints what was said and done', async () => {
    const cwd = newFolder();
    await runAgent(['send', 'Hello'], { cwd });
    const [{ id }] = (await json(['sessions'], cwd)).items;
    const shown = await json(['show', id.slice(0, 6)], cwd);
    expect(shown.session).toMatchObject({ id, state: 'idle', summary: 'Hello', messageCount: 2 });
    expect(shown.messages).toEqual([
      { seq: expect.any(Number), turn: 1, type: 'user', content: 'Hello' },
      { seq: expect.any(Number), turn: 1, type: 'agent', content: expect.stringContaining('you said "Hello"') },
    ]);
    const { stdout } = await runAgent(['show', id], { cwd });
    expect(stdout).toMatch(/user +Hello\n.*agent +Scripted demo/);
  });
});

describe('agent delete', () => {
  it('deletes a session and what was said in it', async () => {
    const cwd = newFolder();
    await runAgent(['send', 'Hello'], { cwd });
    const [{ id }] = (await json(['sessions'], cwd)).items;
    expect((await runAgent(['delete', id.slice(0, 4)], { cwd })).code).toBe(0);
    expect((await json(['sessions'], cwd)).total).toBe(0);
    expect((await runAgent(['delete', id], { cwd })).code).toBe(3);
  });
});

describe('agent usage', () => {
  it('counts the tokens of a session, and of all', async () => {
    const cwd = newFolder();
    for (const text of ['one', 'two']) await runAgent(['send', text], { cwd });
    const [{ id }] = (await json(['sessions'], cwd)).items;
    const one = await json(['usage', id], cwd);
    expect(Object.keys(one)).toEqual(['used', 'breakdown']);
    expect(Object.keys(one.breakdown)).toEqual(['input', 'output', 'cacheRead', 'cacheCreation', 'reasoning']);
    expect(one.used).toBe(one.breakdown.input + one.breakdown.output);
    expect(one.used).toBeGreaterThan(0);
    const all = await json(['usage'], cwd);
    expect(all.used).toBeGreaterThan(one.used);
    expect((await runAgent(['usage'], { cwd })).stdout).toMatch(/^\d+ tokens\n {2}input +\d+\n/);
  });

  it('is nothing where nothing was said', async () => {
    expect(await json(['usage'], newFolder())).toMatchObject({ used: 0 });
  });
});
