import { createOpenAI } from '@ai-sdk/openai';
import { generateText, streamText } from 'ai';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createResponsesProvider, withStockFallback } from '../../src/index.js';
import { createResponsesProvider as createV3 } from '../../src/v3.js';
import type { UseStock } from '../../src/fallback/flag.js';
import { reply, says } from '../acceptance/support/rig.js';
import { adder } from '../acceptance/support/tools.js';
import { choicesIn, fallbackRig } from '../sdks/support/fallback.js';

const answers = (count: number) => Array.from({ length: count }, (_, n) => reply(says(`resp_${n}`, `Answer ${n}.`)));
const prompt = 'Hello?';

afterEach(() => vi.unstubAllEnvs());

describe('who answers a call', () => {
  const FLAGS: readonly (readonly [name: string, flag: UseStock, choice: string])[] = [
    ['true', true, 'stock: flag'],
    ['false', false, 'primary: flag'],
    ['a function', ({ modelId }) => modelId === 'gpt-5-test', 'stock: flag'],
    ['a function of another model', ({ modelId }) => modelId === 'other', 'primary: flag'],
    ['an async function', async () => Promise.resolve(true), 'stock: flag'],
  ];

  it.each(FLAGS)('is said by useStock: %s', async (_name, useStock, choice) => {
    const { model, events, requests } = await fallbackRig(answers(1), { useStock });
    const { text, providerMetadata } = await generateText({ model, prompt });
    expect(text).toBe('Answer 0.');
    expect(choicesIn(events)).toEqual([choice]);
    const [uses, because] = choice.split(': ');
    expect(providerMetadata?.['responses-loop']?.['fallback']).toEqual({ uses, because });
    // Only the stock provider names itself to the server.
    expect(/^ai\/|ai-sdk/.test(String(requests[0]?.headers['user-agent']))).toBe(uses === 'stock');
  });

  it('is asked for every call, so that a flag flips a running app', async () => {
    const { model, events, useStock } = await fallbackRig(answers(3));
    for (const stock of [false, true, false]) {
      useStock(stock);
      await generateText({ model, prompt });
    }
    expect(choicesIn(events)).toEqual(['primary: flag', 'stock: flag', 'primary: flag']);
  });

  it('is the stock provider where the environment says RESPONSES_LOOP=off, and useStock nothing', async () => {
    const { model, events } = await fallbackRig(answers(3), { useStock: undefined });
    await generateText({ model, prompt });
    vi.stubEnv('RESPONSES_LOOP', ' Off ');
    await generateText({ model, prompt });
    vi.stubEnv('RESPONSES_LOOP', 'on');
    await generateText({ model, prompt });
    expect(choicesIn(events)).toEqual(['primary: default', 'stock: environment', 'primary: default']);
  });

  it.each(['0', 'false', 'No'])('is the stock provider where the environment says %s', async (value) => {
    vi.stubEnv('RESPONSES_LOOP', value);
    const { model, events } = await fallbackRig(answers(1), { useStock: undefined });
    await generateText({ model, prompt });
    expect(choicesIn(events)).toEqual(['stock: environment']);
  });

  it('is the primary where the environment says off, but useStock no', async () => {
    vi.stubEnv('RESPONSES_LOOP', 'off');
    const { model, events } = await fallbackRig(answers(1), { useStock: false });
    await generateText({ model, prompt });
    expect(choicesIn(events)).toEqual(['primary: flag']);
  });

  it.each<readonly [string, UseStock, RegExp]>([
    [
      'throws',
      () => {
        throw new Error('no flags today');
      },
      /useStock failed: no flags today/,
    ],
    ['rejects', () => Promise.reject(new Error('no flags today')), /useStock failed: no flags today/],
    ['gives no boolean', () => 'yes' as unknown as boolean, /useStock returned .*yes.* instead of true or false/],
  ])('is the primary, with a warning, where the flag %s', async (_name, useStock, warning) => {
    const { model, events } = await fallbackRig(answers(1), { useStock });
    const { text, warnings } = await generateText({ model, prompt });
    expect(text).toBe('Answer 0.');
    expect(choicesIn(events)).toEqual(['primary: default']);
    expect(JSON.stringify(warnings)).toMatch(warning);
    expect(events.some((event) => event.type === 'warning' && warning.test(event.message))).toBe(true);
  });

  it('nobody, where the call is aborted while the flag is being asked', async () => {
    const { model } = await fallbackRig([], { useStock: () => new Promise<boolean>(() => {}) });
    const controller = new AbortController();
    const asked = generateText({ model, prompt, abortSignal: controller.signal });
    controller.abort();
    await expect(asked).rejects.toThrow(/abort/i);
  });

  it('is told in the finish of a stream too', async () => {
    const { model } = await fallbackRig(answers(1), { useStock: true });
    const result = streamText({ model, prompt });
    await result.consumeStream();
    expect((await result.providerMetadata)?.['responses-loop']?.['fallback']).toEqual({
      uses: 'stock',
      because: 'flag',
    });
  });
});

