import { expect, test } from 'vitest';

import { systemOf, toMessages } from '../../src/driver/to-messages.js';
import { toUserContent } from '../../src/driver/user-content.js';
import type { StoredMessage } from '../../src/index.js';

type Draft = Partial<StoredMessage> & Pick<StoredMessage, 'type'>;

const rows = (...drafts: readonly Draft[]): StoredMessage[] =>
  drafts.map((draft, index) => ({
    id: String(index),
    seq: index + 1,
    turn: 1,
    content: '',
    timestamp: '2026-01-01T00:00:00.000Z',
    ...draft,
  }));

const call = (toolId: string, more: Partial<StoredMessage> = {}): Draft => ({
  type: 'tool',
  isToolUse: true,
  toolId,
  toolName: 'look',
  toolInput: { at: 'pond' },
  ...more,
});
const result = (toolId: string, toolResult: unknown, more: Partial<StoredMessage> = {}): Draft => ({
  type: 'tool',
  isToolUse: false,
  toolId,
  toolName: 'look',
  toolResult,
  ...more,
});

const outputsOf = (messages: ReturnType<typeof toMessages>): unknown[] =>
  messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.flatMap((part) => (part.type === 'tool-result' ? [part.output] : [])),
  );

test('thoughts, texts, calls and results of a turn are one message of the assistant', () => {
  const provider = { 'responses-loop': { itemId: 'rs_1' } };
  const messages = toMessages(
    rows(
      { type: 'user', content: 'Look.' },
      { type: 'agent', content: 'Hm.', metadata: { kind: 'thinking', provider } },
      { type: 'agent', content: 'I look.' },
      call('c1'),
      result('c1', { ducks: 3 }),
      { type: 'agent', content: 'Three.' },
    ),
  );
  expect(messages).toEqual([
    { role: 'user', content: 'Look.' },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm.', providerOptions: provider },
        { type: 'text', text: 'I look.' },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: { at: 'pond' }, providerExecuted: true },
        { type: 'tool-result', toolCallId: 'c1', toolName: 'look', output: { type: 'json', value: { ducks: 3 } } },
        { type: 'text', text: 'Three.' },
      ],
    },
  ]);
});

test('a result is a text, JSON, or an error', () => {
  const messages = toMessages(
    rows(
      call('a'),
      result('a', '3 ducks'),
      call('b'),
      result('b', null, { content: '' }),
      call('c'),
      result('c', new Error('The pond is closed.')),
      call('d'),
      result('d', 'No.', { metadata: { isError: true } }),
    ),
  );
  expect(outputsOf(messages)).toEqual([
    { type: 'text', value: '3 ducks' },
    { type: 'json', value: null },
    { type: 'error-text', value: 'The pond is closed.' },
    { type: 'error-json', value: 'No.' },
  ]);
});

test('a call without a result says that it was interrupted, before the user speaks again', () => {
  const messages = toMessages(
    rows(call('a'), { type: 'user', content: 'Go on.' }, { type: 'agent', content: 'Yes.' }, call('b')),
  );
  expect(outputsOf(messages)).toEqual([
    { type: 'error-text', value: expect.stringContaining('interrupted') },
    { type: 'error-text', value: expect.stringContaining('interrupted') },
  ]);
  expect(messages.map(({ role }) => role)).toEqual(['assistant', 'user', 'assistant']);
});

test('a second result, and one without a call, are left out', () => {
  const messages = toMessages(rows(result('x', 1), call('a'), result('a', 1), result('a', 2)));
  expect(outputsOf(messages)).toEqual([{ type: 'json', value: 1 }]);
});

test('an id that comes again is another call', () => {
  const messages = toMessages(rows(call('a'), result('a', 1), call('a'), result('a', 2), call('a'), call('a')));
  expect(outputsOf(messages)).toEqual([
    { type: 'json', value: 1 },
    { type: 'json', value: 2 },
    { type: 'error-text', value: expect.stringContaining('interrupted') },
    { type: 'error-text', value: expect.stringContaining('interrupted') },
  ]);
});

test('results of tools that this program ran stand in a message of their own', () => {
  const metadata = { providerExecuted: false };
  const messages = toMessages(
    rows(call('a', { metadata }), result('a', 1, { metadata }), { type: 'agent', content: 'One.' }),
  );
  expect(messages.map(({ role }) => role)).toEqual(['assistant', 'tool', 'assistant']);
});

test('system rows are the system prompt, but for the note that a turn was cut off', () => {
  const all = rows(
    { type: 'system', content: 'You are a duck.', metadata: { kind: 'prompt' } },
    { type: 'system', content: 'The turn was cut off.', metadata: { kind: 'cut_off' } },
  );
  expect(systemOf(all)).toBe('You are a duck.');
  expect(toMessages(all)).toEqual([]);
  expect(systemOf([])).toBeUndefined();
});

test('text files stand in the message under their name, others go as files', () => {
  const text = 'Enten: 🦆';
  const bytes = new TextEncoder().encode(text);
  const base64 = Buffer.from(bytes).toString('base64');
  const inlined = { type: 'text', text: `File ducks.txt:\n\n${text}` };
  for (const data of [bytes, base64, `data:text/plain;base64,${base64}`, `data:,${encodeURIComponent(text)}`, text]) {
    expect(toUserContent([{ type: 'file', data, mediaType: 'text/plain; charset=utf-8', name: 'ducks.txt' }])).toEqual([
      inlined,
    ]);
  }
  expect(toUserContent([{ type: 'file', data: 'AAAA', mediaType: 'application/pdf', name: 'a.pdf' }])).toEqual([
    { type: 'file', data: 'AAAA', mediaType: 'application/pdf', filename: 'a.pdf' },
  ]);
});

test('an image is bytes, base64, or an address', () => {
  expect(
    toUserContent([
      { type: 'text', text: 'What is it?' },
      { type: 'image', data: 'AAAA', mediaType: 'image/png' },
      { type: 'image', data: 'https://example.com/duck.png' },
    ]),
  ).toEqual([
    { type: 'text', text: 'What is it?' },
    { type: 'image', image: 'AAAA', mediaType: 'image/png' },
    { type: 'image', image: new URL('https://example.com/duck.png') },
  ]);
});
