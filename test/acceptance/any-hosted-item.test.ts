import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { responseBody, type ResponseDescription, responseEvents, type ScriptedEvent } from 'responses-loop/testing';
import type { JsonObject, JsonValue } from '../../src/core/json.js';
import { RESPONSE_ITEMS } from '../../src/sdk/history/response-items.js';
import { asString } from '../../src/util/guards.js';
import { type AnyPart, answer, declared, EVERY_WAY, user, type Version, VERSIONS } from './support/any-version.js';
import { examples } from '../helpers/nightly.js';

/** Types of items with a life of their own; these three have tests of theirs. */
const OTHERS = new Set(['message', 'function_call', 'reasoning']);
const TYPES = [...Object.keys(RESPONSE_ITEMS), 'computer_use_call', 'x_search_call'].filter(
  (type) => !OTHERS.has(type),
);

/** What an item of any of these types is made of, and what it may be when a server has it wrong. */
const MEMBERS = [
  ...new Set(Object.values(RESPONSE_ITEMS).flatMap(({ needs, may = {} }) => Object.keys({ ...needs, ...may }))),
  'id',
  'call_id',
  'name',
  'error',
  'max_output_length',
  'acknowledged_safety_checks',
  'output_format',
  'async',
];

const anyJson = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;
/** Nearly right: the members that are looked into, with wrong members of their own. */
const nearly: Readonly<Record<string, fc.Arbitrary<JsonValue>>> = {
  id: fc.constantFrom('i_1', 'i_2'),
  call_id: fc.constantFrom('call_1', 'call_2', null),
  status: fc.constantFrom('completed', 'incomplete', 'failed', 'in_progress'),
  execution: fc.constantFrom('client', 'server'),
  environment: fc.record({ type: anyJson }),
  action: fc.record({ type: anyJson, sources: anyJson, env: anyJson, timeout_ms: anyJson }),
  actions: fc.array(anyJson),
  operation: fc.record(
    { type: fc.constantFrom('create_file', 'delete_file', 'x'), path: anyJson, diff: anyJson },
    { requiredKeys: [] },
  ),
  output: fc.array(fc.record({ stdout: anyJson, outcome: anyJson })),
  tools: fc.array(anyJson),
  results: fc.array(anyJson),
  arguments: fc.oneof(fc.json(), fc.constant('{')),
};

const member = (name: string): fc.Arbitrary<JsonValue> => {
  const like = nearly[name];
  return like === undefined ? anyJson : fc.oneof(anyJson, like);
};
const anyItem: fc.Arbitrary<JsonObject & { type: string }> = fc
  .tuple(
    fc.constantFrom(...TYPES),
    fc.record(Object.fromEntries(MEMBERS.map((name) => [name, member(name)])), { requiredKeys: [] }),
  )
  .map(([type, members]) => ({ ...members, type }));

const EVENTS = [
  'response.custom_tool_call_input.delta',
  'response.custom_tool_call_input.done',
  'response.apply_patch_call_operation_diff.delta',
  'response.apply_patch_call_operation_diff.done',
  'response.image_generation_call.partial_image',
  'response.mcp_call_arguments.delta',
  'response.code_interpreter_call_code.delta',
];
const anyEvent: fc.Arbitrary<ScriptedEvent> = fc
  .tuple(
    fc.constantFrom(...EVENTS),
    fc.record(
      {
        output_index: fc.oneof(fc.nat(3), anyJson),
        item_id: fc.oneof(fc.constantFrom('i_1', 'i_2'), anyJson),
        delta: fc.oneof(fc.string(), anyJson),
        partial_image_b64: fc.oneof(fc.constant('AQID'), anyJson),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([type, members]) => ({ ...members, type }));

const KINDS = ['shell', 'local_shell', 'apply_patch', 'computer', 'custom', 'tool_search', 'image_generation'];
const toolsOf = (version: Version) => KINDS.map((kind) => declared(version, kind));

/** A server that answers once, as it is asked to. */
function fetchOf(
  items: readonly (JsonObject & { type: string })[],
  between: readonly ScriptedEvent[],
): typeof globalThis.fetch {
  const description: ResponseDescription = {
    output: [...items.map((item) => ({ type: 'item', item }) as const), { type: 'text', text: 'The rest.' }],
  };
  return async (_url, init) => {
    const { stream } = JSON.parse(init?.body as string) as { stream?: boolean };
    if (stream !== true) return Response.json(responseBody(description));
    const events = responseEvents(description).flatMap((event) =>
      event.type === 'response.output_item.added' ? [event, ...between] : [event],
    );
    const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
    return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
  };
}

const textIn = (parts: readonly AnyPart[]): string =>
  parts
    .map(({ type, text, delta }) => asString(type === 'text-delta' ? delta : type === 'text' && text) ?? '')
    .join('');

describe('an item of a known type whose members are missing, or of another kind', () => {
  it.each(EVERY_WAY)('%s %s: fails no call, and the rest of the answer arrives', async (version, method) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyItem, { minLength: 1, maxLength: 3 }),
        fc.array(anyEvent, { maxLength: 3 }),
        fc.boolean(),
        async (items, between, declares) => {
          const provider = VERSIONS[version]({ apiKey: 'k', fetch: fetchOf(items, between) });
          const tools = declares ? toolsOf(version) : [];
          const parts = await answer(provider('m'), method, { prompt: [user('x')], tools });
          expect(parts.filter(({ type }) => type === 'error')).toEqual([]);
          expect(textIn(parts)).toContain('The rest.');
          if (method === 'doStream') expect(parts.at(-1)?.type).toBe('finish');
          await provider.close();
        },
      ),
      { numRuns: examples(40, 300) },
    );
  });
});