describe('the provider that withStockFallback gives', () => {
  it('has all that the primary has', async () => {
    const { provider } = await fallbackRig([], { settings: { tools: { add: adder().add } } });
    expect((await provider.listTools()).map((tool) => tool.name)).toEqual(['add']);
    expect(Object.keys(await provider.tools())).toEqual(['add']);
    expect(provider.endpoint('m').backend).toBe('openai');
    expect(provider.languageModel('m').provider).toBe('responses-loop');
    expect(provider.responses('m').specificationVersion).toBe('v2');
    expect(provider('m').supportedUrls).toEqual(provider.languageModel('m').supportedUrls);
    expect(() => provider.textEmbeddingModel('m')).toThrow(/m/);
  });

  it('closes the primary', async () => {
    const { provider, model } = await fallbackRig([], { useStock: true });
    await provider.close();
    await expect(generateText({ model, prompt, maxRetries: 0 })).rejects.toThrow(/closed/);
  });

  it('can be wrapped once more', async () => {
    const { provider, events } = await fallbackRig(answers(1), { useStock: true });
    const twice = withStockFallback({ primary: provider, stock: createOpenAI({ apiKey: 'k' }), useStock: false });
    await generateText({ model: twice('m'), prompt });
    expect(choicesIn(events)).toEqual(['primary: flag']);
  });
});

describe('settings of withStockFallback that cannot be right', () => {
  const primary = createResponsesProvider({ apiKey: 'k' });
  const stock = createOpenAI({ apiKey: 'k' });
  const WRONG: readonly (readonly [name: string, settings: object, message: RegExp])[] = [
    ['no settings', undefined as unknown as object, /takes \{ primary, stock/],
    ['no primary', { stock }, /"primary" must be a provider from createResponsesProvider/],
    ['the stock provider as primary', { primary: stock, stock }, /"primary" must be a provider/],
    [
      'a primary of another version',
      { primary: createV3({ apiKey: 'k' }), stock },
      /makes v3 models.*responses-loop\/v3/,
    ],
    ['no stock', { primary }, /"stock" must be a provider/],
    ['a stock that is none', { primary, stock: { chat: true } }, /"stock" must be a provider/],
    [
      'a flag that is a text',
      { primary, stock, useStock: 'yes' },
      /"useStock" must be true, false or a function.*"yes"/,
    ],
    ['an unknown setting', { primary, stock, enabled: true }, /knows no setting "enabled"/],
    [
      'an unknown member of fallOver',
      { primary, stock, fallOver: { retries: 1 } },
      /no member "retries"; known are failures/,
    ],
    ['no failures', { primary, stock, fallOver: { failures: 0 } }, /fallOver.failures must be a whole number/],
    ['a rest that is a text', { primary, stock, fallOver: { restMs: '1s' } }, /fallOver.restMs must be a number/],
    ['a fallOver that is a text', { primary, stock, fallOver: 'yes' }, /fallOver must be true, false or/],
  ];

  it.each(WRONG)('%s', (_name, settings, message) => {
    expect(() => withStockFallback(settings as never)).toThrow(message);
  });

  it('a stock model of another specification is told when the model is made, not when the flag is flipped', () => {
    const other = () => ({ specificationVersion: 'v3', provider: 'x', doStream: never, doGenerate: never });
    const provider = withStockFallback({ primary, stock: other as never });
    expect(() => provider('m')).toThrow(/"m" is a "v3" model; here v2 models are needed.*responses-loop\/v3/);
  });

  it.each([
    ['the function that makes the provider', createOpenAI],
    ['a function that gives no model', () => ({})],
    ['an async function', async () => Promise.resolve(stock('m'))],
  ])('a stock that is %s is told so when the model is made', (_name, wrong) => {
    const provider = withStockFallback({ primary, stock: wrong as never });
    expect(() => provider('m')).toThrow(/no language model for "m".*Set "stock" to a provider/);
  });

  it('a stock provider that says it makes other models is refused at once', () => {
    const other = Object.assign(() => stock('m'), { specificationVersion: 'v3' });
    expect(() => withStockFallback({ primary, stock: other })).toThrow(
      /"stock" makes v3 models; here v2 models are needed/,
    );
  });

  it('a stock provider that throws takes nothing down until it is needed', async () => {
    const throwing = (): never => {
      throw new Error('no such model here');
    };
    const { model } = await fallbackRig(answers(1), { stock: throwing, useStock: false });
    expect((await generateText({ model, prompt })).text).toBe('Answer 0.');
    const other = await fallbackRig([], { stock: throwing, useStock: true });
    await expect(generateText({ model: other.model, prompt, maxRetries: 0 })).rejects.toThrow('no such model here');
  });

  it('a stock provider without a key says that it is the one', async () => {
    vi.stubEnv('OPENAI_API_KEY', undefined);
    const { model } = await fallbackRig([], { stock: createOpenAI(), useStock: true });
    await expect(generateText({ model, prompt, maxRetries: 0 })).rejects.toMatchObject({
      code: 'missing-api-key',
      message: expect.stringMatching(/^The stock provider has no key: /) as unknown,
    });
  });

  it.each([
    ['callable', (id: string) => stock(id)],
    ['with languageModel()', { languageModel: (id: string) => stock.languageModel(id) }],
    ['with responses()', { responses: (id: string) => stock.responses(id) }],
  ])('takes a stock provider that is %s', (_name, given) => {
    expect(withStockFallback({ primary, stock: given })('gpt-5').modelId).toBe('gpt-5');
  });
});

const never = (): Promise<never> => new Promise<never>(() => {});
