import { afterEach, describe, expect, it, vi } from 'vitest';
import { createResponsesProvider, type StockModel, withStockFallback } from '../../src/index.js';
import { fallbackCode } from '../../src/fallback/with-stock-fallback.js';
import { encodeEvents, responseEvents } from '../../src/testing.js';
import { HELLO } from '../provider/support/talk.js';

const EVENTS = new TextDecoder().decode(encodeEvents(responseEvents({ output: [{ type: 'text', text: 'Hi.' }] })));
const answer = async (): Promise<Response> =>
  new Response(EVENTS, { headers: { 'content-type': 'text/event-stream' } });

const stock = (): StockModel<'v2'> => ({
  specificationVersion: 'v2',
  provider: 'openai.responses',
  doStream: () => Promise.reject(new Error('not asked')),
  doGenerate: () => Promise.reject(new Error('not asked')),
});

function both(settings: object = {}) {
  const fetch = vi.fn(answer);
  const primary = createResponsesProvider({ baseURL: 'https://relay.example.com/v1', fetch });
  return { fetch, provider: withStockFallback({ primary, stock, useStock: false, ...settings }) };
}

async function textOf(call: PromiseLike<{ content: readonly { type: string; text?: string }[] }>): Promise<string> {
  return (await call).content.map(({ text }) => text ?? '').join('');
}

describe('the first call, while what chooses who answers is being loaded', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('settings that cannot be right are refused at once all the same', () => {
    vi.spyOn(fallbackCode, 'call').mockReturnValue(new Promise(() => {}));
    expect(() => both({ useStock: 'no' })).toThrow(/useStock/);
    expect(() => both({ fallOver: { failures: 0 } })).toThrow(/fallOver\.failures/);
    expect(() => both({ stock: {} })).toThrow(/stock/);
    expect(() => both({ useStok: true })).toThrow(/useStok/);
  });

  it('an abort ends it at once, and nobody is asked', async () => {
    vi.spyOn(fallbackCode, 'call').mockReturnValue(new Promise(() => {}));
    const useStock = vi.fn(() => false);
    const { fetch, provider } = both({ useStock });
    const controller = new AbortController();
    const call = provider('m').doStream({ ...HELLO, abortSignal: controller.signal });
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(useStock).not.toHaveBeenCalled();
    expect(fetch).not.toHaveBeenCalled();
  });

  it('a chunk that could not be fetched fails the call, and may be there for the next one', async () => {
    const load = fallbackCode.call;
    const lost = new TypeError('Failed to fetch dynamically imported module');
    vi.spyOn(fallbackCode, 'call').mockRejectedValueOnce(lost).mockRejectedValueOnce(lost).mockImplementation(load);
    const { provider } = both();
    await expect(provider('m').doGenerate(HELLO)).rejects.toBe(lost);
    expect(await textOf(provider('m').doGenerate(HELLO))).toBe('Hi.');
  });
});
