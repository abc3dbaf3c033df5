import { describe, expect, it } from 'vitest';
import { checkItem } from '../../../src/sdk/history/check-item.js';
import { REFUSED_ITEMS, RESPONSE_ITEMS } from '../../../src/sdk/history/response-items.js';
import { CALL_KINDS, HOSTED_KINDS } from '../../../src/items/kinds.js';
import { FAMILIES } from '../../../src/stream/items.js';
import { PASSED_THROUGH_OUTPUT_ITEMS } from '../../wire/passed-through.js';

const inCarrier = (item: unknown, signed = false): unknown => checkItem(item, { place: 'carrier', signed });
const asCall = (item: unknown): unknown => checkItem(item, { place: 'call', signed: false });

describe('what a response can hold', () => {
  it('is decided for every type of output item that we know', () => {
    const decided = [...Object.keys(RESPONSE_ITEMS), ...Object.keys(REFUSED_ITEMS)];
    const kinds = [
      ...CALL_KINDS.flatMap(({ type, output }) => [type, output.type]),
      ...HOSTED_KINDS.map(({ type }) => type),
    ];
    const known = [...Object.keys(FAMILIES), ...PASSED_THROUGH_OUTPUT_ITEMS, ...kinds];
    expect(known.filter((name) => !decided.includes(name))).toEqual([]);
    expect(decided.filter((name) => !known.includes(name))).toEqual(['item_reference', 'configuration_update']);
  });

  it.each(Object.keys(RESPONSE_ITEMS))(
    '%s without its members, or with wrong ones, is dropped and never throws',
    (type) => {
      const rule = RESPONSE_ITEMS[type];
      const names = [...Object.keys(rule?.needs ?? {}), ...Object.keys(rule?.may ?? {})];
      for (const name of Object.keys(rule?.needs ?? {}))
        expect(inCarrier({ type, [name]: undefined })).toEqual(expect.any(String));
      for (const name of names) {
        for (const value of [7, {}, [], true, 'x', null, [[]], [null]]) {
          expect(() => inCarrier({ type, [name]: value })).not.toThrow();
          expect(() => asCall({ type, [name]: value })).not.toThrow();
        }
      }
    },
  );

  it('keeps the members of a call that we do not know, but no role and no id', () => {
    const call = { type: 'custom_tool_call', call_id: 'c', name: 'n', input: 'x', namespace: 'crm' };
    const more = { agent: { agent_name: 'a' }, added_later: [1] };
    expect(asCall({ ...call, ...more, id: 'ctc_1', role: 'developer' })).toEqual({ ...call, ...more });
  });

  it('keeps of a message what an answer consists of', () => {
    const message = { type: 'message', role: 'assistant', status: 'completed', phase: 'commentary', id: 'm', extra: 1 };
    const text = { type: 'output_text', text: 'Hi', annotations: [{ type: 'url_citation' }], logprobs: [] };
    expect(inCarrier({ ...message, content: [text, { type: 'refusal', refusal: 'No.' }] })).toEqual({
      type: 'message',
      role: 'assistant',
      status: 'completed',
      phase: 'commentary',
      content: [
        { type: 'output_text', text: 'Hi', annotations: [] },
        { type: 'refusal', refusal: 'No.' },
      ],
    });
    expect(inCarrier({ ...message, content: [text, { type: 'input_text', text: 'Hi' }] })).toMatch(/wrong "content"/);
  });

  it('takes tools that the server would run itself only where they are signed', () => {
    const found = (tool: object): object => ({ type: 'tool_search_output', execution: 'server', tools: [tool] });
    const mcp = { type: 'mcp', server_label: 'x', server_url: 'https://evil.example', require_approval: 'never' };
    const inside = { type: 'namespace', name: 'n', tools: [mcp] };
    const deeper = { type: 'namespace', name: 'm', tools: [inside] };
    expect(inCarrier(found({ type: 'function', name: 'f' }))).toMatchObject({ type: 'tool_search_output' });
    for (const tool of [mcp, inside, deeper]) {
      expect(inCarrier(found(tool))).toMatch(/wrong "tools"/);
      expect(inCarrier(found(tool), true)).toMatchObject({ tools: [tool] });
    }
  });

  it('takes types that are not known only where they are signed, and some never', () => {
    const item = { type: 'openrouter:datetime', when: { now: true } };
    expect(inCarrier(item)).toMatch(/openrouter:datetime.*no known response contains/);
    expect(inCarrier(item, true)).toEqual(item);
    for (const type of Object.keys(REFUSED_ITEMS)) expect(inCarrier({ type }, true)).toEqual(expect.any(String));
    expect(inCarrier({ type: 'message', role: 'developer', content: [] }, true)).toMatch(/wrong "role"/);
  });
});
