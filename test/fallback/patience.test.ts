import { describe, expect, it } from 'vitest';
import { finish, hanging, oddRig, partsOf, question, start, text } from './support/odd-stock.js';

const begun = [start, { type: 'text-start', id: '0' }, { type: 'text-delta', id: '0', delta: 'Well' }];

/** Reads up to the first word. */
async function reading(model: ReturnType<typeof oddRig>['model'], abortSignal?: AbortSignal) {
  const { stream } = await model.doStream({ prompt: question, ...(abortSignal === undefined ? {} : { abortSignal }) });
  const reader = stream.getReader();
  for (let n = 0; n < 3; n += 1) await reader.read();
  return reader;
}

describe('a stock stream that goes on for ever, whatever it is told', () => {
  it('is let go of after an abort', async () => {
    const { stream, wasCancelled } = hanging(begun);
    const { model } = oddRig([stream]);
    const controller = new AbortController();
    const reader = await reading(model, controller.signal);
    controller.abort();
    expect((await reader.read()).done).toBe(true);
    await expect.poll(wasCancelled).toBe(true);
  });

  it('is let go of when nobody reads any more', async () => {
    const { stream, wasCancelled } = hanging(begun);
    const reader = await reading(oddRig([stream]).model);
    await reader.cancel();
    await expect.poll(wasCancelled).toBe(true);
  });

  it('is let go of when the provider is closed', async () => {
    const { stream, wasCancelled } = hanging(begun);
    const { model, provider } = oddRig([stream]);
    const reader = await reading(model);
    await provider.close();
    const types: string[] = [];
    for (let next = await reader.read(); !next.done; next = await reader.read()) types.push(next.value.type);
    expect(types).toEqual(['text-end', 'error', 'finish']);
    await expect.poll(wasCancelled).toBe(true);
  });

  it('is let go of when it comes after the abort', async () => {
    const { stream, wasCancelled } = hanging(begun);
    let give = (): void => {};
    const late = new Promise((resolve) => {
      give = () => resolve({ stream });
    });
    const { model } = oddRig([() => late]);
    const controller = new AbortController();
    const asked = partsOf(model, { abortSignal: controller.signal });
    setTimeout(() => controller.abort(), 5);
    await expect(asked).rejects.toThrow(/abort/i);
    give();
    await expect.poll(wasCancelled).toBe(true);
  });
});

describe('the patience of the primary holds for the stock provider', () => {
  const waits = { code: 'timeout', isRetryable: true } as const;

  it('headersMs, for its answer', async () => {
    const { model, given } = oddRig([() => new Promise(() => {})], { timeouts: { headersMs: 20 } });
    await expect(partsOf(model)).rejects.toMatchObject({
      ...waits,
      message: expect.stringContaining('headersMs') as unknown,
    });
    expect(given[0]?.abortSignal?.aborted).toBe(true);
  });

  it('headersMs and idleMs, for an answer that is generated', async () => {
    const { model } = oddRig([() => new Promise(() => {})], { timeouts: { headersMs: 10, idleMs: 10 } });
    await expect(model.doGenerate({ prompt: question })).rejects.toMatchObject(waits);
  });

  it('idleMs, for every part of it', async () => {
    const { stream, wasCancelled } = hanging(begun);
    const { model, given } = oddRig([stream], { timeouts: { idleMs: 20 } });
    const parts = await partsOf(model);
    expect(parts.slice(-3)).toMatchObject([{ type: 'text-end' }, { type: 'error', error: waits }, { type: 'finish' }]);
    await expect.poll(wasCancelled).toBe(true);
    expect(given[0]?.abortSignal?.aborted).toBe(true);
  });

  it('none where they are 0', async () => {
    const slow = () => new Promise((resolve) => setTimeout(() => resolve({ stream: ended() }), 20));
    const { model } = oddRig([slow], { timeouts: { headersMs: 0, idleMs: 0 } });
    expect((await partsOf(model)).at(-1)).toMatchObject({ finishReason: 'stop' });
  });

  it('totalMs, for the call', async () => {
    const { stream, wasCancelled } = hanging(begun);
    const { model } = oddRig([stream], { timeouts: { totalMs: 30 } });
    expect((await partsOf(model)).slice(-2)).toMatchObject([
      { type: 'error', error: { code: 'timeout' } },
      { type: 'finish', finishReason: 'error' },
    ]);
    await expect.poll(wasCancelled).toBe(true);
  });
});

function ended(): ReadableStream<unknown> {
  return new ReadableStream({
    start: (controller) => {
      for (const part of [start, ...text('0', 'Hi.'), finish()]) controller.enqueue(part);
      controller.close();
    },
  });
}
