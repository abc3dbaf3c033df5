import { existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChatPart } from '../../../src/types.js';
import { approvalsIn, type Chunk, until } from '../../support/chat-client.js';
import { type ScriptedModel, startScriptedModel, textOfItem } from '../../support/scripted-model.js';
import { type ChatProcess, dataOf, newFolder, startChat } from '../../support/start-chat.js';

const workspace = newFolder();
const inWorkspace = (name: string): string => join(workspace, name);
const put = (name: string, content: string | Uint8Array): void => writeFileSync(inWorkspace(name), content);
const read = (name: string): string => readFileSync(inWorkspace(name), 'utf8');
const write = (path: string, content: string): string => `call writeFile ${JSON.stringify({ path, content })}`;
const hand = (task: string): string => `call subAgent ${JSON.stringify({ agent: 'default', task })}`;
const yes = (id = '') => ({ id, approved: true });

let model: ScriptedModel;
let chat: ChatProcess;
beforeAll(async () => {
  model = await startScriptedModel();
  chat = await startChat({ baseURL: model.baseURL, workspace });
});
afterAll(async () => {
  await model.close();
});

interface Shown {
  readonly files: readonly { readonly path: string; readonly fate: string; readonly note?: string }[];
  readonly hunks?: readonly (readonly { readonly kind: string; readonly text: string }[])[];
}

const descriptorIn = (chunks: readonly Chunk[]): { readonly change: Shown; readonly class: string } =>
  chunks.find(({ type }) => type === 'tool-approval-request')?.['approvalDescriptor'] as never;
const lines = ({ hunks = [] }: Shown): string[] => hunks.flat().map(({ kind, text }) => `${kind} ${text}`);

async function ask(session: string, text: string): Promise<{ id: string; change: Shown; class: string }> {
  const { chunks } = await chat.send(session, text);
  return { ...descriptorIn(chunks), id: approvalsIn(chunks)[0] ?? '' };
}

/** What became of the last call, as it is stored. */
async function outputOf(session: string): Promise<Record<string, unknown>> {
  const { messages } = await chat.session(session);
  const part = messages
    .at(-1)
    ?.parts.findLast((one): one is Extract<ChatPart, { toolCallId: string }> => 'toolCallId' in one);
  return (part?.state === 'output-available' ? part.output : {}) as Record<string, unknown>;
}

function lastOutput(): string {
  return textOfItem(model.requests.at(-1)?.input.findLast(({ type }) => type === 'function_call_output')?.['output']);
}

