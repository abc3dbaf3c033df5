import { describe, expect, it } from 'vitest';
import { finishOf, streamParts } from './support/parts.js';
import { reply, rig, says } from './support/rig.js';

describe('S1-30 what the server says about its response', () => {
  it('comes out with the end of the call: tier, moderation', async () => {
    const moderation = { input: { flagged: false } };
    const { model } = await rig([reply({ ...says('resp_1', 'Hi.'), fields: { service_tier: 'flex', moderation } })]);
    const { providerMetadata } = finishOf(await streamParts(model));
    expect(providerMetadata?.['openai']).toMatchObject({ responseId: 'resp_1', serviceTier: 'flex' });
    expect(providerMetadata?.['responses-loop']).toMatchObject({ moderation });
  });
});

describe('L03 the reasoning level of ai 7', () => {
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
