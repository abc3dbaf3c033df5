import { describe, expect, it, vi } from 'vitest';
import { MockLanguageModelV2 } from 'ai/test';
import { createResponsesProvider, type ObserverEvent, withStockFallback } from '../../src/index.js';
import { responseBody } from '../../src/testing.js';
import { says } from '../acceptance/support/rig.js';
import { choicesIn } from '../sdks/support/fallback.js';
import { question } from './support/odd-stock.js';

type Settings = Partial<Parameters<typeof withStockFallback>[0]>;

/** A primary whose server does as it is told for every request, and a stock provider that always answers. */
function crowdRig(answer: (signal: AbortSignal) => Promise<Response>, settings: Settings = {}) {
  const events: ObserverEvent[] = [];
  let requests = 0;
  const primary = createResponsesProvider({
    apiKey: 'test-key',
    baseURL: 'http://127.0.0.1:9/v1',
    onEvent: (event) => events.push(event),
    fetch: async (_url, init) => {
      requests += 1;
      return answer(init?.signal as AbortSignal);
    },
  });
  const stock = new MockLanguageModelV2({
    doGenerate: {
      content: [{ type: 'text', text: 'stock' }],
      finishReason: 'stop',
      usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
      warnings: [],
    },
  });
  const provider = withStockFallback({ primary, stock: () => stock, useStock: false, ...settings });
  const ask = async (abortSignal?: AbortSignal): Promise<string> => {
    const { content } = await provider('m').doGenerate({
      prompt: question,
      ...(abortSignal === undefined ? {} : { abortSignal }),
    });
    return content.map((part) => (part.type === 'text' ? part.text : part.type)).join('');
  };
  return { ask, events, provider, requests: () => requests };
}

const up = async () => Promise.resolve(Response.json(responseBody(says('resp_1', 'primary'))));
const down = async () => Promise.resolve(Response.json({ error: { message: 'down' } }, { status: 500 }));
/** Answers when the test says so, or never. */
function slow() {
  const waiting: ((response: Response) => void)[] = [];
  const answer = async () => new Promise<Response>((resolve) => waiting.push(resolve));
  return { answer, waiting };
}

describe('many calls at once', () => {
  it('all end in an answer while the primary is down, and it is asked again when it has rested', async () => {
    let isUp = false;
    const { ask, requests } = crowdRig(async () => (isUp ? up() : down()), {
      fallOver: { failures: 3, restMs: 1_000 },
    });
    const first = await Promise.all(Array.from({ length: 200 }, async () => ask()));
    expect(new Set(first)).toEqual(new Set(['stock']));
    const asked = requests();
    expect(await ask()).toBe('stock');
    expect(requests()).toBe(asked);
    isUp = true;
    await new Promise((resolve) => setTimeout(resolve, 1_010));
    expect(await ask()).toBe('primary');
    expect(new Set(await Promise.all(Array.from({ length: 200 }, async () => ask())))).toEqual(new Set(['primary']));
  });

  it('one tries a primary that has rested; when it is aborted while it waits, the next one does', async () => {
    const { answer, waiting } = slow();
    let isSlow = false;
    const { ask, requests, events } = crowdRig(async () => (isSlow ? answer() : down()), {
      fallOver: { failures: 1, restMs: 10 },
    });
    await ask();
    isSlow = true;
    await new Promise((resolve) => setTimeout(resolve, 20));
    const controller = new AbortController();
    const trying = ask(controller.signal);
    await expect.poll(() => waiting.length).toBe(1);
    expect(await ask()).toBe('stock');
    expect(choicesIn(events).at(-1)).toBe('stock: circuit');
    controller.abort();
    await expect(trying).rejects.toThrow(/abort/i);
    const next = ask();
    await expect.poll(() => waiting.length).toBe(2);
    waiting[1]?.(await up());
    expect(await next).toBe('primary');
    expect(requests()).toBe(3);
  });

  it('no other tries while the stock provider still answers for the one that did', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let hold = false;
    const stock = new MockLanguageModelV2({
      doGenerate: async () => {
        if (hold) await held;
        const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
        return { content: [{ type: 'text', text: 'stock' }], finishReason: 'stop', usage, warnings: [] };
      },
    });
    const { ask, requests } = crowdRig(down, { stock: () => stock, fallOver: { failures: 1, restMs: 10 } });
    await ask();
    await new Promise((resolve) => setTimeout(resolve, 20));
    hold = true;
    const trying = ask();
    await expect.poll(requests).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 5));
    hold = false;
    await ask();
    expect(requests()).toBe(2);
    release();
    expect(await trying).toBe('stock');
  });
});

describe('a rule or a flag that goes wrong', () => {
  it.each<readonly [string, (error: Error) => boolean, RegExp]>([
    [
      'throws',
      () => {
        throw new Error('no rules today');
      },
      /down.*fallOver\.when failed: no rules today/,
    ],
    [
      'gives a promise',
      (() => Promise.resolve(true)) as unknown as () => boolean,
      /down.*fallOver\.when returned .* instead of true or false/,
    ],
  ])('the primary’s failure is told, with what the rule did: it %s', async (_name, when, message) => {
    const { ask, events } = crowdRig(down, { fallOver: { when } });
    await expect(ask()).rejects.toMatchObject({ statusCode: 500, message: expect.stringMatching(message) as unknown });
    expect(choicesIn(events)).toEqual(['primary: flag']);
  });

  it('a flag that never says anything is a flag that cannot be read', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { ask, events } = crowdRig(up, { useStock: () => new Promise(() => {}) });
      const asked = ask();
      await vi.advanceTimersByTimeAsync(5_000);
      expect(await asked).toBe('primary');
      expect(choicesIn(events)).toEqual(['primary: default']);
      expect(JSON.stringify(events)).toContain('useStock failed: it did not return within 5000 ms');
    } finally {
      vi.useRealTimers();
    }
  });
});
