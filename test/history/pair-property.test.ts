import fc from 'fast-check';
import { expect, it } from 'vitest';
import { serverItem } from '../../src/core/call-items.js';
import type { Entry } from '../../src/core/entry.js';
import { type AssistantContent, type Message, textOutput, type ToolMessage } from '../../src/core/message.js';
import { pair } from '../../src/history/pair.js';
import { convertTurns } from '../../src/request/convert-turns.js';
import { PROFILES } from '../../src/request/profiles.js';
import { WireIds } from '../../src/request/wire-ids.js';
import { asString } from '../../src/util/guards.js';
import { pairOf } from '../../src/items/pairs.js';
import type { JsonObject } from '../../src/core/json.js';

/** Few, so that they meet. */
const id = fc.constantFrom('a', 'b', 'c');
const result = id.map((callId) => ({ type: 'tool-result' as const, callId, output: textOutput('T') }));
const content = fc.oneof<fc.Arbitrary<AssistantContent>[]>(
  fc.record({
    type: fc.constant('tool-call'),
    callId: id,
    name: fc.constant('add'),
    arguments: fc.constant('{}'),
    wasHidden: fc.constantFrom<true[]>(true, undefined as never),
    inRound: fc.constantFrom('1', '2', undefined as never),
  }) as fc.Arbitrary<AssistantContent>,
  result,
  fc.nat().map((n): AssistantContent => ({ type: 'text', text: `T${n}` })),
  id.map((callId): AssistantContent => ({ type: 'asked', callId })),
  fc
    .tuple(fc.constantFrom('shell_call', 'shell_call_output', 'program', 'program_output', 'web_search_call'), id)
    .map(([type, callId]): AssistantContent => ({ type: 'item', item: serverItem({ type, call_id: callId }) })),
);
const approval = id.map((callId) => ({
  type: 'approval' as const,
  approvalId: `responses-loop::${callId}`,
  approved: true,
}));
const message = fc.oneof<fc.Arbitrary<Message>[]>(
  fc.record({ role: fc.constant('assistant' as const), content: fc.array(content, { maxLength: 8 }) }),
  fc.record({
    role: fc.constant('tool' as const),
    content: fc.array<ToolMessage['content'][number]>(fc.oneof(result, approval), { maxLength: 3 }),
  }),
  fc.nat().map((n): Message => ({ role: 'user', content: [{ type: 'text', text: `U${n}` }] })),
);
const messages = fc.array(message, { maxLength: 8 });

function inputOf(given: readonly Message[]): JsonObject[] {
  const options = { profile: PROFILES.openai, ids: new WireIds(), leaveOut: () => {} };
  return convertTurns(pair(given, { isSame: () => true }), options) as unknown as JsonObject[];
}

function always(check: (given: readonly Message[]) => void): void {
  fc.assert(fc.property(messages, check), { numRuns: 1_000 });
}

it('every call gets exactly one output, behind it', () => {
  always((given) => {
    const open = new Map<string, number>();
    const seen = new Set<string>();
    for (const item of inputOf(given)) {
      const { call, output } = pairOf(item);
      if (call !== undefined) {
        expect(seen).not.toContain(call);
        seen.add(call);
        open.set(call, (open.get(call) ?? 0) + 1);
      }
      if (output === undefined) continue;
      expect(open.get(output)).toBe(1);
      open.delete(output);
    }
    // A program may give its output later.
    expect([...open.keys()].filter((key) => !key.startsWith('program '))).toEqual([]);
  });
});

it('between a function call and its output are only calls and outputs', () => {
  always((given) => {
    const input = inputOf(given);
    for (const [at, { type, call_id: callId }] of input.entries()) {
      if (type !== 'function_call') continue;
      const end = input.findIndex((other) => other['type'] === 'function_call_output' && other['call_id'] === callId);
      const between = input.slice(at, end).flatMap((other) => asString(other['type']) ?? []);
      expect(between.filter((other) => !other.startsWith('function_call'))).toEqual([]);
    }
  });
});

it('nothing that a user or the model said is lost, and the order stays', () => {
  always((given) => {
    const said = given.flatMap((one) =>
      one.role === 'user' || one.role === 'assistant' ? one.content.filter(({ type }) => type === 'text') : [],
    );
    const kept = pair(given, { isSame: () => true }).flatMap((turn): readonly object[] =>
      'entries' in turn ? turn.entries.filter(({ type }) => type === 'text') : 'content' in turn ? turn.content : [],
    );
    expect(kept).toMatchObject(said);
  });
});

it('an output is used once, and each loose one is nobody else’s', () => {
  always((given) => {
    const outputs = new Set<object>();
    const take = (output: object): void => {
      expect(outputs.has(output)).toBe(false);
      outputs.add(output);
    };
    const copies = given.map((one): Message => structuredClone(one));
    for (const turn of pair(copies))
      if ('entries' in turn)
        turn.entries.forEach((entry: Entry) => {
          if (entry.type === 'call' && entry.output !== undefined) take(entry.output);
          if (entry.type === 'output') take(entry.result.output);
        });
  });
});
