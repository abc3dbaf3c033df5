import { type ResponseDescription, responseBody, responseEvents, scriptedFetch } from '../../../src/testing.js';
import type { OutputDescription } from '../../../src/testing.js';
import type { Scenario, ScenarioTool } from './scenario.js';

const ADD: ScenarioTool = {
  name: 'add',
  description: 'Adds.',
  parameters: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'], additionalProperties: false },
};

const call = (args: string): OutputDescription => ({ type: 'call', name: 'add', arguments: args, callId: 'call_1' });
const text = (annotations?: OutputDescription & { type: 'text' } extends { annotations?: infer A } ? A : never) =>
  ({ type: 'text', text: 'Ducks like ponds.', ...(annotations !== undefined && { annotations }) }) as const;
const item = (type: string, fields: object): OutputDescription => ({
  type: 'item',
  item: { type, id: `${type}_1`, status: 'completed', ...fields },
});

/** What the recordings have nothing of: each a whole response, said in a few words. */
const RESPONSES: Readonly<Record<string, ResponseDescription>> = {
  'written/no output at all': { output: [] },
  'written/an empty text': { output: [{ type: 'text', text: '' }] },
  'written/two messages': { output: [text(), { type: 'text', text: 'And bread.' }] },
  'written/url citation': {
    output: [
      text([{ type: 'url_citation', url: 'https://ducks.test/', title: 'Ducks', start_index: 0, end_index: 5 }]),
    ],
  },
  'written/file citation': {
    output: [text([{ type: 'file_citation', file_id: 'file-1', filename: 'ducks.txt', index: 3 }])],
  },
  'written/container file citation': {
    output: [
      text([
        {
          type: 'container_file_citation',
          container_id: 'cntr_1',
          file_id: 'cfile_1',
          filename: 'plot.png',
          start_index: 0,
          end_index: 5,
        },
      ]),
    ],
  },
  'written/file path': { output: [text([{ type: 'file_path', file_id: 'file-2', index: 0 }])] },
  'written/an annotation nobody knows': { output: [text([{ type: 'duck_citation', duck: 'mallard' }])] },
  'written/no summary': { output: [{ type: 'reasoning', encrypted: 'sealed' }, text()] },
  'written/sealed summary': { output: [{ type: 'reasoning', summary: ['Ponds.'], encrypted: 'sealed' }, text()] },
  'written/two summaries': { output: [{ type: 'reasoning', summary: ['One.', 'Two.'] }, text()] },
  'written/raw reasoning text': { output: [{ type: 'reasoning', text: 'Hm, ponds.' }, text()] },
  'written/summary and raw text': { output: [{ type: 'reasoning', summary: ['Ponds.'], text: 'Hm.' }, text()] },
  'written/a call': { output: [call('{"a":1}')] },
  'written/arguments that are no JSON': { output: [call('{"a":')] },
  'written/empty arguments': { output: [call('')] },
  'written/a tool nobody offered': { output: [{ type: 'call', name: 'fly', arguments: {}, callId: 'call_9' }] },
  'written/two calls of one id': { output: [call('{"a":1}'), call('{"a":2}')] },
  'written/text beside a refusal': { output: [text(), { type: 'refusal', text: 'No more.' }] },
  'written/incomplete for a reason nobody knows': {
    status: 'incomplete',
    incompleteReason: 'the_ducks',
    output: [text()],
  },
  'written/failed after text': {
    status: 'failed',
    error: { code: 'server_error', message: 'Ducks!' },
    output: [text()],
  },
  'written/no usage': { usage: null, output: [text()] },
  'written/cached and reasoning tokens': {
    usage: {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 40, cache_write_tokens: 7 },
      output_tokens: 50,
      output_tokens_details: { reasoning_tokens: 20 },
      total_tokens: 150,
    },
    output: [text()],
  },
  'written/service tier': { fields: { service_tier: 'flex' }, output: [text()] },
  'written/phases': {
    output: [
      { type: 'text', text: 'Looking.', phase: 'commentary' },
      { type: 'text', text: 'Ducks.', phase: 'final_answer' },
    ],
  },
  'written/web search': {
    output: [item('web_search_call', { id: 'ws_1', action: { type: 'search', query: 'ducks' } }), text()],
  },
  'written/file search': {
    output: [
      item('file_search_call', {
        id: 'fs_1',
        queries: ['ducks'],
        results: [{ file_id: 'file-1', filename: 'ducks.txt', score: 0.9, text: 'Ducks.', attributes: {} }],
      }),
      text(),
    ],
  },
  'written/code interpreter': {
    output: [
      item('code_interpreter_call', {
        id: 'ci_1',
        code: '1 + 1',
        container_id: 'cntr_1',
        outputs: [{ type: 'logs', logs: '2' }],
      }),
      text(),
    ],
  },
  'written/image generation': { output: [item('image_generation_call', { id: 'ig_1', result: 'aGVsbG8=' }), text()] },
  'written/computer': {
    output: [
      item('computer_call', {
        id: 'cu_1',
        call_id: 'call_1',
        action: { type: 'screenshot' },
        pending_safety_checks: [],
      }),
    ],
  },
  'written/local shell': {
    output: [
      item('local_shell_call', {
        id: 'lsh_1',
        call_id: 'call_1',
        action: { type: 'exec', command: ['ls'], env: {} },
      }),
    ],
  },
  'written/mcp': {
    output: [
      item('mcp_list_tools', {
        id: 'mcpl_1',
        server_label: 'docs',
        tools: [{ name: 'find', input_schema: { type: 'object' } }],
      }),
      item('mcp_call', { id: 'mcp_1', server_label: 'docs', name: 'find', arguments: '{"q":"x"}', output: 'Found.' }),
      text(),
    ],
  },
  'written/mcp asks leave': {
    output: [item('mcp_approval_request', { id: 'mcpr_1', server_label: 'docs', name: 'find', arguments: '{}' })],
  },
  'written/a custom tool call': {
    output: [item('custom_tool_call', { id: 'ctc_1', call_id: 'call_1', name: 'free', input: 'Any text.' })],
  },
  'written/an output among the output': {
    output: [call('{"a":1}'), item('function_call_output', { id: 'fco_1', call_id: 'call_1', output: '2' }), text()],
  },
};

