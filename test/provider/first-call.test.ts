import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createResponsesProvider } from '../../src/index.js';
import type { ObserverEvent } from '../../src/observe/event.js';
import { onDemand } from '../../src/provider/on-demand.js';
import { encodeEvents, responseEvents } from '../../src/testing.js';
import { HELLO } from './support/talk.js';

const EVENTS = new TextDecoder().decode(encodeEvents(responseEvents({ output: [{ type: 'text', text: 'Hi.' }] })));
const answer = async (): Promise<Response> =>
  new Response(EVENTS, { headers: { 'content-type': 'text/event-stream' } });

const RELAY = { baseURL: 'https://relay.example.com/v1' };

async function textOf(call: PromiseLike<{ stream: ReadableStream<unknown> }>): Promise<string> {
  let text = '';
  for await (const part of (await call).stream as unknown as AsyncIterable<{ type: string; delta?: string }>) {
    if (part.type === 'text-delta') text += part.delta;
  }
  return text;
}

/** What answers calls is still on its way, until it is told to arrive. */
function slowly() {
  let arrive: () => void = () => {};
  const gate = new Promise<void>((resolve) => (arrive = resolve));
  const load = onDemand.calls;
  vi.spyOn(onDemand, 'calls').mockImplementation(() => gate.then(load));
  return { arrive };
}

describe('the first call, while what answers it is being loaded', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('settings that cannot be right are refused at once all the same', () => {
    slowly();
    expect(() => createResponsesProvider({ maxRounds: 0 })).toThrow(/maxRounds/);
    expect(() => createResponsesProvider({ apiKey: ['a b'] })).toThrow(/white space/);
    expect(() => createResponsesProvider({ baseURL: 'http://' })).toThrow(/baseURL/);
  });

  it('answers when it is there', async () => {
    const { arrive } = slowly();
    const provider = createResponsesProvider({ ...RELAY, fetch: answer });
    const text = textOf(provider('m').doStream(HELLO));
    arrive();
    expect(await text).toBe('Hi.');
  });

  it('an abort ends it at once', async () => {
    slowly();
    const fetch = vi.fn(answer);
    const provider = createResponsesProvider({ ...RELAY, fetch });
    const controller = new AbortController();
    const call = provider('m').doStream({ ...HELLO, abortSignal: controller.signal });
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    await expect(provider('m').doStream({ ...HELLO, abortSignal: controller.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(fetch).not.toHaveBeenCalled();
  });

  it('so do close() and the time that a call may take', async () => {
    slowly();
    const closed = createResponsesProvider({ ...RELAY, fetch: answer });
    const call = closed('m').doStream(HELLO);
    await closed.close();
    await expect(call).rejects.toMatchObject({ code: 'closed' });
    const hurried = createResponsesProvider({ ...RELAY, fetch: answer, timeouts: { totalMs: 20 } });
    await expect(hurried('m').doStream(HELLO)).rejects.toMatchObject({ code: 'timeout' });
  });

  it('a chunk that could not be fetched fails the call, and may be there for the next one', async () => {
    const load = onDemand.calls;
    const lost = new TypeError('Failed to fetch dynamically imported module');
    vi.spyOn(onDemand, 'calls').mockRejectedValueOnce(lost).mockRejectedValueOnce(lost).mockImplementation(load);
    const provider = createResponsesProvider({ ...RELAY, fetch: answer });
    await expect(provider('m').doStream(HELLO)).rejects.toBe(lost);
    expect(await textOf(provider('m').doStream(HELLO))).toBe('Hi.');
  });

  it('calls keep their order, and callbacks the context of the call that caused them', async () => {
    const { arrive } = slowly();
    const context = new AsyncLocalStorage<string>();
    const requests: unknown[] = [];
    const numbers: number[] = [];
    const provider = createResponsesProvider({
      ...RELAY,
      fetch: answer,
      transformRequest: ({ modelId }) => void requests.push([modelId, context.getStore()]),
      onEvent: (event: ObserverEvent) => {
        if (event.type === 'round-start') numbers.push(event.callNumber);
      },
    });
    const call = (modelId: string) => context.run(modelId, () => textOf(provider(modelId).doStream(HELLO)));
    const texts = Promise.all(['first', 'second', 'third'].map(call));
    arrive();
    await texts;
    await call('fourth');
    expect(requests).toEqual(['first', 'second', 'third', 'fourth'].map((name) => [name, name]));
    expect(numbers).toEqual([1, 2, 3, 4]);
  });
});
