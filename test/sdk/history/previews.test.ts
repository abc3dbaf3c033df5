import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/core/json.js';
import { pair } from '../../../src/history/pair.js';
import { fromPrompt } from '../../../src/sdk/prompt/from-prompt.js';

const call = (id: string): JsonObject => ({ type: 'tool-call', toolCallId: id, toolName: 'walk', input: {} });
const output = (value: string, type = 'text'): JsonObject => ({ type, value });
const result = (id: string, value: string, type = 'text'): JsonObject => ({
  type: 'tool-result',
  toolCallId: id,
  toolName: 'walk',
  output: output(value, type),
});
const marked = (part: JsonObject): JsonObject => ({
  ...part,
  providerOptions: { 'responses-loop': { preliminary: true } },
});

/** The outputs of the calls of a history, in order; `undefined` for a call without one. */
function outputsOf(...messages: readonly (readonly ['assistant' | 'tool', ...JsonObject[]])[]) {
  const prompt = messages.map(([role, ...content]) => ({ role, content }));
  return pair(fromPrompt(prompt).messages)
    .flatMap((turn) => ('entries' in turn ? turn.entries : []))
    .flatMap((entry) => (entry.type === 'call' ? [entry.output?.content[0]] : []))
    .map((content) => (content?.type === 'text' ? content.text : undefined));
}

describe('several results of one call in a message of the model', () => {
  it('are previews but for the last', () => {
    expect(outputsOf(['assistant', call('a'), result('a', '1'), result('a', '2'), result('a', '3')])).toEqual(['3']);
  });

  it('are none of another call with the same id', () => {
    const twice = [call('a'), result('a', '1'), result('a', '2'), call('a'), result('a', '3'), result('a', '4')];
    expect(outputsOf(['assistant', ...twice])).toEqual(['2', '4']);
  });

  it('leave the first of several messages as the result: another may have been made up', () => {
    expect(outputsOf(['assistant', call('a'), result('a', '1')], ['tool', result('a', '2')])).toEqual(['1']);
  });

  it('hold for any order of calls, each with any number of previews', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ id: fc.constantFrom('a', 'b', 'c'), previews: fc.nat(4) }), { maxLength: 8 }),
        (made) => {
          const parts = made.flatMap(({ id, previews }, at) => [
            call(id),
            ...Array.from({ length: previews }, (_, step) => result(id, `${at}.${step}`)),
            result(id, `${at} is over`),
          ]);
          expect(outputsOf(['assistant', ...parts])).toEqual(made.map((_, at) => `${at} is over`));
        },
      ),
    );
  });
});

describe('a result that is marked as preliminary', () => {
  it.each(['assistant', 'tool'] as const)('is none of its call, where there is no other (%s)', (role) => {
    const parts = [marked(result('a', 'half'))];
    const messages = role === 'tool' ? [['assistant', call('a')] as const, ['tool', ...parts] as const] : [];
    expect(outputsOf(...(role === 'tool' ? messages : [['assistant', call('a'), ...parts] as const]))).toEqual([
      undefined,
    ]);
  });

  it('does not stand for the result that follows it in another message', () => {
    expect(outputsOf(['assistant', call('a'), marked(result('a', 'half'))], ['tool', result('a', 'whole')])).toEqual([
      'whole',
    ]);
  });

  it.each(['error-text', 'error-json'])('is the result if it is an error: a UI message keeps the mark (%s)', (type) => {
    expect(outputsOf(['assistant', call('a'), marked(result('a', 'a fox', type))])).toEqual(['a fox']);
  });

  it.each([false, 'true', 1, null, {}])('is a result if the mark is %j', (preliminary) => {
    const part = { ...result('a', 'whole'), providerOptions: { 'responses-loop': { preliminary } } };
    expect(outputsOf(['assistant', call('a'), part as JsonObject])).toEqual(['whole']);
  });
});