const HOSTED: Readonly<Record<string, Scenario['hosted']>> = {
  'written/web search': { web_search: (make) => make['webSearch']?.({}) },
  'written/file search': { file_search: (make) => make['fileSearch']?.({ vectorStoreIds: ['vs_1'] }) },
  'written/code interpreter': { code_interpreter: (make) => make['codeInterpreter']?.({}) },
  'written/image generation': { image_generation: (make) => make['imageGeneration']?.({}) },
  'written/local shell': { local_shell: (make) => make['localShell']?.({}) },
  'written/mcp': { mcp: (make) => make['mcp']?.({ serverLabel: 'docs', serverUrl: 'https://docs.invalid/mcp' }) },
  'written/mcp asks leave': {
    mcp: (make) => make['mcp']?.({ serverLabel: 'docs', serverUrl: 'https://docs.invalid/mcp' }),
  },
  'written/a custom tool call': { free: (make) => make['customTool']?.({ name: 'free' }) },
};

/** Whole items are kept by the server only if asked: what both say of their ids then has to be the same. */
const STORED = { openai: { store: true } };

export const WRITTEN: readonly Scenario[] = Object.entries(RESPONSES).map(([name, response]) => ({
  name,
  tools: [ADD],
  hosted: HOSTED[name] ?? {},
  options: STORED,
  rounds: 1,
  answer: (streaming) =>
    scriptedFetch([streaming ? responseEvents(response) : { json: responseBody(response) }], {
      otherwise: responseEvents({ id: 'resp_never' }),
    }),
}));

/** Some of them once more, for a caller who asks for nothing. */
const PLAIN = ['written/a call', 'written/sealed summary', 'written/phases'];

export const BY_DEFAULT: readonly Scenario[] = WRITTEN.filter(({ name }) => PLAIN.includes(name)).map((scenario) => ({
  ...scenario,
  name: scenario.name.replace('written/', 'by default/'),
  options: {},
}));