describe('a question about a file that exists', () => {
  it('has the lines that go and those that come, and a yes writes them', async () => {
    put('shown.md', 'one\ntwo\nthree\n');
    const { id, change } = await ask('shown', write('shown.md', 'one\n2\nthree\n'));
    expect(change.files).toEqual([{ path: 'shown.md', fate: 'changed', hunks: 1 }]);
    expect(lines(change)).toEqual(['same one', 'removed two', 'added 2', 'same three']);
    await chat.answer('shown', yes(id));
    expect(read('shown.md')).toBe('one\n2\nthree\n');
  });

  it('shows ends of lines, a byte order mark and the missing end of the last line as what they are', async () => {
    put('ends.md', '\uFEFFone\r\ntwo\r\n');
    const { change } = await ask('ends', write('ends.md', 'one\ntwo'));
    expect(lines(change)).toEqual(['removed \uFEFFone\r', 'removed two\r', 'added one', 'added two']);
  });

  it.each([
    ['is no text', new Uint8Array([0xff, 0xfe, 0, 1]), /has 4 bytes.*not text/],
    ['is too long to compare', 'x\n'.repeat(300_000), /has 600,000 bytes.*too long/],
    ['has more lines than a page can show', '\n'.repeat(30_000), /has 30,000 bytes.*too long/],
  ])('that %s says that all of it goes, and is marked as dangerous', async (what, content, note) => {
    const session = `hidden-${what.replaceAll(' ', '-')}`;
    put(`${session}.md`, content);
    const asked = await ask(session, write(`${session}.md`, 'new\n'));
    expect(asked).toMatchObject({
      class: 'danger',
      change: { files: [{ fate: 'changed', note: expect.stringMatching(note) as string }] },
    });
    await chat.answer(session, yes(asked.id));
    expect(read(`${session}.md`)).toBe('new\n');
  });

  it('that a link leads to names the file itself', async () => {
    put('behind.md', 'old\n');
    symlinkSync('behind.md', inWorkspace('link.md'));
    const { change } = await ask('link', write('link.md', 'new\n'));
    expect(change.files[0]?.note).toBe('The path is a link: the file is behind.md.');
    expect(lines(change)).toEqual(['removed old', 'added new']);
  });

  it('and that a chart or a picture would replace says so', async () => {
    put('chart.svg', '<svg/>');
    const spec = { mark: 'bar', data: { values: [] } };
    const { change } = await ask('chart', `call chartRender ${JSON.stringify({ spec, alt: 'a', path: 'chart.svg' })}`);
    expect(change.files[0]).toMatchObject({
      fate: 'changed',
      note: expect.stringContaining('has 6 bytes. All of it is replaced') as string,
    });
    put('pic.png', 'x');
    const picture = await ask('pic', `call imageGenerate ${JSON.stringify({ prompt: 'a', path: 'pic.png' })}`);
    expect(picture.change.files[0]?.note).toContain('has 1 bytes');
  });

  it('of a new file says that it is new', async () => {
    const { change } = await ask('new', write('new.md', 'one\n'));
    expect(change.files).toEqual([{ path: 'new.md', fate: 'added', hunks: 0 }]);
    expect(change).not.toHaveProperty('hunks');
  });

  it('is not asked about a file that is too long to replace, or that is a folder', async () => {
    put('huge.md', Buffer.alloc(50_000_001, 97));
    expect(approvalsIn((await chat.send('huge', write('huge.md', 'x'))).chunks)).toEqual([]);
    expect(lastOutput()).toContain('huge.md has 50000001 bytes, more than the 50000000 that can be replaced here.');
    rmSync(inWorkspace('huge.md'));
  });
});

describe('an approved call writes nothing', () => {
  const OLD = 'one\ntwo\n';
  it.each<[string, string, string | undefined, () => void, RegExp]>([
    [
      'the file has changed',
      'changed',
      'theirs\n',
      () => put('changed.md', 'theirs\n'),
      /it had 8 bytes, and now it has 7/,
    ],
    [
      'the file holds as many other bytes',
      'same',
      'one\nTWO\n',
      () => put('same.md', 'one\nTWO\n'),
      /its content has changed/,
    ],
    [
      'the file was deleted',
      'gone',
      undefined,
      () => rmSync(inWorkspace('gone.md')),
      /it had 8 bytes, and now the file is gone/,
    ],
    [
      'another file of the same content took its place through a link',
      'moved',
      OLD,
      () => {
        renameSync(inWorkspace('moved.md'), inWorkspace('elsewhere.md'));
        symlinkSync('elsewhere.md', inWorkspace('moved.md'));
      },
      /its path leads to another file/,
    ],
  ])('if %s since it was shown: the model and the page read why', async (_what, name, after, meddle, why) => {
    put(`${name}.md`, OLD);
    const { id } = await ask(`not-${name}`, write(`${name}.md`, 'mine\n'));
    meddle();
    await chat.answer(`not-${name}`, yes(id));
    expect(existsSync(inWorkspace(`${name}.md`)) ? read(`${name}.md`) : undefined).toBe(after);
    expect(lastOutput()).toMatch(why);
    expect(lastOutput()).toContain(`${name}.md is not as the person was shown it: `);
    expect(lastOutput()).toContain(
      'Nothing was written. Read the file, and call the tool again: the person will be asked again.',
    );
    expect(await outputOf(`not-${name}`)).toMatchObject({ ok: false, isOutdated: true });
  });

  it('if a file has appeared where there was none', async () => {
    const { id } = await ask('appeared', write('appeared.md', 'mine\n'));
    put('appeared.md', 'theirs\n');
    await chat.answer('appeared', yes(id));
    expect(read('appeared.md')).toBe('theirs\n');
    expect(lastOutput()).toContain('there was no file, and now there is one of 7 bytes');
  });

  it('by the second of two calls that were shown the same file', async () => {
    put('twice.md', 'old\n');
    const { chunks } = await chat.send(
      'twice',
      [write('twice.md', 'first\n'), write('twice.md', 'second\n')].join('\n'),
    );
    await chat.answer('twice', ...approvalsIn(chunks).map(yes));
    expect(read('twice.md')).toMatch(/^(first|second)\n$/);
    const { messages } = await chat.session('twice');
    const outputs = messages.at(-1)?.parts.flatMap((part) => ('output' in part ? [part.output] : []));
    expect(outputs).toEqual(
      expect.arrayContaining([expect.objectContaining({ ok: true }), expect.objectContaining({ isOutdated: true })]),
    );
  });

  it('if what was shown was changed in the store', async () => {
    put('forged.md', 'one\n');
    const { id } = await ask('forged', write('forged.md', 'two\n'));
    await chat.end('SIGKILL');
    const path = join(dataOf(workspace, 'sessions', 'forged'), 'messages.jsonl');
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('"text":"one"', '"text":"own"'));
    chat = await startChat({ baseURL: model.baseURL, workspace });
    await chat.answer('forged', yes(id));
    expect(read('forged.md')).toBe('one\n');
    expect(lastOutput()).toContain(
      'forged.md: the question did not show what changes. Nothing was written: call the tool again.',
    );
  });
});

