import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { scriptedFetch } from 'responses-loop/testing';
import { inRoundOrder } from '../../../src/sdk/history/round-order.js';
import { answer, type AnyPart, user, VERSIONS } from '../../acceptance/support/any-version.js';

interface Recorded {
  readonly name: string;
  readonly version: keyof typeof VERSIONS;
  /** As an app had stored it. */
  readonly history: readonly AnyPart[];
  /** What was sent of it then. */
  readonly input: readonly unknown[];
}

const RECORDED = JSON.parse(
  readFileSync(new URL('support/recorded-carriers.json', import.meta.url), 'utf8'),
) as readonly Recorded[];

const inputSchema = { type: 'object', properties: { n: { type: 'number' } } } as const;
const theirs = { type: 'function', name: 'theirs', inputSchema } as const;
const execute = (): string => 'never runs again';

describe('a history that was stored with carriers of version 1', () => {
  it.each(RECORDED)('is sent as it was: $name', async ({ version, history, input }) => {
    const fetch = scriptedFetch(['Done.']);
    const tools = { ours: { inputSchema, execute } };
    const model = VERSIONS[version]({ apiKey: 'test', fetch, tools, backend: 'openai' })('gpt-test');
    await answer(model, 'doStream', { prompt: [user('Go.'), ...history, user('Thanks.')], tools: [theirs] });
    expect(fetch.requests[0]?.input.slice(1, -1)).toEqual(input);
  });

  it.each(RECORDED)('goes on with rounds of version 2: $name', async ({ version, history, input }) => {
    const search = { type: 'item', item: { type: 'web_search_call', status: 'completed' } } as const;
    const call = { type: 'call', name: 'ours', arguments: { n: 9 }, callId: 'call_new' } as const;
    const fetch = scriptedFetch([{ output: [search, call, { type: 'text', text: 'Now.' }] }, 'Done.', 'Done.']);
    const settings = { apiKey: 'test', fetch, tools: { ours: { inputSchema, execute } }, toolParts: 'none' } as const;
    const model = VERSIONS[version]({ ...settings, backend: 'openai' })('gpt-test');
    const prompt = [user('Go.'), ...history, user('More.')];
    const next = await answer(model, 'doGenerate', { prompt, tools: [theirs] });
    const content = next.map(({ providerMetadata = {}, ...part }) => ({ ...part, providerOptions: providerMetadata }));
    const later = [...prompt, { role: 'assistant', content }, user('Thanks.')];
    await answer(model, 'doStream', { prompt: later, tools: [theirs] });
    const sent = fetch.requests[2]?.input ?? [];
    expect(JSON.stringify(content)).toContain('"v":2');
    expect(sent.slice(1, input.length + 1)).toEqual(input);
    // As the loop itself sent it.
    expect(sent.slice(0, fetch.requests[1]?.input.length)).toEqual(fetch.requests[1]?.input);
  });

  it.each([
    ['on a call', { asked: ['call_1'] }],
    ['in a carrier', { carrier: { v: 1, asked: ['call_1'] } }],
  ])('still says %s what the user was asked about', async (_where, own) => {
    const fetch = scriptedFetch(['Never asked.']);
    const tools = { ours: { inputSchema, execute, needsApproval: true } };
    const settings = { apiKey: 'test', fetch, tools, approve: () => 'ask' as const };
    const call = { type: 'tool-call', toolCallId: 'call_1', toolName: 'ours', input: { n: 1 }, providerExecuted: true };
    const client = { type: 'tool-call', toolCallId: 'call_2', toolName: 'theirs', input: { n: 2 } };
    const output = { type: 'text', value: 'theirs' };
    const result = { type: 'tool-result', toolCallId: 'call_2', toolName: 'theirs', output };
    const prompt = [
      user('Go.'),
      { role: 'assistant', content: [call, { ...client, providerOptions: { 'responses-loop': own } }] },
      { role: 'tool', content: [result] },
    ];
    const parts = await answer(VERSIONS.v4(settings)('gpt-test'), 'doStream', { prompt, tools: [theirs] });
    const requests = parts.filter(({ type }) => type === 'tool-approval-request');
    expect(requests.map(({ toolCallId }) => toolCallId)).toEqual(['call_1']);
    expect(fetch.requests).toEqual([]);
  });

  it('has what stands behind a round behind it, also where a call of the round has an empty id', () => {
    const text = (words: string) => ({ type: 'text' as const, text: words });
    const round = { order: ['shown', ''], hidden: new Map([['', [text('hidden')]]]) };
    const contents = [
      { callId: 'shown', isShown: true as const, content: [text('shown')], round },
      { content: [text('behind')] },
      { content: [text('last')] },
    ];
    const order = inRoundOrder(contents).map((content) => content.type === 'text' && content.text);
    expect(order.slice(0, 2)).toEqual(['shown', 'hidden']);
    expect(order.slice(2)).toEqual(['behind', 'last']);
  });
});
