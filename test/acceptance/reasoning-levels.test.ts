import { describe, expect, it } from 'vitest';
import { createResponsesProvider } from '../../src/v4.js';
import type { ScriptedStep } from '../../src/testing.js';
import { asRecord } from '../../src/util/guards.js';
import { reply, rigOf, says } from './support/rig.js';

const hello = reply(says('resp_1', 'Hello.'));
const listed = (levels: readonly string[]): string => levels.map((level) => `'${level}'`).join(', ');

/** A server whose model has these levels of reasoning, and that refuses others as OpenAI does. */
function having(levels: readonly string[], told: readonly string[] = levels): ScriptedStep {
  return (request) => {
    const effort = asRecord(request.body['reasoning'])?.['effort'] as string | undefined;
    if (effort === undefined || levels.includes(effort)) return typeof hello === 'function' ? hello(request) : hello;
    const list = told.length === 0 ? '' : ` Supported values are: ${listed(told)}.`;
    const message = `Unsupported value: '${effort}' is not supported with this model.${list}`;
    const error = { message, type: 'invalid_request_error', param: 'reasoning.effort', code: 'unsupported_value' };
    return { status: 400, json: { error } };
  };
}

async function talkTo(model: string, step: ScriptedStep, steps: number) {
  const { provider, requests } = await rigOf(
    createResponsesProvider,
    Array.from({ length: steps }, () => step),
    {
      backend: 'openai',
    },
  );
  const ask = async (options: object) =>
    provider(model).doGenerate({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }], ...options });
  return { ask, efforts: () => requests.map(({ body }) => asRecord(body['reasoning'])?.['effort']), requests };
}

const LOW_TO_HIGH = ['low', 'medium', 'high'];

describe('a level of reasoning that is a call option', () => {
  it.each([
    ['gpt-5', 'none', 'minimal'],
    ['gpt-5-mini-2025-08-07', 'max', 'high'],
    ['gpt-5.1', 'xhigh', 'high'],
    ['gpt-5.1', 'minimal', 'low'],
    ['gpt-5.4', 'max', 'xhigh'],
    ['gpt-6-astra', 'none', 'low'],
    ['gpt-6.1-sol', 'minimal', 'low'],
  ])('is the nearest that %s has for %s: %s', async (model, reasoning, sent) => {
    const { ask, efforts } = await talkTo(model, hello, 1);
    const { warnings } = await ask({ reasoning });
    expect(efforts()).toEqual([sent]);
    expect(warnings).toEqual([
      { type: 'compatibility', feature: 'reasoning', details: expect.stringContaining(`"${sent}" was sent`) as string },
    ]);
  });

  it.each([
    ['gpt-5', 'minimal'],
    ['gpt-5.1', 'none'],
    ['gpt-5.6', 'max'],
    ['gpt-6-sol', 'none'],
    ['gpt-5-pro', 'xhigh'],
    ['a-deployment', 'max'],
  ])('is sent to %s as it is, where the model has it or nobody knows: %s', async (model, reasoning) => {
    const { ask, efforts } = await talkTo(model, hello, 1);
    expect((await ask({ reasoning })).warnings).toEqual([]);
    expect(efforts()).toEqual([reasoning]);
  });

  it('is not sent to a model that does not reason, which does what "none" asks for anyway', async () => {
    const { ask, requests } = await talkTo('gpt-4o', hello, 2);
    expect((await ask({ reasoning: 'none' })).warnings).toEqual([]);
    expect((await ask({ reasoning: 'high' })).warnings).toMatchObject([{ type: 'unsupported', feature: 'reasoning' }]);
    expect(requests.map(({ body }) => body['reasoning'])).toEqual([undefined, undefined]);
  });

  it('becomes the nearest of those that the refusal lists, and the refused one is remembered', async () => {
    const { ask, efforts } = await talkTo('a-deployment', having(LOW_TO_HIGH), 6);
    const first = await ask({ reasoning: 'max' });
    expect(efforts()).toEqual(['max', 'high']);
    expect(first.warnings).toEqual([
      { type: 'other', message: 'The server refuses the level of reasoning "max", so it was not sent.' },
    ]);
    // Only what a member of the error named is remembered, not what its words listed.
    await ask({ reasoning: 'max' });
    await ask({ reasoning: 'max' });
    await ask({ reasoning: 'high' });
    expect(efforts()).toEqual(['max', 'high', 'xhigh', 'high', 'high', 'high']);
  });

  it('becomes the next level without a list too', async () => {
    const { ask, efforts } = await talkTo('a-deployment', having(LOW_TO_HIGH, []), 3);
    await ask({ reasoning: 'none' });
    expect(efforts()).toEqual(['none', 'minimal', 'low']);
  });

  it('is asked for once in a call, however a server goes on listing what it refuses', async () => {
    const { ask, efforts } = await talkTo('a-deployment', having([], ['low', 'max']), 6);
    await expect(ask({ reasoning: 'high' })).rejects.toMatchObject({ statusCode: 400 });
    expect(new Set(efforts()).size).toBe(6);
  });

  it('is the caller’s own word among provider options: it is sent as it is, and a refusal fails the call', async () => {
    const { ask, efforts } = await talkTo('gpt-5', having(LOW_TO_HIGH), 2);
    const providerOptions = { openai: { reasoningEffort: 'none' } };
    await expect(ask({ providerOptions })).rejects.toMatchObject({ statusCode: 400 });
    await expect(ask({ providerOptions, reasoning: 'max' })).rejects.toMatchObject({ statusCode: 400 });
    expect(efforts()).toEqual(['none', 'none']);
  });
});

