import { describe, expect, it } from 'vitest';
import { errorNote } from '../../src/chat/error-note.js';
import { toModelMessages } from '../../src/chat/message-chain.js';
import type { StoredMessage } from '../../src/types.js';
import { call, mcpCall, message } from '../support/messages.js';

const chain = (path: readonly StoredMessage[], resumedId?: string) =>
  toModelMessages(path, { tools: {}, resumedId, skillText: (name) => `Do as ${name} says.` });
const assistant = (id: string, ...parts: StoredMessage['parts']): StoredMessage =>
  message(id, { role: 'assistant', parts });
const roles = (messages: readonly { role: string }[]): string[] => messages.map(({ role }) => role);
const output = (value: string): Record<string, unknown> => ({ state: 'output-available', output: value });
const asked = { state: 'approval-requested', approval: { id: 'ap1' } };
const approved = { state: 'approval-responded', approval: { id: 'ap1', approved: true } };
const denied = { state: 'approval-responded', approval: { id: 'ap1', approved: false, reason: 'no ducks' } };

describe('what the model reads of a chain', () => {
  it.each([
    ['of the app', call],
    ['of an MCP server', mcpCall],
  ])('says "interrupted" of a call %s without an output', async (_kind, make) => {
    for (const fields of [{}, approved]) {
      const text = JSON.stringify(await chain([message('u1'), assistant('a1', make('c1', fields)), message('u2')]));
      expect(text).toContain('interrupted');
    }
  });

  it('takes a reply beside an open request for a no, and a no without a run as what it is', async () => {
    const open = JSON.stringify(await chain([message('u1'), assistant('a1', call('c1', asked)), message('u2')]));
    expect(open).toContain('"approved":false');
    expect(open).toContain('wrote something else');
    const no = JSON.stringify(await chain([message('u1'), assistant('a1', call('c1', denied)), message('u2')]));
    expect(no).toContain('no ducks');
  });

  it('has the answers of the message that goes on as they are, and calls in it that were cut off as interrupted', async () => {
    const messages = await chain([message('u1'), assistant('a1', call('c0'), call('c1', approved))], 'a1');
    expect(roles(messages)).toEqual(['user', 'assistant', 'tool']);
    const text = JSON.stringify(messages);
    expect(text).toContain('"approved":true');
    expect(text.match(/interrupted/g)).toHaveLength(1);
  });

  it('has what the person said in the middle of an answer there, and once, though our provider carries it too', async () => {
    const carrier = {
      v: 2,
      round: 'r',
      entries: [
        { at: 0, user: 'Only ducks.' },
        { at: 1, callId: 'c2' },
      ],
      asked: ['c3'],
    };
    const metadata = { other: { kept: true }, 'responses-loop': { itemId: 'i', carrier } };
    const answer = assistant(
      'a1',
      mcpCall('c1', output('one')),
      { type: 'data-steered', data: { id: 'u9', text: 'Only ducks.' } },
      { type: 'text', text: 'Ducks.', providerMetadata: metadata },
    );
    const messages = await chain([message('u1'), answer, message('u2')]);
    expect(roles(messages)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
    expect(messages[2]?.content).toEqual([{ type: 'text', text: 'Only ducks.' }]);
    const text = JSON.stringify(messages);
    expect(text.match(/Only ducks/g)).toHaveLength(1);
    for (const kept of ['"kept":true', '"itemId":"i"', '{"at":1,"callId":"c2"}', '"asked":["c3"]'])
      expect(text).toContain(kept);
    expect(carrier.entries).toHaveLength(2);
  });

  it('puts what a tool of the app answered before what was said next, though steps are not stored', async () => {
    const done = assistant('a1', call('c1', output('one')), { type: 'text', text: 'then' }, call('c2', output('two')), {
      type: 'text',
      text: 'end',
    });
    expect(roles(await chain([message('u1'), done]))).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
      'assistant',
    ]);
  });

  it('leaves out why a turn failed, and a message that has nothing else', async () => {
    const failed = assistant('a1', errorNote('The server was down.'));
    expect(roles(await chain([message('u1'), failed, message('u2')]))).toEqual(['user', 'user']);
  });

  it('begins at the last summary', async () => {
    const summary = message('s', {
      role: 'assistant',
      messageKind: 'compact_summary',
      parts: [{ type: 'text', text: 'Ducks.' }],
    });
    const messages = await chain([
      message('u1'),
      assistant('a1', { type: 'text', text: 'old' }),
      summary,
      message('u2'),
    ]);
    expect(roles(messages)).toEqual(['user', 'user']);
    expect(JSON.stringify(messages)).toMatch(/Summary[^]*Ducks\.[^]*I am u2/);
  });

  it('says what a skill says in its place, and the text of a text file', async () => {
    const parts: StoredMessage['parts'] = [
      { type: 'data-skill', data: { name: 'greet' } },
      { type: 'text', text: 'now' },
      {
        type: 'file',
        mediaType: 'text/csv',
        filename: 'a.csv',
        url: `data:text/csv;base64,${Buffer.from('ä;b').toString('base64')}`,
      },
    ];
    const [first] = await chain([message('u1', { parts })]);
    expect(first?.content).toEqual([
      { type: 'text', text: 'Do as greet says.' },
      { type: 'text', text: 'now' },
      { type: 'text', text: '[file a.csv]\nä;b' },
    ]);
  });
});