describe('after kill -9 the question', () => {
  it('has its change still, and a yes writes it, or nothing if the file has changed meanwhile', async () => {
    put('kept.md', 'one\n');
    put('lost.md', 'one\n');
    const kept = await ask('kept', write('kept.md', 'two\n'));
    const lost = await ask('lost', write('lost.md', 'two\n'));
    await chat.end('SIGKILL');
    put('lost.md', 'three\n');
    chat = await startChat({ baseURL: model.baseURL, workspace });
    const stored = (await chat.session('kept')).messages.at(-1)?.parts.at(-1);
    expect(stored).toMatchObject({ approval: { descriptor: { change: kept.change } } });
    await chat.answer('kept', yes(kept.id));
    await chat.answer('lost', yes(lost.id));
    expect([read('kept.md'), read('lost.md')]).toEqual(['two\n', 'three\n']);
  });

  it.each([
    ['writes what it showed', 'agent-kept.md', undefined, 'two\n'],
    ['writes nothing over what has changed meanwhile', 'agent-lost.md', 'three\n', 'three\n'],
  ])('of a sub-agent %s', async (_what, name, meanwhile, after) => {
    const session = name.replace('.md', '');
    put(name, 'one\n');
    const done = chat.send(session, hand(write(name, 'two\n'))).catch(() => undefined);
    // The chat itself may not be there yet.
    const question = () => chat.api<readonly Asking[]>('GET', `/api/sessions/${session}/agents`);
    const asks = (asked: { json: readonly Asking[] }): boolean => (asked.json[0]?.questions.length ?? 0) > 0;
    const { json } = await until(question, asks);
    expect(lines(json[0]?.questions[0]?.descriptor.change as Shown)).toEqual(['removed one', 'added two']);
    await chat.end('SIGKILL');
    await done;
    if (meanwhile !== undefined) put(name, meanwhile);
    chat = await startChat({ baseURL: model.baseURL, workspace });
    const [agent] = (await until(question, asks)).json;
    const id = agent?.questions[0]?.toolCallId ?? '';
    await chat.api('POST', `/api/sessions/${session}/approvals/${id}`, { approved: true });
    await chat.idle(session);
    await until(
      () => chat.api<readonly Asking[]>('GET', `/api/sessions/${session}/agents`),
      (found) => found.json[0]?.state === 'done',
    );
    expect(read(name)).toBe(after);
  });
});

describe('"Always in this chat"', () => {
  it('lets later calls write over files that changed, without a question', async () => {
    put('always.md', 'one\n');
    const { id } = await ask('always', write('always.md', 'two\n'));
    await chat.answer('always', { ...yes(id), always: true });
    expect(read('always.md')).toBe('two\n');
    put('always.md', 'three\n');
    expect(approvalsIn((await chat.send('always', write('always.md', 'four\n'))).chunks)).toEqual([]);
    expect(read('always.md')).toBe('four\n');
  });
});

interface Asking {
  readonly state: string;
  readonly questions: readonly { readonly toolCallId: string; readonly descriptor: { readonly change: Shown } }[];
}