describe('a model without reasoning', () => {
  it.each(['gpt-4o', 'gpt-4.1-mini', 'gpt-5-chat-latest', 'gpt-3.5-turbo'])(
    '%s is not asked to seal its reasoning',
    async (model) => {
      const { ask, requests } = await talkTo(model, hello, 1);
      expect((await ask({})).warnings).toEqual([]);
      expect(requests[0]?.body).toMatchObject({ store: false });
      expect(requests[0]?.body).not.toHaveProperty('include');
    },
  );

  it.each(['gpt-5', 'o3', 'a-deployment'])('%s may reason, and is asked', async (model) => {
    const { ask, requests } = await talkTo(model, hello, 1);
    await ask({});
    expect(requests[0]?.body).toMatchObject({ include: ['reasoning.encrypted_content'] });
  });
});

describe('temperature and topP of a model that is asked not to reason', () => {
  const settings = { temperature: 0.3, topP: 0.8 };
  it.each([
    ['gpt-6-sol', { reasoning: 'none' }],
    ['gpt-6-luna', { providerOptions: { openai: { reasoningEffort: 'none' } } }],
    ['gpt-6.1-terra', { providerOptions: { openai: { reasoningEffortUpdate: 'none' } } }],
    ['gpt-5.4', { reasoning: 'none' }],
  ])('are sent to %s', async (model, options) => {
    const { ask, requests } = await talkTo(model, hello, 1);
    expect((await ask({ ...settings, ...options })).warnings).toEqual([]);
    expect(requests[0]?.body).toMatchObject({ temperature: 0.3, top_p: 0.8 });
  });

  it.each([
    ['gpt-6-sol', { providerOptions: { openai: { reasoningEffort: 'none', reasoningEffortUpdate: 'high' } } }],
    ['gpt-6-astra', { providerOptions: { openai: { reasoningEffort: 'none' } } }],
    ['gpt-6-sol', {}],
  ])('are left out for %s with %j', async (model, options) => {
    const { ask, requests } = await talkTo(model, hello, 1);
    const { warnings } = await ask({ ...settings, ...options });
    expect(warnings).toMatchObject([{ feature: 'temperature' }, { feature: 'topP' }]);
    expect(requests[0]?.body).not.toHaveProperty('temperature');
  });
});
