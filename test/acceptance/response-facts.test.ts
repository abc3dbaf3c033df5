import { describe, expect, it } from 'vitest';
import { responseBody } from 'responses-loop/testing';
import { finishOf, readAll, streamParts, userPrompt } from './support/parts.js';
import { calls, reply, rig, says } from './support/rig.js';
import { adder } from './support/tools.js';

const KEY = 'sk-duck-0123456789abcdef';

describe('what the server says about its response', () => {
  it('comes out with the end of the call: tier, moderation', async () => {
    const moderation = { input: { flagged: false } };
    const { model } = await rig([reply({ ...says('resp_1', 'Hi.'), fields: { service_tier: 'flex', moderation } })]);
    const { providerMetadata } = finishOf(await streamParts(model));
    expect(providerMetadata?.['openai']).toMatchObject({ responseId: 'resp_1', serviceTier: 'flex' });
    expect(providerMetadata?.['responses-loop']).toMatchObject({ moderation });
  });
});

describe('what the server says about its response, under the names of the stock providers', () => {
  const fields = {
    reasoning: { effort: 'low', summary: null, context: 'current_turn' },
    prompt_cache_diagnostics: { type: 'miss', reason: 'prefix_changed' },
  };
  const EXPECTED = { reasoningContext: 'current_turn', promptCacheDiagnostics: fields.prompt_cache_diagnostics };

  it.each([true, false])(
    'the context of the reasoning and the prompt cache, streamed or not (%s)',
    async (streamed) => {
      const { model } = await rig([reply({ ...says('resp_1', 'Hi.'), fields })]);
      const { providerMetadata } = streamed
        ? finishOf(await streamParts(model))
        : await model.doGenerate({ prompt: userPrompt() });
      expect(providerMetadata?.['openai']).toMatchObject(EXPECTED);
    },
  );

  it('the cost of all rounds, as xAI counts it', async () => {
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2, cost_in_usd_ticks: 158_500 };
    const { model } = await rig(
      [
        reply({ ...calls('resp_1', ['add', { a: 1, b: 2 }]), fields: { usage } }),
        reply({ ...says('resp_2', '3'), fields: { usage } }),
      ],
      { tools: { add: adder().add } },
    );
    const { providerMetadata } = finishOf(await streamParts(model));
    expect(providerMetadata?.['xai']).toEqual({ costInUsdTicks: 317_000 });
  });

  it('nothing is named that the server did not say', async () => {
    const { model } = await rig([reply(says('resp_1', 'Hi.'))]);
    const { providerMetadata } = finishOf(await streamParts(model));
    expect(Object.keys(providerMetadata ?? {}).toSorted()).toEqual(['openai', 'responses-loop']);
    expect(Object.keys(providerMetadata?.['openai'] ?? {}).toSorted()).toEqual(['responseId', 'serviceTier', 'usage']);
  });
});

describe('what the tools of the server were used for', () => {
  it('is told of each round, and of all rounds together', async () => {
    const use = (searches: number) => ({
      tool_usage: { web_search: { num_requests: searches }, image_gen: { input_tokens: 10, output_tokens: searches } },
    });
    const { model } = await rig(
      [
        reply({ ...calls('resp_1', ['add', { a: 1, b: 2 }]), fields: use(2) }),
        reply({ ...says('resp_2', '3'), fields: use(1) }),
      ],
      { tools: { add: adder().add } },
    );
    const { providerMetadata } = finishOf(await streamParts(model));
    expect(providerMetadata?.['responses-loop']).toMatchObject({
      toolUsage: { web_search: { num_requests: 3 }, image_gen: { input_tokens: 20, output_tokens: 3 } },
      rounds: [{ toolUsage: use(2).tool_usage }, { toolUsage: use(1).tool_usage }],
    });
    expect(providerMetadata?.['openai']).not.toHaveProperty('toolUsage');
  });

  it.each([null, 'much', 7])('is not told where it is no object (%j)', async (tool_usage) => {
    const { model } = await rig([reply({ ...says('resp_1', 'Hi.'), fields: { tool_usage } })]);
    const { providerMetadata } = finishOf(await streamParts(model));
    expect(providerMetadata?.['responses-loop']).not.toHaveProperty('toolUsage');
  });
});

