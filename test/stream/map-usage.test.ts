import { describe, expect, it } from 'vitest';
import { sumUsage } from '../../src/core/usage.js';
import { mapIncompleteReason, mapUsage } from '../../src/stream/response-facts.js';

describe('usage: each number by itself, a missing one is missing', () => {
  it.each<[string, unknown, object]>([
    [
      'whole',
      {
        input_tokens: 10,
        output_tokens: 5,
        total_tokens: 15,
        input_tokens_details: { cached_tokens: 3, cache_write_tokens: 2 },
        output_tokens_details: { reasoning_tokens: 4 },
      },
      {
        inputTokens: 10,
        outputTokens: 5,
        totalTokens: 15,
        cachedInputTokens: 3,
        cacheWriteTokens: 2,
        reasoningTokens: 4,
      },
    ],
    [
      'with how long the server keeps what it wrote',
      {
        input_tokens: 10,
        input_tokens_details: {
          cache_write_tokens: 5,
          cache_write_tokens_details: { ttl_30m_tokens: 3, ttl_12h_tokens: 2 },
        },
      },
      { inputTokens: 10, cacheWriteTokens: 5, cacheWrite30mTokens: 3, cacheWrite12hTokens: 2 },
    ],
    [
      'without details (llama.cpp)',
      { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
      { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
    ],
    [
      'null details',
      { input_tokens: 10, input_tokens_details: null, output_tokens_details: null },
      { inputTokens: 10 },
    ],
    ['partial', { output_tokens: 5 }, { outputTokens: 5 }],
    ['zero is a number', { input_tokens: 0, output_tokens: 0 }, { inputTokens: 0, outputTokens: 0 }],
    ['negative is none', { input_tokens: -1 }, { inputTokens: 0 }],
    ['texts and nulls are no numbers', { input_tokens: '10', output_tokens: null, total_tokens: {} }, {}],
    ['empty', {}, {}],
  ])('%s', (_name, wire, expected) => {
    expect(mapUsage(wire)).toEqual({ ...expected, raw: wire });
  });

  it.each([null, undefined, 5, 'x', []])('%j is no usage', (wire) => {
    expect(mapUsage(wire)).toEqual({});
  });

  it('the sum over rounds adds what is known and invents nothing', () => {
    expect(
      sumUsage([
        { usage: { inputTokens: 1, outputTokens: 2 } },
        { usage: {} },
        { usage: { inputTokens: 3, reasoningTokens: 4, cacheWrite30mTokens: 5 } },
        { usage: { cacheWrite30mTokens: 1, cacheWrite12hTokens: 2 } },
      ]),
    ).toEqual({
      inputTokens: 4,
      cacheWrite30mTokens: 6,
      cacheWrite12hTokens: 2,
      outputTokens: 2,
      reasoningTokens: 4,
    });
    expect(sumUsage([])).toEqual({});
  });
});

describe('why a response is incomplete', () => {
  it.each<[unknown, string, string]>([
    [{ reason: 'max_output_tokens' }, 'length', 'max_output_tokens'],
    [{ reason: 'max_tokens' }, 'length', 'max_tokens'],
    [{ reason: 'content_filter' }, 'content-filter', 'content_filter'],
    [{ reason: 'something_new' }, 'other', 'something_new'],
    [{ reason: 'constructor' }, 'other', 'constructor'],
    [{}, 'other', 'incomplete'],
    [null, 'other', 'incomplete'],
  ])('%j', (details, finishReason, rawFinishReason) => {
    expect(mapIncompleteReason({ incomplete_details: details })).toEqual({ finishReason, rawFinishReason });
  });
});
