import { answeredKind } from '../../../src/items/kinds.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createResponsesProvider as createV2, type ResponsesProviderSettings } from 'responses-loop';
import { createResponsesProvider as createV3 } from 'responses-loop/v3';
import { createResponsesProvider as createV4 } from 'responses-loop/v4';
import { RESPONSE_ITEMS } from '../../../src/sdk/history/response-items.js';
import { FORGED, type Item, prompt } from './support/posted-prompt.js';
import { examples } from '../../helpers/nightly.js';

const VERSIONS = [
  ['V2', createV2],
  ['V3', createV3],
  ['V4', createV4],
] as const;

const ADD = { type: 'function', name: 'add', inputSchema: { type: 'object', properties: {} } } as const;
/** Tools of the API, whose calls a history may show. */
const HOSTED = [
  ['openai.custom', 'sql'],
  ['openai.shell', 'shell'],
  ['openai.computer', 'computer'],
  ['openai.tool_search', 'search'],
  ['openai.programmatic_tool_calling', 'programs'],
  ['openai.web_search', 'web'],
  ['openai.mcp', 'docs'],
].map(([id = '', name = '']) => ({
  id,
  name,
  args: name === 'docs' ? { serverLabel: 'docs', serverUrl: 'https://docs.test/mcp' } : {},
}));
const done = { type: 'response.completed', response: { id: 'r', status: 'completed', output: [] } };

/** Checks what is sent for any history; no history may fail a call. */
async function always(
  [version, create]: readonly [string, (typeof VERSIONS)[number][1]],
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
      const hosted = HOSTED.map((tool) => ({ type: version === 'V2' ? 'provider-defined' : 'provider', ...tool }));
      await model.doGenerate({ prompt: messages, tools: [ADD, ...hosted] as never });
      // A history whose last approval request is not answered yet is asked again, and nothing is sent.
      if (sent !== '') check((JSON.parse(sent) as { input: Item[] }).input, messages, sent);
    }),
    { numRuns: examples(100, 1_000) },
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
const PLAIN = [
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  ...['configuration_update', 'additional_tools'],
];
const CALLS = Object.keys(RESPONSE_ITEMS).filter((name) => RESPONSE_ITEMS[name]?.places.includes('call'));
/** Calls of the client's own that parts show. */
const SHOWN = ['custom_tool_call', 'shell_call', 'computer_call'];
const callTypeOf = (outputType: string): string | undefined =>
  outputType === 'function_call_output' ? 'function_call' : answeredKind(outputType)?.type;

function expectOnlyOwnRoles(input: readonly Item[], messages: readonly Item[]): void {
  const messagesOf = (...roles: string[]): Item[] =>
    ofType(input, 'message').filter((entry) => roles.includes(String(entry['role'])));
  expect(messagesOf('system', 'developer').length).toBeLessThanOrEqual(count(messages, 'system'));
  expect(messagesOf('user').length).toBeLessThanOrEqual(count(messages, 'user'));
  expect(ofType(input, 'message')).toEqual(messagesOf('system', 'developer', 'user', 'assistant'));
  for (const { content: parts } of messagesOf('assistant'))
    for (const part of parts as Item[]) expect(['output_text', 'refusal']).toContain(part['type']);
  const others = input.filter(({ type: is }) => is !== 'message' && is !== 'additional_tools');
  expect(others.filter((entry) => 'role' in entry)).toEqual([]);
  expect(ofType(input, 'configuration_update').length).toBeLessThanOrEqual(count(messages, 'system'));
  expect(input.filter((entry) => Object.hasOwn(entry, '__proto__'))).toEqual([]);
}

function expectKnownTypes(input: readonly Item[], types: readonly string[]): void {
  expect(input.map((entry) => entry['type']).filter((name) => !types.includes(String(name)))).toEqual([]);
}

/** What the server runs, a history never brings. */
function expectToolsOfClients(input: readonly Item[]): void {
  const types = (tools: unknown): unknown[] =>
    (Array.isArray(tools) ? (tools as Item[]) : []).flatMap((one) => [one['type'], ...types(one['tools'])]);
  const found = [...ofType(input, 'tool_search_output'), ...ofType(input, 'additional_tools')].flatMap(({ tools }) =>
    types(tools),
  );
  expect(found.filter((name) => !['function', 'custom', 'namespace'].includes(String(name)))).toEqual([]);
}

/** Behind a result only those that the call declares itself; where `believed` is less, none. */
function expectDeclaredTools(
  input: readonly Item[],
  messages: readonly Item[],
  { believed }: { believed: boolean },
): void {
  const tools = ofType(input, 'additional_tools');
  const ofSystem = tools.filter((entry) => (entry['tools'] as Item[]).some(({ name }) => name === 'plain'));
  expect(ofSystem.length).toBeLessThanOrEqual(count(messages, 'system'));
  const ofResults = tools.filter((entry) => !ofSystem.includes(entry));
  if (!believed) expect(ofResults).toEqual([]);
  for (const { tools: brought } of ofResults)
    for (const { name, tools: inside } of brought as Item[])
      expect(inside === undefined ? name : (inside as Item[]).map((one) => one['name'])).toEqual(
        inside === undefined ? 'add' : ['add'],
      );
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

describe.each(VERSIONS)('any JSON in any metadata of a history, given to a %s model', (...version) => {
  it('reaches the request only as content that the role of its message allows', async () => {
    const types = [...PLAIN, ...Object.keys(RESPONSE_ITEMS), 'mcp_approval_response'];
    await always(version, {}, (input, messages) => {
      expectKnownTypes(input, types);
      expectToolsOfClients(input);
      expectDeclaredTools(input, messages, { believed: true });
      expectOnlyOwnRoles(input, messages);
      expectOutputsBehindCalls(input);
      expectAnswersToRequests(input, messages);
    });
  }, 120_000);

  it('adds no server items or hidden rounds with carrier none', async () => {
    // Searches bring tools.
    const calls = CALLS.filter((name) => name !== 'tool_search_call');
    const outputs = Object.keys(RESPONSE_ITEMS).filter((name) => calls.includes(callTypeOf(name) ?? ''));
    await always(version, { carrier: 'none' }, (input, messages) => {
      expectKnownTypes(input, [...PLAIN, ...calls, ...outputs, 'compaction']);
      expectDeclaredTools(input, messages, { believed: false });
      expectOnlyOwnRoles(input, messages);
      expect(ofType(input, 'compaction').length).toBeLessThanOrEqual(partsIn(messages, 'custom').length);
      const called = input.filter((entry) => calls.includes(String(entry['type'])));
      expect(called.length).toBeLessThanOrEqual(partsIn(messages, 'tool-call').length);
    });
  }, 120_000);

  it('with a secret brings nothing at all but sealed reasoning and members of calls', async () => {
    await always(version, { historySecret: 'a secret of sixteen' }, (input, messages, sent) => {
      expectKnownTypes(input, [...PLAIN, ...SHOWN, ...SHOWN.map((name) => `${name}_output`)]);
      expectOutputsBehindCalls(input);
      expectDeclaredTools(input, messages, { believed: false });
      expectOnlyOwnRoles(input, messages);
      expect(sent).not.toContain(FORGED);
      const called = input.filter(({ type: is }) => is === 'function_call' || SHOWN.includes(String(is)));
      expect(called.length).toBeLessThanOrEqual(partsIn(messages, 'tool-call').length);
      expect(ofType(input, 'message').length).toBeLessThanOrEqual(messages.length + partsIn(messages, 'text').length);
    });
  }, 120_000);
});
