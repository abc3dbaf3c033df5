import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.js';
import { newItems, remember } from '../../../src/transport/socket/continuation.js';

const call = (n: number): JsonObject => ({ type: 'function_call', call_id: `c${n}`, name: 'step', arguments: '{}' });
const output = (n: number): JsonObject => ({
  type: 'function_call_output',
  call_id: `c${n}`,
  output: `result ${n} ${'x'.repeat(4_000)}`,
});

/** A conversation of so many rounds, each object of it new. */
function conversation(rounds: number): JsonObject[] {
  const user: JsonObject = { type: 'message', role: 'user', content: 'A question of some length.' };
  return [user, ...Array.from({ length: rounds }, (_, n) => [call(n), output(n)]).flat()];
}

const TOOLS = Array.from({ length: 40 }, (_, n) => ({
  type: 'function',
  name: `t${n}`,
  description: 'd'.repeat(1_000),
}));
const bodyOf = (input: JsonObject[]): JsonObject => ({ model: 'm', instructions: 'Be brief.', tools: TOOLS, input });

describe('what an idle connection keeps of 400 rounds with results of 4 kB', () => {
  const answer: JsonObject = {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: `The answer ${'y'.repeat(50_000)}` }],
  };
  const kept = remember(bodyOf(conversation(400)), { id: 'resp_1', output: [answer] });

  it('is some characters of each item, and none of its texts', () => {
    const text = JSON.stringify(kept);
    expect(text.length).toBeLessThan(400 * 2 * 40);
    for (const said of ['question', 'result', 'x'.repeat(20), 'd'.repeat(20), 'brief', 'y'.repeat(20)])
      expect(text).not.toContain(said);
  });

  it('is enough to know the next turn again, made of other objects, and nothing else', () => {
    const next = (rounds: number, change: Partial<JsonObject> = {}): JsonObject => {
      const more: JsonObject = { type: 'message', role: 'user', content: 'And now?' };
      const again = structuredClone(bodyOf([...conversation(rounds), answer, more]));
      return { ...again, ...change };
    };
    if (kept === undefined) throw new Error('nothing was kept');
    expect(newItems(next(400), kept)).toEqual([{ type: 'message', role: 'user', content: 'And now?' }]);
    expect(newItems(next(399), kept)).toBeUndefined();
    expect(newItems(next(400, { instructions: 'Be long.' }), kept)).toBeUndefined();
    const edited = next(400);
    Object.assign((edited['input'] as JsonObject[])[200] ?? {}, { output: 'another result' });
    expect(newItems(edited, kept)).toBeUndefined();
  });
});

describe('texts of the same length that differ in a few bits', () => {
  // One hash of the FNV family makes the same of both, whatever it begins with: what differs is shifted out.
  const twins = [`a${'x'.repeat(32_767)}b`, `\u8061${'x'.repeat(32_767)}\u8062`];
  const user = (content: string): JsonObject => ({ type: 'message', role: 'user', content });
  const answer: JsonObject = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes.' }] };

  it('are never taken for one another', () => {
    const [one = '', other = ''] = twins;
    const kept = remember({ model: 'm', input: [user(one)] }, { id: 'resp_1', output: [answer] });
    if (kept === undefined) throw new Error('nothing was kept');
    const next = (first: string): JsonObject => ({ model: 'm', input: [user(first), answer, user('And?')] });
    expect(newItems(next(one), kept)).toEqual([user('And?')]);
    expect(newItems(next(other), kept)).toBeUndefined();
  });
});
