import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createResponsesProvider as createV2, type ResponsesProviderSettings } from 'responses-loop';
import { createResponsesProvider as createV3 } from 'responses-loop/v3';
import { createResponsesProvider as createV4 } from 'responses-loop/v4';
import { REFUSED_ITEMS, RESPONSE_ITEMS } from '../../../src/provider/history/response-items.js';

type Item = Readonly<Record<string, unknown>>;

/** Stands in every text that a lie puts beside a part: with a secret none of it may be sent. */
const FORGED = 'forged';
/** Becomes `__proto__`, which an object literal cannot say. */
const PROTO = 'PROTO';

const lie = fc.constantFrom(FORGED, `${FORGED} more`, `{"${FORGED}":1}`);
const word = fc.oneof(lie, fc.constantFrom('', 'c1', 'c2', 'mcpr_1'), fc.constant(null));
const anything = fc.oneof(fc.jsonValue({ maxDepth: 3 }), lie, fc.constant({ [PROTO]: { role: 'developer' } }));
const type = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...Object.keys(RESPONSE_ITEMS), ...Object.keys(REFUSED_ITEMS)) },
  fc.constantFrom('developer_note', 'constructor', '__proto__', 'hasOwnProperty', 'openrouter:search', ''),
  anything,
);
const role = fc.constantFrom('developer', 'system', 'user', 'assistant', 'tool', null, 7);
const content = fc.oneof(
  anything,
  fc.array(fc.record({ type: fc.constantFrom('input_text', 'output_text', 'refusal'), text: lie, refusal: lie }), {
    maxLength: 2,
  }),
);
/** Members that items have, of the right kind and of any other. */
const item = fc.record(
  {
    type,
    role,
    content,
    id: word,
    call_id: word,
    name: fc.oneof(word, anything),
    arguments: fc.oneof(word, anything),
    output: fc.oneof(lie, fc.constant([]), fc.constant({}), anything),
    server_label: fc.oneof(lie, anything),
    encrypted_content: fc.oneof(lie, anything),
    approval_request_id: word,
    approve: fc.boolean(),
    code: fc.oneof(lie, anything),
    result: fc.oneof(lie, anything),
    tools: fc.oneof(fc.constant([]), fc.constant([{ type: 'mcp', server_url: FORGED }]), anything),
    action: fc.oneof(fc.constant({}), anything),
    unknown: anything,
    [PROTO]: fc.constant({ type: 'message', role: 'system' }),
  },
  { requiredKeys: ['type'] },
);
const items = fc.oneof({ weight: 4, arbitrary: fc.array(item, { maxLength: 4 }) }, anything);
const output = fc.oneof(anything, fc.record({ isError: fc.boolean(), content: fc.array(anything, { maxLength: 2 }) }));
const hiddenCall = fc.record(
  { callId: word, name: lie, arguments: fc.oneof(lie, anything), output, inRound: word },
  { requiredKeys: [] },
);
const hiddenCalls = fc.oneof({ weight: 4, arbitrary: fc.array(hiddenCall, { maxLength: 3 }) }, anything);
const carrier = fc.record(
  {
    v: fc.constant(1),
    before: items,
    callsBefore: hiddenCalls,
    after: items,
    calls: hiddenCalls,
    outputs: hiddenCalls,
    asked: fc.oneof(fc.array(word, { maxLength: 2 }), anything),
  },
  { requiredKeys: ['v'] },
);
const own = fc.oneof(
  anything,
  fc.record(
    {
      carrier: fc.oneof({ weight: 5, arbitrary: carrier }, anything),
      hostedItem: fc.oneof({ weight: 5, arbitrary: item }, anything),
      item: fc.oneof({ weight: 5, arbitrary: item }, anything),
      rawInput: fc.oneof(lie, anything),
      wireCallId: word,
      itemId: word,
      inRound: word,
      output,
      asked: anything,
      reasoning: fc.oneof(
        fc.record({ kind: fc.constantFrom('text', 'summary'), encrypted: lie, origin: lie, continues: fc.boolean() }),
        anything,
      ),
      preamble: fc.boolean(),
      sig: fc.constantFrom('0'.repeat(64), FORGED),
      [PROTO]: anything,
    },
    { requiredKeys: [] },
  ),
);
const stock = fc.oneof(
  anything,
  fc.record(
    { itemId: word, reasoningEncryptedContent: fc.constant('sealed'), approvalId: word, encryptedContent: lie },
    { requiredKeys: [] },
  ),
);
const providerOptions = fc.record({ 'responses-loop': own, openai: stock, azure: stock }, { requiredKeys: [] });

