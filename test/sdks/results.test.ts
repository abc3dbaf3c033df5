import { generateText, jsonSchema, stepCountIs, streamText, type ToolSet } from 'ai';
import { describe, expect, it } from 'vitest';
import type { ResponseDescription } from 'responses-loop/testing';
import { calls, reply, rig, says } from '../acceptance/support/rig.js';
import { adder, toolOf } from '../acceptance/support/tools.js';
import {
  type Generated,
  type Loose,
  sdk,
  spec,
  showsAll,
  type Streamed,
  tokensOf,
  wantsRequestBody,
} from './support/sdk.js';

const ROADS = ['stream', 'generate'] as const;
type Road = (typeof ROADS)[number];
type Options = Parameters<typeof generateText<ToolSet>>[0];

async function play(road: Road, options: Options): Promise<Streamed | Generated> {
  return road === 'generate' ? generateText(options) : streamText<ToolSet>({ ...options, onError: () => {} });
}

const ask: ToolSet = { ask: { inputSchema: jsonSchema({ type: 'object' }) } };
const cut = (reason: string): ResponseDescription => ({
  ...says('resp_1', 'Half an'),
  status: 'incomplete',
  incompleteReason: reason,
});

describe.each(ROADS)('the finish reason on the %s road', (road) => {
  it.each<[string, ResponseDescription[], string]>([
    ['an answer', [says('resp_1', 'Hi.')], 'stop'],
    ['calls of ours and an answer', [calls('resp_1', ['add', { a: 1, b: 2 }]), says('resp_2', '3.')], 'stop'],
    ['a call for the client', [calls('resp_1', ['ask', {}])], 'tool-calls'],
    ['a call of ours and one for the client', [calls('resp_1', ['add', { a: 1, b: 2 }], ['ask', {}])], 'tool-calls'],
    ['the token limit', [cut('max_output_tokens')], 'length'],
    ['a content filter', [cut('content_filter')], 'content-filter'],
    ['a reason nobody knows', [cut('cosmic_rays')], 'other'],
    ['a refusal', [{ id: 'resp_1', output: [{ type: 'refusal', text: 'No.' }] }], 'content-filter'],
  ])('of %s is the right one, and no step is taken for it', async (_name, rounds, expected) => {
    const { model, requests } = await rig(rounds.map(reply), { tools: { add: adder().add } });
    const result = await play(road, { model, prompt: 'Hi', tools: ask, stopWhen: stepCountIs(5) });
    expect(await result.finishReason).toBe(expected);
    expect(await result.steps).toHaveLength(1);
    expect(requests).toHaveLength(rounds.length);
  });

  it('the server’s own word for it is told, by V3 and V4 in the result and by all in the metadata', async () => {
    const { model } = await rig([reply(cut('max_output_tokens'))]);
    const result = await play(road, { model, prompt: 'Hi' });
    const metadata = (await result.providerMetadata) as Loose;
    expect(metadata['responses-loop']).toMatchObject({ rawFinishReason: 'max_output_tokens' });
    const raw = await (result as unknown as Loose)['rawFinishReason'];
    if (showsAll) expect(raw).toBe('max_output_tokens');
  });
});

describe.each(ROADS)('the usage on the %s road', (road) => {
  const usage = (input: number, cached: number, output: number, thinking: number) => ({
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: thinking },
    total_tokens: input + output,
  });

  it('is the sum over the rounds, with what was cached and what was thought', async () => {
    const { model } = await rig(
      [
        reply({ ...calls('resp_1', ['add', { a: 1, b: 1 }]), usage: usage(100, 20, 30, 10) }),
        reply({ ...says('resp_2', 'Two.'), usage: usage(200, 120, 40, 5) }),
      ],
      { tools: { add: adder().add } },
    );
    const result = await play(road, { model, prompt: 'Add.' });
    const expected = { input: 300, output: 70, total: 370, cached: 140, reasoning: 15 };
    expect(tokensOf(await result.usage)).toEqual(expected);
    expect(tokensOf(await result.totalUsage)).toEqual(expected);
  });

  it.runIf(sdk > 5)('has the details where ai 6 and 7 look for them', async () => {
    const { model } = await rig([reply({ ...says('resp_1', 'Hi.'), usage: usage(100, 20, 30, 10) })]);
    const total = (await (await play(road, { model, prompt: 'Hi' })).usage) as unknown as Loose;
    expect(total).toMatchObject({
      inputTokenDetails: { cacheReadTokens: 20, ...(showsAll ? { noCacheTokens: 80 } : {}) },
      outputTokenDetails: { reasoningTokens: 10, ...(showsAll ? { textTokens: 20 } : {}) },
    });
  });

  it('that no server told is absent, never 0', async () => {
    const { model } = await rig([reply({ ...says('resp_1', 'Hi.'), usage: null })]);
    const result = await play(road, { model, prompt: 'Hi' });
    expect(tokensOf(await result.usage)).toEqual({
      input: undefined,
      output: undefined,
      total: undefined,
      cached: undefined,
      reasoning: undefined,
    });
  });
});

describe.each(ROADS)('warnings on the %s road', (road) => {
  it('of the call are in the result', async () => {
    const foreign = {
      type: 'provider-defined',
      id: 'other.search',
      name: 'search',
      args: {},
      inputSchema: jsonSchema({}),
    };
    const provided = { ...foreign, type: 'provider', isProviderExecuted: true, supportsDeferredResults: false };
    const { model } = await rig([reply(says('resp_1', 'Hi.'))]);
    const tools = { search: sdk === 5 ? foreign : provided } as unknown as ToolSet;
    const result = await play(road, { model, prompt: 'Hi', tools });
    const details = expect.stringContaining('belongs to another provider') as string;
    expect(await result.warnings).toMatchObject([
      spec === 'v2'
        ? { type: 'unsupported-tool', tool: { id: 'other.search', name: 'search' }, details }
        : { type: 'unsupported', feature: 'provider-defined tool search', details },
    ]);
  });
});

describe.each(ROADS)('the response on the %s road', (road) => {
  it('has the server’s id, model and time, and the request its body', async () => {
    const { model, requests } = await rig([reply(says('resp_1', 'Hi.'))]);
    const result = await play(road, { model, prompt: 'Hi', ...wantsRequestBody });
    expect(await result.response).toMatchObject({
      id: 'resp_1',
      modelId: 'gpt-test',
      timestamp: new Date(1_700_000_000_000),
      headers: { 'content-type': expect.any(String) },
    });
    const { body } = await result.request;
    expect(typeof body === 'string' ? (JSON.parse(body) as unknown) : body).toEqual(requests[0]?.body);
  });
});

describe('results of loop tools', () => {
  it.runIf(showsAll).each([
    ['a text', 'quack', 'quack'],
    ['a value', { ducks: 3 }, { ducks: 3 }],
    ['nothing', undefined, undefined],
  ])(`${spec} shows %s as it is`, async (_name, returned, expected) => {
    const { model } = await rig([reply(calls('resp_1', ['give', {}, 'call_1'])), reply(says('resp_2', 'Thanks.'))], {
      tools: { give: toolOf(() => returned) },
    });
    const { toolResults } = await generateText({ model, prompt: 'Give.' });
    expect(toolResults).toHaveLength(1);
    if (expected !== undefined) expect(toolResults[0]?.output).toEqual(expected);
  });
});
