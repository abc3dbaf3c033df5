import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.js';
import { PROFILES, type ProfileName } from '../../src/request/profiles.js';
import { inputOf, user } from './support/build.js';

const ORIGIN = 'host.model.key';
/** Few, so that they meet; some that no server takes. */
const callId = fc.constantFrom('c1', 'c2', 'c3', '', 'x'.repeat(65), 'y'.repeat(400), 'call_1');
const words = fc.constantFrom('', 'A', 'Let me look.', '{"a":1}', '喵');

const call = fc.record({
  type: fc.constant('tool-call'),
  toolCallId: callId,
  toolName: fc.constantFrom('add', ''),
  input: fc.oneof(fc.constant({ a: 1 }), words, fc.constant(undefined)),
  providerExecuted: fc.boolean(),
});
const result = fc.record({
  type: fc.constant('tool-result'),
  toolCallId: callId,
  toolName: fc.constant('add'),
  output: fc.oneof(
    fc.record({ type: fc.constantFrom('text', 'error-text', 'json', 'error-json', 'nonsense'), value: words }),
    fc.constant({
      type: 'content',
      value: [
        { type: 'text', text: 'T' },
        { type: 'media', data: 'aGk=', mediaType: 'image/png' },
        { type: 'nonsense' },
      ],
    }),
    fc.constant(undefined),
  ),
});
const text = fc.record({
  type: fc.constant('text'),
  text: words,
  providerOptions: fc.constantFrom(undefined, { openai: { itemId: 'msg_1' } }),
});
const reasoning = fc.record({
  type: fc.constant('reasoning'),
  text: words,
  providerOptions: fc.constantFrom<JsonObject[]>(
    {},
    { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'sealed' } },
    { openai: { itemId: 'rs_2' } },
    { 'responses-loop': { reasoning: { kind: 'summary', origin: ORIGIN, encrypted: 'sealed' } } },
    { 'responses-loop': { reasoning: { kind: 'text', origin: ORIGIN } } },
    { 'responses-loop': { reasoning: { kind: 'summary', continues: true } } },
    { 'responses-loop': { reasoning: { kind: 'summary', origin: 'elsewhere', encrypted: 'theirs' } } },
  ),
});
const carrier = fc.record({
  type: fc.constant('text'),
  text: words,
  providerOptions: fc.record({
    'responses-loop': fc.record({
      carrier: fc.record({
        v: fc.constantFrom(1, 2),
        calls: fc.array(
          fc.record({
            callId,
            name: fc.constant('add'),
            arguments: words,
            output: fc.constantFrom<unknown[]>(
              { isError: false, content: [{ type: 'text', text: 'T' }] },
              { content: [{ type: 'file' }, { type: 'nonsense' }, 5] },
              null,
              'broken',
            ),
          }),
          { maxLength: 2 },
        ),
      }),
    }),
  }),
});
const strange = fc.constantFrom(
  { type: 'nonsense' },
  { type: 'tool-approval-request', approvalId: 'a' },
  { type: 'source', url: 'u' },
  {},
);

