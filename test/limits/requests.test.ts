import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ObserverEvent, ResponsesProviderSettings } from '../../src/index.js';
import { ApiError } from '../../src/errors/api-error.js';
import { errorReply, type ScriptedStep } from '../../src/testing.js';
import { ADD, callAdd, failureOf, HELLO, say, start, stream } from '../provider/support/talk.js';
import { finishOf, partsOf, streamParts } from '../acceptance/support/parts.js';
import { fallbackRig } from '../sdks/support/fallback.js';

const keys = (count: number): string[] => Array.from({ length: count }, (_, n) => `sk-number-${n}-of-many`);
const times = (count: number, step: ScriptedStep): ScriptedStep[] => Array.from({ length: count }, () => step);
const refusal = (status: number, headers: Record<string, string> = {}): ScriptedStep =>
  errorReply({ status, headers, message: 'Not now.' });
const soon = { initialDelayMs: 1, maxDelayMs: 5_000 };

describe('the requests of a round', () => {
  it('are eight at most, whatever keys there are; what the last one failed of stays visible', async () => {
    const { server, provider } = await start(times(8, refusal(429)), { apiKey: keys(20) });
    const error = await failureOf(provider('m').doStream(HELLO));
    expect(server.requests).toHaveLength(8);
    expect(error).toMatchObject({
      code: 'limit',
      isRetryable: false,
      statusCode: 429,
      responseBody: expect.stringContaining('Not now.'),
      message: expect.stringMatching(/may take 8 requests.*Not now\..*\(limit: limits\.requestsPerRound\)/),
    });
    expect(error.cause).toMatchObject({ code: 'api-error', statusCode: 429 });
  });

  it.each<[string, ResponsesProviderSettings]>([
    ['the setting', { limits: { requestsPerRound: 12 } }],
    ['that of the model', { models: { m: { limits: { requestsPerRound: 12 } } } }],
  ])('are as many as %s says', async (_name, settings) => {
    const { server, provider } = await start(times(12, refusal(429)), { apiKey: keys(20), ...settings });
    await failureOf(provider('m').doStream(HELLO));
    expect(server.requests).toHaveLength(12);
  });

  it('end with the server’s own error where there was nothing more to try', async () => {
    const { provider } = await start(times(8, refusal(429)), { apiKey: keys(8) });
    expect(await failureOf(provider('m').doStream(HELLO))).toMatchObject({ code: 'api-error', isRetryable: true });
  });

  it('are as many as retry.maxRetries asks for, unless requestsPerRound was set', async () => {
    const retry = { ...soon, maxRetries: 10 };
    const talk = await start([callAdd('r'), ...times(11, refusal(500))], { tools: ADD, retry });
    const [failed] = partsOf(await stream(talk), 'error');
    expect(failed?.error).toMatchObject({ code: 'api-error', statusCode: 500 });
    expect(talk.server.requests).toHaveLength(12);

    const limits = { requestsPerRound: 3 };
    const strict = await start([callAdd('r'), ...times(3, refusal(500))], { tools: ADD, retry, limits });
    const parts = await stream(strict);
    expect(partsOf(parts, 'error')[0]?.error).toMatchObject({
      code: 'limit',
      statusCode: 500,
      isRetryable: false,
      completedCalls: [{ name: 'add' }],
    });
    expect(finishOf(parts).finishReason).toBe('error');
    expect(strict.server.requests).toHaveLength(4);
  });

  it('are none that is announced and then not sent', async () => {
    const events: ObserverEvent[] = [];
    const limits = { requestsPerRound: 1 };
    const onEvent = (event: ObserverEvent): void => void events.push(event);
    const talk = await start([callAdd('r'), refusal(500)], { tools: ADD, retry: soon, limits, onEvent });
    await stream(talk);
    expect(events.filter(({ type }) => type === 'retry')).toEqual([]);
  });

  it('are counted together, whatever the reason for them', async () => {
    const answer = fc.constantFrom<ScriptedStep>(
      refusal(500),
      refusal(401),
      refusal(429, { 'retry-after-ms': '0' }),
      refuse('temperature'),
      refuse('top_p'),
      refuse('tools[0].name'),
      refuse(null, "The field 'truncation' is not supported."),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { minLength: 6, maxLength: 6 }), async (answers) => {
        const talk = await start([callAdd('r'), ...answers, say('Done.', { id: 'r2' })], {
          apiKey: keys(4),
          tools: ADD,
          retry: { ...soon, maxRetries: 20 },
          limits: { requestsPerRound: 4 },
        });
        const providerOptions = { openai: { truncation: 'auto' } };
        await stream(talk, { temperature: 1, topP: 0.5, providerOptions });
        expect(talk.server.requests.length).toBeLessThanOrEqual(5);
        await talk.server.close();
      }),
      { numRuns: 30 },
    );
  });

  it('are counted under the stock provider too', async () => {
    const { model, requests } = await fallbackRig([callAdd('r'), ...times(3, refusal(500))], {
      useStock: true,
      settings: { tools: ADD, retry: { ...soon, maxRetries: 10 }, limits: { requestsPerRound: 3 } },
    });
    const [failed] = partsOf(await streamParts(model), 'error');
    expect(failed?.error).toMatchObject({ code: 'limit', statusCode: 500, isRetryable: false });
    expect(requests).toHaveLength(4);
  });

  it('of each round are counted anew', async () => {
    const steps = [refusal(401), callAdd('r1'), refusal(401), callAdd('r2'), refusal(401), say('Done.', { id: 'r3' })];
    const talk = await start(steps, { apiKey: keys(9), tools: ADD, limits: { requestsPerRound: 2 } });
    expect(finishOf(await stream(talk)).finishReason).toBe('stop');
  });
});