describe('reasoning that the server did not show the model', () => {
  const withheld = (reason: string, id = 'rs_1') => ({ id, type: 'reasoning', action: 'removed', reason });
  const told = async (input_transformations: unknown, settings: object = {}) => {
    const fields = { input_transformations } as never;
    const { model } = await rig([reply({ ...says('resp_1', 'Hi.'), fields })], settings);
    const { providerMetadata } = finishOf(await streamParts(model));
    return (providerMetadata?.['responses-loop'] ?? {}) as { warnings?: string[]; rounds: object[] };
  };

  it.each([
    ['organization_mismatch', 'another organization made it'],
    ['end_user_mismatch', 'another end user'],
    ['model_mismatch', 'another model made it'],
    ['prefix_mismatch', 'the conversation before it is not the one in which it was made'],
    ['turn_boundary', 'it belongs to an earlier turn'],
    ['lunar_phase', 'a reason that is not known here (lunar_phase)'],
    ['constructor', 'a reason that is not known here (constructor)'],
  ])('is a warning that says why: %s', async (reason, words) => {
    const list = [withheld(reason), withheld(reason, 'rs_2')];
    const { warnings, rounds } = await told(list);
    expect(warnings).toEqual([expect.stringContaining(words)]);
    expect(warnings?.[0]).toContain('2 items');
    expect(rounds).toMatchObject([{ inputTransformations: list }]);
  });

  it('is one warning for each reason, and one for all that are unknown, however many the server names', async () => {
    const unknown = Array.from({ length: 1_000 }, (_, at) => withheld(`reason_${at}`));
    const { warnings } = await told([withheld('model_mismatch'), ...unknown, withheld('turn_boundary')]);
    expect(warnings).toHaveLength(3);
    expect(warnings?.[1]).toContain('1000 items');
  });

  it.each([null, 'gone', [], [7, null], [{ ...withheld('model_mismatch'), action: 'shortened' }]])(
    'is no warning where nothing was withheld: %j',
    async (list) => {
      expect(await told(list)).not.toHaveProperty('warnings');
    },
  );

  it('is told without keys that the server repeats', async () => {
    const said = JSON.stringify(await told([withheld(KEY)], { apiKey: KEY }));
    expect(said).not.toContain(KEY.slice(3, 15));
    expect(said).toContain('[redacted]');
  });

  it('is told once, although each round sends the same input', async () => {
    const fields = { input_transformations: [withheld('model_mismatch')] };
    const { model } = await rig(
      [
        reply({ ...calls('resp_1', ['add', { a: 1, b: 2 }]), fields }),
        reply({ ...calls('resp_2', ['add', { a: 2, b: 2 }]), fields }),
        reply({ ...says('resp_3', '4'), fields }),
      ],
      { tools: { add: adder().add } },
    );
    const { providerMetadata } = finishOf(await streamParts(model));
    expect(providerMetadata?.['responses-loop']?.['warnings']).toHaveLength(1);
    expect(providerMetadata?.['responses-loop']?.['rounds']).toHaveLength(3);
  });
});

describe('the response as it came', () => {
  it('is the body of a generated result: that of the last round', async () => {
    const last = responseBody({ id: 'resp_2', output: [{ type: 'text', text: '3' }] });
    const { model } = await rig([reply(calls('resp_1', ['add', { a: 1, b: 2 }])), { json: last }], {
      tools: { add: adder().add },
    });
    const { response } = await model.doGenerate({ prompt: userPrompt() });
    expect(response?.body).toEqual(last);
  });

  it('is without secrets that the server repeats', async () => {
    const json = { ...responseBody({ id: 'resp_1', output: [{ type: 'text', text: 'Hi.' }] }), metadata: { key: KEY } };
    const { model } = await rig([{ json }], { apiKey: KEY });
    const { response } = await model.doGenerate({ prompt: userPrompt() });
    expect(JSON.stringify(response?.body)).not.toContain(KEY.slice(3, 15));
    expect(response?.body).toMatchObject({ id: 'resp_1', metadata: { key: '[redacted]' } });
  });

  it('is not kept of a stream', async () => {
    const { model } = await rig([reply(says('resp_1', 'Hi.'))]);
    const { response, stream } = await model.doStream({ prompt: userPrompt() });
    expect(Object.keys(response ?? {})).toEqual(['headers']);
    expect(Object.keys(finishOf(await readAll(stream)))).not.toContain('readBody');
  });
});

describe('the reasoning level of ai 7', () => {
  it.each([
    ['low', 'low'],
    ['provider-default', undefined],
  ])('%s is sent as effort %s, unless an option says otherwise', async (reasoning, effort) => {
    const { model, requests } = await rig([reply(says('resp_1', 'Hi.')), reply(says('resp_2', 'Hi.'))]);
    await streamParts(model, { reasoning });
    await streamParts(model, { reasoning, providerOptions: { openai: { reasoningEffort: 'high' } } });
    expect(requests.map(({ body }) => (body['reasoning'] as { effort?: string } | undefined)?.effort)).toEqual([
      effort,
      'high',
    ]);
  });
});