const message = fc.oneof(
  fc.record({ role: fc.constant('system'), content: words }),
  fc.record({ role: fc.constant('user'), content: fc.array(fc.oneof(text, strange), { maxLength: 2 }) }),
  {
    weight: 4,
    arbitrary: fc.record({
      role: fc.constant('assistant'),
      content: fc.array(
        fc.oneof(text, reasoning, { weight: 3, arbitrary: call }, { weight: 2, arbitrary: result }, carrier, strange),
        { maxLength: 6 },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      role: fc.constant('tool'),
      content: fc.array(fc.oneof({ weight: 4, arbitrary: result }, strange), { maxLength: 3 }),
    }),
  },
  fc.record({ role: fc.constantFrom('developer', 'nonsense'), content: words }),
);
/** A prompt in which nothing is said at all is refused; with one word at its head, any history has to be taken. */
const prompt = fc.array(message, { maxLength: 8 }).map((messages): readonly unknown[] => [user('Hello.'), ...messages]);
const backend = fc.constantFrom(...(Object.keys(PROFILES) as ProfileName[]));

/** Checks a property of the input made of any history, for any back end. */
function always(check: (input: JsonObject[], backend: ProfileName) => void): void {
  fc.assert(
    fc.property(prompt, backend, (messages, name) => check(inputOf(messages, { backend: name, origin: ORIGIN }), name)),
    { numRuns: 500 },
  );
}

const positions = (input: JsonObject[], type: string): number[] =>
  input.flatMap((item, at) => (item['type'] === type ? [at] : []));

describe('any history at all', () => {
  it('every call has exactly one output, before anything but other calls and outputs comes', () => {
    always((input) => {
      for (const at of positions(input, 'function_call')) {
        const outputs = input.flatMap((item, other) =>
          item['type'] === 'function_call_output' && item['call_id'] === input[at]?.['call_id'] ? [other] : [],
        );
        expect(outputs).toHaveLength(1);
        expect(outputs[0]).toBeGreaterThan(at);
        const between = input.slice(at, outputs[0]).map((item) => item['type']);
        expect(between.filter((type) => type !== 'function_call' && type !== 'function_call_output')).toEqual([]);
      }
    });
  });

  it('every output has its call before it', () => {
    always((input) => {
      for (const at of positions(input, 'function_call_output')) {
        expect(
          input
            .slice(0, at)
            .filter((item) => item['type'] === 'function_call' && item['call_id'] === input[at]?.['call_id']),
        ).toHaveLength(1);
      }
    });
  });

  it('call ids are unique, not empty, and at most 64 characters long', () => {
    always((input) => {
      const ids = positions(input, 'function_call').map((at) => input[at]?.['call_id']);
      expect(new Set(ids).size).toBe(ids.length);
      for (const id of ids) expect(id).toMatch(/^.{1,64}$/);
    });
  });

  it('no item_reference, no null, and ids only where the back end wants made-up ones', () => {
    always((input, name) => {
      expect(positions(input, 'item_reference')).toEqual([]);
      expect(JSON.stringify(input)).not.toContain('null,');
      const ids = input.flatMap((item) => item['id'] ?? []);
      expect(new Set(ids).size).toBe(ids.length);
      if (PROFILES[name].assistantMessageIds === 'omit') expect(ids).toEqual([]);
      else expect(ids).toEqual(ids.map(() => expect.stringMatching(/^msg_[\da-f]+$/)));
    });
  });

  it('reasoning is never last and never stands before a user item or an output', () => {
    always((input) => {
      for (const at of positions(input, 'reasoning')) {
        const next = input[at + 1];
        expect(next).toBeDefined();
        expect(
          next?.['type'] === 'function_call' || next?.['type'] === 'reasoning' || next?.['role'] === 'assistant',
        ).toBe(true);
      }
    });
  });

  it('reasoning of another origin, and seals nobody can open, stay here', () => {
    always((input, name) => {
      const sent = JSON.stringify(input);
      expect(sent).not.toContain('theirs');
      if (PROFILES[name].reasoningReplay !== 'encrypted') expect(sent).not.toContain('sealed');
      if (PROFILES[name].reasoningReplay === 'none') expect(positions(input, 'reasoning')).toEqual([]);
    });
  });

  it("the same history always gives the same bytes, for the server's prompt cache", () => {
    fc.assert(
      fc.property(prompt, backend, (messages, name) => {
        const once = JSON.stringify(inputOf(messages, { backend: name, origin: ORIGIN }));
        expect(JSON.stringify(inputOf(structuredClone(messages), { backend: name, origin: ORIGIN }))).toBe(once);
      }),
    );
  });

  it('a longer history begins with the bytes of the shorter one', () => {
    fc.assert(
      fc.property(prompt, backend, (messages, name) => {
        const shorter = inputOf([...messages, { role: 'user', content: 'Q' }], { backend: name, origin: ORIGIN });
        const longer = inputOf(
          [
            ...messages,
            { role: 'user', content: 'Q' },
            { role: 'assistant', content: 'A' },
            { role: 'user', content: 'Q2' },
          ],
          { backend: name, origin: ORIGIN },
        );
        expect(longer.slice(0, shorter.length)).toEqual(shorter);
      }),
    );
  });
});