function refuse(param: string | null, message = `Unknown parameter: '${param}'.`): ScriptedStep {
  const error = { message, type: 'invalid_request_error', param, code: param === null ? null : 'unknown_parameter' };
  return { status: 400, json: { error } };
}

describe('tools that a server refuses', () => {
  const tools = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`tool_${n}`, ADD.add]));
  const named = (server: { readonly requests: readonly { readonly body: object }[] }) =>
    server.requests.map(({ body }) =>
      'tools' in body ? (body.tools as { name: string }[]).map(({ name }) => name) : [],
    );

  it('by name are left out together, in one further request, with a warning for each', async () => {
    const detail = [1, 3, 4].map((index) => ({
      type: 'string_type',
      loc: ['body', 'tools', index, 'name'],
      msg: 'No.',
    }));
    const { server, provider } = await start([{ status: 422, json: { detail } }, say('Ok.'), say('Ok.')], { tools });
    const { warnings } = await provider('m').doGenerate(HELLO);
    await provider('m').doGenerate(HELLO);
    expect(named(server)).toEqual([Object.keys(tools), ['tool_0', 'tool_2', 'tool_5'], ['tool_0', 'tool_2', 'tool_5']]);
    expect(warnings).toEqual(
      [1, 3, 4].map((n) => ({
        type: 'other',
        message: `The server refuses the tool "tool_${n}", so it was not sent.`,
      })),
    );
  });

  it('are not left out one by one', async () => {
    const first = refuse('tools[0].name', 'No.');
    const { server, provider } = await start([first, first], { tools });
    const error = await failureOf(provider('m').doGenerate(HELLO));
    expect(server.requests).toHaveLength(2);
    expect(error).toMatchObject({ code: 'api-error', statusCode: 400 });
    expect(ApiError.isInstance(error)).toBe(true);
  });

  it('by a list longer than what of a body is shown are left out all the same', async () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`tool_${n}`, ADD.add]));
    const detail = Array.from({ length: 60 }, (_, index) => ({
      type: 'missing',
      loc: ['body', 'tools', index, 'function', 'description'],
      msg: 'Field required, and here is why in many words.',
    })).slice(1);
    const { server, provider } = await start([{ status: 422, json: { detail } }, say('Ok.')], { tools: many });
    await provider('m').doGenerate(HELLO);
    expect(named(server)[1]).toEqual(['tool_0']);
  });
});
