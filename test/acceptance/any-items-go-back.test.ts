import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { responseBody, type ResponseDescription, responseEvents } from 'responses-loop/testing';
import type { JsonObject, JsonValue } from '../../src/core/json.js';
import { RESPONSE_ITEMS } from '../../src/sdk/history/response-items.js';
import { answer, declared, EVERY_WAY, user, type Version, VERSIONS } from './support/any-version.js';
import { asMessages, brokenCalls, brokenPairs, leftToCaller, outputsIn } from './support/go-back.js';
import { examples } from '../helpers/nightly.js';

type Item = JsonObject & { type: string };

const action = { type: 'exec', commands: ['ls'], command: ['ls'], env: {} };
/** An item of each type as a server should write it; what is not listed is made of what all of them may have. */
const WHOLE: Readonly<Record<string, JsonObject>> = {
  function_call: { name: 'look', arguments: '{}' },
  message: { role: 'assistant', content: [{ type: 'output_text', text: 'Said.', annotations: [] }] },
  reasoning: { summary: [], encrypted_content: 'sealed' },
  custom_tool_call: { name: 'custom', input: 'SELECT 1' },
  shell_call: { action, environment: { type: 'local' } },
  local_shell_call: { action },
  apply_patch_call: { operation: { type: 'delete_file', path: 'a' } },
  computer_call: { actions: [], pending_safety_checks: [] },
  shell_call_output: { output: [] },
  computer_call_output: { output: {} },
  tool_search_call: { execution: 'client', arguments: {} },
  tool_search_output: { execution: 'client', tools: [] },
  mcp_call: { server_label: 's', name: 'roll', arguments: '{}', output: '1' },
  mcp_approval_request: { server_label: 's', name: 'roll', arguments: '{}' },
  mcp_list_tools: { server_label: 's', tools: [] },
  program: { code: 'x', fingerprint: 'f' },
  program_output: { result: '1' },
  function_call_output: { output: 'done' },
};
const TYPES = [...new Set([...Object.keys(RESPONSE_ITEMS), ...Object.keys(WHOLE), 'computer_use_call'])];
const ids = fc.constantFrom('a', 'b');
const wrong = fc.constantFrom<JsonValue>(null, 7, '', [], {}, 'x', true);
const spoiled = fc.record({
  id: fc.oneof({ weight: 4, arbitrary: ids }, wrong),
  call_id: fc.oneof({ weight: 4, arbitrary: ids }, wrong),
  status: fc.oneof(fc.constantFrom<JsonValue>('completed', 'in_progress', 'failed', 'incomplete'), wrong),
  environment: fc.constantFrom<JsonValue>(null, { type: 'local' }, { type: 'container_reference' }, 'x'),
  execution: fc.constantFrom<JsonValue>('client', 'server', null, 7),
});
const anyItem: fc.Arbitrary<Item> = fc
  .tuple(fc.constantFrom(...TYPES), spoiled, fc.array(fc.nat(12), { maxLength: 3 }), fc.array(wrong, { maxLength: 1 }))
  .map(([type, { id, call_id, status, environment, execution }, without, [value]]) => {
    const extra = { ...(type === 'shell_call' ? { environment } : {}), ...(/search/.test(type) ? { execution } : {}) };
    const members = Object.entries({ id, call_id, status, output: 'out', ...WHOLE[type], ...extra });
    const kept = members.filter((_, at) => !without.slice(1).includes(at));
    const spoilt = kept.map(([name, given], at) => [name, at === without[0] && value !== undefined ? value : given]);
    return { ...(Object.fromEntries(spoilt) as JsonObject), type };
  });

const KINDS = ['shell', 'local_shell', 'apply_patch', 'computer', 'custom', 'tool_search', 'programmatic_tool_calling'];
const toolsOf = (version: Version) => [
  ...KINDS.map((kind) => declared(version, kind)),
  declared(version, 'mcp', { serverLabel: 's', serverUrl: 'https://x.example' }),
  { type: 'function', name: 'ask', inputSchema: { type: 'object', properties: {} } },
];

/** Answers with these rounds, then with a text; keeps what it was asked. */
function serverOf(rounds: readonly (readonly Item[])[]) {
  const inputs: JsonObject[][] = [];
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    const { stream, input } = JSON.parse(init?.body as string) as { stream?: boolean; input: JsonObject[] };
    const items = rounds[inputs.length] ?? [];
    inputs.push(input);
    const output = [...items.map((item) => ({ type: 'item', item }) as const), { type: 'text', text: 'End.' } as const];
    const description: ResponseDescription = { id: `r${inputs.length}`, output };
    if (stream !== true) return Response.json(responseBody(description));
    const text = responseEvents(description).map((event) => `data: ${JSON.stringify(event)}\n\n`);
    return new Response(text.join(''), { headers: { 'content-type': 'text/event-stream' } });
  };
  return { fetch, inputs };
}

describe('whatever items two rounds hold, in whatever order, with ids that are doubled, wrong or missing', () => {
  it.each(EVERY_WAY)(
    '%s %s: each call has one result at most, and goes back once with one output, in this call and the next',
    async (version, method) => {
      const rounds = fc.tuple(fc.array(anyItem, { maxLength: 4 }), fc.array(anyItem, { maxLength: 3 }));
      await fc.assert(
        fc.asyncProperty(rounds, fc.boolean(), async (items, declares) => {
          const { fetch, inputs } = serverOf(items);
          const provider = VERSIONS[version]({
            apiKey: 'k',
            fetch,
            tools: { look: { inputSchema: { type: 'object' }, execute: () => 'seen' } },
          });
          const tools = declares ? toolsOf(version) : [];
          let prompt: object[] = [user('x')];
          let answered = 0;
          for (let turn = 0; turn < 3; turn += 1) {
            const before = inputs.length;
            const parts = await answer(provider('m'), method, { prompt, tools });
            // Nothing that the caller has answered is lost.
            expect(outputsIn(inputs[before] ?? [])).toBeGreaterThanOrEqual(answered);
            answered += leftToCaller(parts).length;
            expect(parts.filter(({ type }) => type === 'error')).toEqual([]);
            expect(brokenCalls(parts)).toEqual([]);
            prompt = [...prompt, ...asMessages(parts), user('go on')];
          }
          for (const input of inputs) expect([brokenPairs(input), input]).toEqual([[], input]);
          await provider.close();
        }),
        { numRuns: examples(40, 200) },
      );
    },
  );
});
