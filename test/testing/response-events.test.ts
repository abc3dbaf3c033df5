import { describe, expect, it } from 'vitest';

import { errorEvent, responseBody, responseEvents, type ScriptedEvent } from '../../src/testing.js';

const types = (events: readonly ScriptedEvent[]): string[] => events.map(({ type }) => type.replace('response.', ''));

function joined(events: readonly ScriptedEvent[], type: string): string {
  const ofType = events.filter((event) => event.type === type);
  return ofType.map(({ delta }) => (typeof delta === 'string' ? delta : '')).join('');
}

describe('responseEvents', () => {
  it('writes a text as OpenAI streams it', () => {
    const events = responseEvents({ output: [{ type: 'text', text: 'Hello there', phase: 'final_answer' }] });
    expect(types(events)).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'completed',
    ]);
    expect(events.map((event) => event['sequence_number'])).toEqual(events.map((_, at) => at));
    expect(events.at(-1)).toMatchObject({
      response: { status: 'completed', output: [{ phase: 'final_answer', content: [{ text: 'Hello there' }] }] },
    });
  });

  it('takes a list as the deltas, one event each', () => {
    const events = responseEvents({ output: [{ type: 'text', text: ['Hel', 'lo'] }] });
    expect(events.filter(({ type }) => type.endsWith('.delta')).map((event) => event['delta'])).toEqual(['Hel', 'lo']);
  });

  it('loses nothing when it splits', () => {
    const text = '  Two words,\n\nan emoji 👩‍👧 and a space ';
    const events = responseEvents({
      output: [
        { type: 'text', text },
        { type: 'call', name: 'say', arguments: { text } },
      ],
    });
    expect(joined(events, 'response.output_text.delta')).toBe(text);
    expect(JSON.parse(joined(events, 'response.function_call_arguments.delta'))).toEqual({ text });
  });

  it('writes reasoning with summary parts, raw text and sealed content', () => {
    const events = responseEvents({
      output: [{ type: 'reasoning', summary: ['One.', 'Two.'], text: 'raw', encrypted: 'sealed' }],
    });
    expect(types(events).filter((type) => type.startsWith('reasoning'))).toEqual([
      ...['reasoning_summary_part.added', 'reasoning_summary_text.delta'],
      ...['reasoning_summary_text.done', 'reasoning_summary_part.done'],
      ...['reasoning_summary_part.added', 'reasoning_summary_text.delta'],
      ...['reasoning_summary_text.done', 'reasoning_summary_part.done'],
      ...['reasoning_text.delta', 'reasoning_text.done'],
    ]);
    expect(responseBody({ output: [{ type: 'reasoning', encrypted: 'sealed' }] })).toMatchObject({
      output: [{ type: 'reasoning', encrypted_content: 'sealed', summary: [] }],
    });
  });

  it('lets neighbouring calls take turns', () => {
    const call = (name: string, deltas: string[]) => ({ type: 'call' as const, name, arguments: deltas });
    const events = responseEvents({
      interleaveCalls: true,
      output: [{ type: 'text', text: 'Hm' }, call('a', ['{', '}']), call('b', ['{', ' ', '}'])],
    });
    const deltas = events.filter(({ type }) => type === 'response.function_call_arguments.delta');
    expect(deltas.map((event) => event['output_index'])).toEqual([1, 2, 1, 2, 2]);
  });

  it('sends arguments that are no JSON as they are', () => {
    const body = responseBody({ output: [{ type: 'call', name: 'a', arguments: '{"x":' }] });
    expect(body).toMatchObject({ output: [{ arguments: '{"x":' }] });
  });

  it('gives ids of their own to items of different responses', () => {
    const output = [{ type: 'call' as const, name: 'a', arguments: {} }];
    const callId = (id: string): unknown => responseEvents({ id, output })[2]?.['item'];
    expect(callId('resp_a')).toMatchObject({ id: 'fc_a_0', call_id: 'call_a_0' });
    expect(callId('resp_b')).toMatchObject({ id: 'fc_b_0', call_id: 'call_b_0' });
  });

  it('ends as told', () => {
    const last = (events: readonly ScriptedEvent[]): ScriptedEvent | undefined => events.at(-1);
    expect(last(responseEvents({ status: 'incomplete' }))).toMatchObject({
      type: 'response.incomplete',
      response: { incomplete_details: { reason: 'max_output_tokens' } },
    });
    expect(last(responseEvents({ status: 'failed' }))).toMatchObject({
      type: 'response.failed',
      response: { error: { code: 'server_error' } },
    });
    expect(last(responseEvents({ status: 'none' }))?.type).toBe('response.in_progress');
    expect(() => responseBody({ status: 'none' })).toThrow('no body');
    expect(errorEvent({ code: 'server_error', message: 'Oh.' })).toMatchObject({ type: 'error', message: 'Oh.' });
  });

  it('writes a refusal, annotations and items it does not know', () => {
    const body = responseBody({
      output: [
        { type: 'refusal', text: 'No.' },
        { type: 'text', text: 'See.', annotations: [{ type: 'url_citation', url: 'https://example.com' }] },
        { type: 'item', item: { type: 'web_search_call', id: 'ws_1' } },
      ],
      usage: null,
      fields: { service_tier: 'flex' },
    });
    expect(body).toMatchObject({
      usage: null,
      service_tier: 'flex',
      output: [
        { content: [{ type: 'refusal', refusal: 'No.' }] },
        { content: [{ annotations: [{ url: 'https://example.com' }] }] },
        { type: 'web_search_call', id: 'ws_1' },
      ],
    });
  });
});
