import { describe, expect, it } from 'vitest';
import { timeThoughts } from '../../src/chat/time-thoughts.js';
import type { ChatChunk } from '../../src/types.js';

describe('the time of a thought', () => {
  it('is in the metadata of its end, beside what the provider has there', () => {
    let now = 0;
    const timed = timeThoughts(() => now);
    const start: ChatChunk = { type: 'reasoning-start', id: 'r', providerMetadata: { p: { sealed: 'x' } } };
    expect(timed(start)).toBe(start);
    now = 2_500;
    expect(timed({ type: 'reasoning-end', id: 'r' })).toEqual({
      type: 'reasoning-end',
      id: 'r',
      providerMetadata: { p: { sealed: 'x' }, 'chat-server': { thoughtMs: 2_500 } },
    });
  });

  it('is of each part by itself, whichever ends first', () => {
    let now = 0;
    const timed = timeThoughts(() => now);
    timed({ type: 'reasoning-start', id: 'a' });
    now = 10;
    timed({ type: 'reasoning-start', id: 'b' });
    now = 30;
    expect(timed({ type: 'reasoning-end', id: 'b' })).toMatchObject({
      providerMetadata: { 'chat-server': { thoughtMs: 20 } },
    });
    expect(timed({ type: 'reasoning-end', id: 'a' })).toMatchObject({
      providerMetadata: { 'chat-server': { thoughtMs: 30 } },
    });
  });

  it('leaves every other chunk as it is', () => {
    const chunk: ChatChunk = { type: 'text-delta', id: 't', delta: 'x' };
    expect(timeThoughts()(chunk)).toBe(chunk);
  });
});
