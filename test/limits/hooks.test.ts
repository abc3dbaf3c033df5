import { beforeAll, describe, expect, it } from 'vitest';
import type { ResponsesProviderSettings } from '../../src/index.js';
import { finishOf, partsOf } from '../acceptance/support/parts.js';
import { ADD, callAdd, connect, failureOf, HELLO, say, start, stream } from '../provider/support/talk.js';

const never = () => new Promise<never>(() => {});

const BEFORE: readonly (readonly [string, ResponsesProviderSettings])[] = [
  ['apiKey', { apiKey: never }],
  ['headers', { headers: never }],
  ['auth', { auth: never }],
  ['transformRequest', { transformRequest: never }],
];

describe('a function of the settings that never settles', () => {
  // What a call needs is loaded with the first one, which may take longer than the calls here have.
  beforeAll(async () => {
    await using talk = await connect([callAdd('r'), say('5', { id: 'r2' })], { tools: ADD, approve: () => true });
    await stream(talk);
  });

  it.each(BEFORE)('%s does not keep a call open beyond totalMs', async (_name, settings) => {
    const { provider } = await start([], { ...settings, timeouts: { totalMs: 30 } });
    expect(await failureOf(provider('m').doStream(HELLO))).toMatchObject({ code: 'timeout' });
  });

  it.each(BEFORE)('%s does not keep a call open after an abort or close()', async (_name, settings) => {
    const { provider } = await start([], settings);
    const abortSignal = AbortSignal.timeout(20);
    expect(await failureOf(provider('m').doStream({ ...HELLO, abortSignal }))).toMatchObject({ name: 'TimeoutError' });
    const call = failureOf(provider('m').doStream(HELLO));
    await provider.close();
    expect(await call).toMatchObject({ code: 'closed' });
  });

  it.each<[string, ResponsesProviderSettings]>([
    ['redactToolOutput', { redactToolOutput: never }],
    ['approve', { approve: never }],
  ])('%s does not keep a call open beyond totalMs', async (_name, settings) => {
    const talk = await start([callAdd('r')], { tools: ADD, timeouts: { totalMs: 2_000 }, ...settings });
    const parts = await stream(talk);
    expect(partsOf(parts, 'error')[0]?.error).toMatchObject({ code: 'timeout' });
    expect(finishOf(parts).finishReason).toBe('error');
  });
});
