import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeParts } from '../../src/store/normalize-parts.js';
import type { ChatPart } from '../../src/types.js';
import { call, mcpCall } from '../support/messages.js';

const text = (fields: object): ChatPart => ({ type: 'text', text: 'x', ...fields });
const approval = { id: 'ap1', approved: true };

const DROPPED: readonly (readonly [string, ChatPart])[] = [
  ['the beginning of a step', { type: 'step-start' }],
  ['an empty text', text({ text: '' })],
  ['a data part of the stream', { type: 'data-session', data: { id: 's', title: 't' } }],
  ['a call whose input never came', call('c1', { state: 'input-streaming', input: undefined })],
  ['a call whose input broke off', call('c1', { state: 'input-streaming', input: { a: 1 }, rawInput: '{"a":1,"b":' })],
];

const KEPT: readonly (readonly [string, ChatPart])[] = [
  ['a text', text({ state: 'done' })],
  ['a skill that a person asked for', { type: 'data-skill', data: { name: 'greet' } }],
  ['a file', { type: 'file', mediaType: 'text/plain', url: 'data:text/plain;base64,eA==' }],
  ['reasoning that is sealed', { type: 'reasoning', text: '', providerMetadata: { openai: { sealed: 'x' } } }],
  ['a call that was made', call('c1')],
  ['a question', call('c1', { state: 'approval-requested', approval: { id: 'ap1' } })],
  ['an answered question', call('c1', { state: 'approval-responded', approval })],
  ['an output', call('c1', { state: 'output-available', output: 1 })],
  ['an error', mcpCall('c1', { state: 'output-error', errorText: 'no' })],
  ['a denial', call('c1', { state: 'output-denied', approval: { id: 'ap1', approved: false } })],
];

describe('normalizeParts', () => {
  it.each(DROPPED)('drops %s', (_what, part) => {
    expect(normalizeParts([text({}), part])).toEqual([text({})]);
  });

  it.each(KEPT)('keeps %s', (_what, part) => {
    expect(normalizeParts([part])).toEqual([part]);
  });

  it('drops a text that was still written when the turn ended well, and keeps it if the turn was aborted', () => {
    const part = text({ state: 'streaming' });
    expect(normalizeParts([part], 'well')).toEqual([]);
    expect(normalizeParts([part], 'cut')).toEqual([text({ state: 'done' })]);
  });

  it('takes an input that is complete for a call that was made', () => {
    const part = call('c1', { state: 'input-streaming', input: { a: 1 }, rawInput: '{"a":1}' });
    expect(normalizeParts([part])).toEqual([call('c1', { input: { a: 1 } })]);
  });

  it.each([
    ['output-available', { preliminary: true }],
    ['output-streaming', {}],
  ])('drops an output that was not the last one (%s), and keeps the call', (state, fields) => {
    expect(normalizeParts([call('c1', { state, output: 'half', ...fields })])).toEqual([call('c1')]);
    const approved = call('c1', { state, output: 'half', approval, ...fields });
    expect(normalizeParts([approved])).toEqual([call('c1', { state: 'approval-responded', approval })]);
  });

  it('keeps of a call that was emitted again the last one', () => {
    const last = mcpCall('c1', { state: 'output-available', output: 1 });
    expect(normalizeParts([mcpCall('c1'), text({}), last])).toEqual([text({}), last]);
  });

  it('changes nothing the second time, and never makes two parts of one call', () => {
    const id = fc.constantFrom('c1', 'c2', 'c3');
    const state = fc.constantFrom('input-streaming', 'input-available', 'output-available', 'output-streaming', 'x');
    const input = fc.option(fc.constant({ path: 'a' }), { nil: undefined });
    const fields = fc.record(
      { state, input, rawInput: fc.constantFrom('{"path":"a"}', '{"pa'), preliminary: fc.boolean() },
      { requiredKeys: ['state', 'input'] },
    );
    const calls = fc.tuple(id, fields).map(([toolCallId, given]) => call(toolCallId, given));
    const texts = fc
      .record({ text: fc.constantFrom('', 'a'), state: fc.constantFrom('streaming', 'done', undefined) })
      .map(text);
    const parts = fc.array(fc.oneof(calls, texts, fc.constant<ChatPart>({ type: 'step-start' })));
    fc.assert(
      fc.property(parts, fc.constantFrom('well' as const, 'cut' as const), (given, end) => {
        const once = normalizeParts(given, end);
        expect(normalizeParts(once, end)).toEqual(once);
        const ids = once.flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : []));
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 200 },
    );
  });
});