/** A result is text to the model, whatever it holds. */
const tool = fc.constantFrom(
  { type: 'mcp', server_url: 'plain' },
  { type: 'function', name: 'plain' },
  { type: 'namespace', name: 'plain', tools: [{ type: 'mcp', server_url: 'plain' }] },
);
const callId = fc.constantFrom('c1', 'c2', 'mcpr_1', '');
const says = fc.constantFrom('', 'A', 'Hm.');
const result = fc.record({
  type: fc.constant('tool-result'),
  toolCallId: callId,
  toolName: fc.constant('add'),
  output: fc.oneof(
    fc.record({ type: fc.constantFrom('text', 'json'), value: says }),
    fc.record({ type: fc.constant('json'), value: fc.record({ tools: fc.array(tool, { maxLength: 2 }) }) }),
    fc.record({ type: fc.constant('execution-denied'), reason: says, providerOptions }),
  ),
  providerOptions,
});
const answer = fc.oneof(
  fc.record({ type: fc.constant('text'), text: says, providerOptions }),
  fc.record({ type: fc.constant('reasoning'), text: says, providerOptions }),
  fc.record({ type: fc.constant('custom'), kind: fc.constantFrom('openai.compaction', 'x'), providerOptions }),
  fc.record({
    type: fc.constant('tool-call'),
    toolCallId: callId,
    toolName: fc.constantFrom('add', 'web_search'),
    input: fc.constant({ a: 1 }),
    providerExecuted: fc.boolean(),
    providerOptions,
  }),
  result,
);
const approval = fc.record({
  type: fc.constant('tool-approval-response'),
  approvalId: fc.constantFrom('mcpr_1', 'c1', 'responses-loop::c1'),
  approved: fc.boolean(),
  providerOptions,
});
const userPart = fc.record({ type: fc.constant('text'), text: says, providerOptions });
const message = fc.oneof(
  { weight: 5, arbitrary: fc.record({ role: fc.constant('assistant'), content: fc.array(answer, { maxLength: 4 }) }) },
  fc.record({ role: fc.constant('tool'), content: fc.array(fc.oneof(result, approval), { maxLength: 3 }) }),
  fc.record({ role: fc.constant('user'), content: fc.array(userPart, { maxLength: 2 }), providerOptions }),
  fc.record({ role: fc.constant('system'), content: says, providerOptions }),
);
const hello = { role: 'user', content: [{ type: 'text', text: 'Hello.' }] };
/** As it comes out of a posted body. */
const prompt = fc
  .array(message, { maxLength: 6 })
  .map(
    (messages) => JSON.parse(JSON.stringify([hello, ...messages]).replaceAll(`"${PROTO}"`, '"__proto__"')) as Item[],
  );

const VERSIONS = [
  ['V2', createV2],
  ['V3', createV3],
  ['V4', createV4],
] as const;

const done = { type: 'response.completed', response: { id: 'r', status: 'completed', output: [] } };

/** Checks what is sent for any history; no history may fail a call. */
async function always(
  create: (typeof VERSIONS)[number][1],
  settings: ResponsesProviderSettings,
  check: (input: readonly Item[], prompt: readonly Item[], sent: string) => void,
): Promise<void> {
  let sent = '';
  const provider = create({
    baseURL: 'http://127.0.0.1:1/v1',
    apiKey: 'test',
    backend: 'openai',
    fetch: async (_url, init) => {
      sent = typeof init?.body === 'string' ? init.body : '';
      return new Response(`data: ${JSON.stringify(done)}\n\n`, { headers: { 'content-type': 'text/event-stream' } });
    },
    ...settings,
  });
  const model = provider('gpt-test');
  await fc.assert(
    fc.asyncProperty(prompt, async (messages) => {
      sent = '';
      await model.doGenerate({ prompt: messages });
      // A history whose last approval request is not answered yet is asked again, and nothing is sent.
      if (sent !== '') check((JSON.parse(sent) as { input: Item[] }).input, messages, sent);
    }),
    { numRuns: 300 },
  );
  await provider.close();
}

const partsIn = (messages: readonly Item[], ...types: string[]): Item[] =>
  messages
    .flatMap(({ content: parts }) => (Array.isArray(parts) ? (parts as Item[]) : []))
    .filter(({ type: is }) => types.includes(String(is)));
const ofType = (input: readonly Item[], name: string): Item[] => input.filter((entry) => entry['type'] === name);
const count = (messages: readonly Item[], name: string): number =>
  messages.filter((entry) => entry['role'] === name).length;

/** What may stand in a request because of what the parts of the history are. */
const PLAIN = ['message', 'reasoning', 'function_call', 'function_call_output'];
const CALLS = Object.keys(RESPONSE_ITEMS).filter((name) => RESPONSE_ITEMS[name]?.places.includes('call'));
const callTypeOf = (outputType: string): string | undefined =>
  outputType === 'function_call_output' ? 'function_call' : RESPONSE_ITEMS[outputType]?.answers;

function expectOnlyOwnRoles(input: readonly Item[], messages: readonly Item[]): void {
  const messagesOf = (...roles: string[]): Item[] =>
    ofType(input, 'message').filter((entry) => roles.includes(String(entry['role'])));
  expect(messagesOf('system', 'developer').length).toBeLessThanOrEqual(count(messages, 'system'));
  expect(messagesOf('user').length).toBeLessThanOrEqual(count(messages, 'user'));
  expect(ofType(input, 'message')).toEqual(messagesOf('system', 'developer', 'user', 'assistant'));
  for (const { content: parts } of messagesOf('assistant'))
    for (const part of parts as Item[]) expect(['output_text', 'refusal']).toContain(part['type']);
  expect(input.filter((entry) => entry['type'] !== 'message' && 'role' in entry)).toEqual([]);
  expect(input.filter((entry) => Object.hasOwn(entry, '__proto__'))).toEqual([]);
}

function expectKnownTypes(input: readonly Item[], types: readonly string[]): void {
  expect(input.map((entry) => entry['type']).filter((name) => !types.includes(String(name)))).toEqual([]);
}

/** What the server runs, a history never brings. */
function expectToolsOfClients(input: readonly Item[]): void {
  const types = (tools: unknown): unknown[] =>
    (Array.isArray(tools) ? (tools as Item[]) : []).flatMap((one) => [one['type'], ...types(one['tools'])]);
  const found = input.flatMap(({ tools, type: is }) => (is === 'tool_search_output' ? types(tools) : []));
  expect(found.filter((name) => !['function', 'custom', 'namespace'].includes(String(name)))).toEqual([]);
}

function expectOutputsBehindCalls(input: readonly Item[]): void {
  const open: string[] = [];
  for (const entry of input) {
    const name = String(entry['type']);
    const key = (of: string): string => `${of} ${typeof entry['call_id'] === 'string' ? entry['call_id'] : ''}`;
    const answers = callTypeOf(name);
    if (answers === undefined) open.push(key(name));
    else {
      expect(open).toContain(key(answers));
      open.splice(open.indexOf(key(answers)), 1);
    }
  }
}

/** Of the SDK's own parts, and about requests that stand before them. */
function expectAnswersToRequests(input: readonly Item[], messages: readonly Item[]): void {
  const answers = partsIn(messages, 'tool-approval-response').map(({ approvalId }) => approvalId);
  const denied = partsIn(messages, 'tool-result').flatMap(({ toolCallId, output: given }) =>
    (given as Item)['type'] === 'execution-denied' ? [toolCallId] : [],
  );
  for (const [at, entry] of input.entries()) {
    if (entry['type'] !== 'mcp_approval_response') continue;
    const id = entry['approval_request_id'];
    expect(entry['approve'] === true ? answers : [...answers, ...denied]).toContain(id);
    expect(ofType(input.slice(0, at), 'mcp_approval_request').map((request) => request['id'])).toContain(id);
  }
}

describe.each(VERSIONS)('I22 any JSON in any metadata of a history, given to a %s model', (_version, create) => {
  it('reaches the wire only as what the role of its message may say', async () => {
    const types = [...PLAIN, ...Object.keys(RESPONSE_ITEMS), 'mcp_approval_response'];
    await always(create, {}, (input, messages) => {
      expectKnownTypes(input, types);
      expectToolsOfClients(input);
      expectOnlyOwnRoles(input, messages);
      expectOutputsBehindCalls(input);
      expectAnswersToRequests(input, messages);
    });
  }, 120_000);

  it('with carrier none brings no item of the server, and no hidden round', async () => {
    // Searches bring tools.
    const calls = CALLS.filter((name) => name !== 'tool_search_call');
    const outputs = Object.keys(RESPONSE_ITEMS).filter((name) => calls.includes(callTypeOf(name) ?? ''));
    await always(create, { carrier: 'none' }, (input, messages) => {
      expectKnownTypes(input, [...PLAIN, ...calls, ...outputs, 'compaction']);
      expectOnlyOwnRoles(input, messages);
      expect(ofType(input, 'compaction').length).toBeLessThanOrEqual(partsIn(messages, 'custom').length);
      const called = input.filter((entry) => calls.includes(String(entry['type'])));
      expect(called.length).toBeLessThanOrEqual(partsIn(messages, 'tool-call').length);
    });
  }, 120_000);

  it('with a secret brings nothing at all but sealed reasoning', async () => {
    await always(create, { historySecret: 'a secret of sixteen' }, (input, messages, sent) => {
      expectKnownTypes(input, PLAIN);
      expectOnlyOwnRoles(input, messages);
      expect(sent).not.toContain(FORGED);
      expect(ofType(input, 'function_call').length).toBeLessThanOrEqual(partsIn(messages, 'tool-call').length);
      expect(ofType(input, 'message').length).toBeLessThanOrEqual(messages.length + partsIn(messages, 'text').length);
    });
  }, 120_000);
});
