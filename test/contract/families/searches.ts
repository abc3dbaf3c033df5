import type { JsonObject } from '../../../src/core/json.js';
import type { ScenarioTool } from '../scenarios/scenario.js';
import type { Family } from './family.js';
import { calls, item, says } from './written.js';

const done = says('Done.');
const WEATHER: ScenarioTool = {
  name: 'weather',
  description: 'The weather.',
  parameters: { type: 'object', properties: { place: { type: 'string' } } },
  output: { degrees: 7 },
};
const LATE: ScenarioTool = {
  ...WEATHER,
  providerOptions: { openai: { deferLoading: true, namespace: { name: 'world', description: 'The world.' } } },
};
const FOUND: JsonObject = {
  type: 'function',
  name: 'weather',
  description: 'The weather.',
  parameters: { type: 'object', properties: {} },
  defer_loading: true,
};

/** Tools that the model searches for, at the server or at the client, and calls that say where they came from. */
export const TOOL_SEARCHES: readonly Family[] = [
  {
    name: 'tool search at the server',
    hosted: { find_tools: { tool: 'toolSearch' } },
    functions: [LATE],
    answers: [
      {
        output: [
          item('tool_search_call', {
            id: 'tsc_1',
            call_id: null,
            execution: 'server',
            arguments: { paths: ['world'] },
          }),
          item('tool_search_output', { id: 'tso_1', call_id: null, execution: 'server', tools: [FOUND] }),
          calls('weather', 'call_1', { place: 'Oslo' }, { namespace: 'world' }),
        ],
      },
      { id: 'resp_2', output: [done] },
    ],
    since: 3,
  },
  {
    name: 'tool search at the client',
    hosted: {
      find_tools: {
        tool: 'toolSearch',
        args: { execution: 'client', description: 'Finds tools.', parameters: { type: 'object', properties: {} } },
        output: () => ({ tools: [FOUND] }),
      },
    },
    functions: [WEATHER],
    answers: [
      {
        output: [
          item('tool_search_call', {
            id: 'tsc_1',
            call_id: 'call_0',
            execution: 'client',
            arguments: { goal: 'weather' },
          }),
        ],
      },
      { id: 'resp_2', output: [calls('weather', 'call_1', { place: 'Oslo' })] },
      { id: 'resp_3', output: [done] },
    ],
    since: 3,
  },
  {
    name: 'a call in a namespace',
    functions: [LATE],
    answers: [
      { output: [calls('weather', 'call_1', { place: 'Oslo' }, { namespace: 'world' })] },
      { id: 'resp_2', output: [done] },
    ],
    since: 3,
  },
  {
    name: 'a call that is not waited for',
    functions: [{ ...WEATHER, providerOptions: { openai: { async: true } } }],
    answers: [
      { output: [calls('weather', 'call_1', { place: 'Oslo' }, { async: true })] },
      { id: 'resp_2', output: [done] },
    ],
  },
  {
    name: 'a call of the wrapper for parallel calls',
    functions: [WEATHER],
    answers: [
      {
        output: [
          calls('parallel', 'call_1', {
            tool_uses: [
              { recipient_name: 'functions.weather', parameters: { place: 'Oslo' } },
              { recipient_name: 'functions.weather', parameters: { place: 'Rome' } },
            ],
          }),
        ],
      },
      { id: 'resp_2', output: [done] },
    ],
    since: 3,
  },
  {
    name: 'a program that calls functions',
    hosted: { programs: { tool: 'programmaticToolCalling' } },
    functions: [
      {
        ...WEATHER,
        providerOptions: {
          openai: { allowedCallers: ['programmatic'], outputSchema: { type: 'object', properties: {} } },
        },
      },
    ],
    answers: [
      {
        output: [
          item('program', { id: 'prog_1', call_id: 'call_p', code: 'await weather()', fingerprint: 'fp' }),
          calls('weather', 'call_1', { place: 'Oslo' }, { caller: { type: 'program', caller_id: 'call_p' } }),
        ],
      },
      {
        id: 'resp_2',
        output: [item('program_output', { id: 'po_1', call_id: 'call_p', result: '7', status: 'completed' }), done],
      },
    ],
    since: 4,
  },
  {
    name: 'a call by the model itself, said so',
    hosted: { programs: { tool: 'programmaticToolCalling' } },
    functions: [{ ...WEATHER, providerOptions: { openai: { allowedCallers: ['direct', 'programmatic'] } } }],
    answers: [
      { output: [calls('weather', 'call_1', { place: 'Oslo' }, { caller: { type: 'direct' } })] },
      { id: 'resp_2', output: [done] },
    ],
    since: 4,
  },
];

const customCall = (name: string, input: string) =>
  item(
    'custom_tool_call',
    { id: 'ctc_1', call_id: 'call_1', name, input },
    {
      begun: { input: '', status: 'in_progress' },
      events: [
        { type: 'response.custom_tool_call_input.delta', delta: input.slice(0, 6) },
        { type: 'response.custom_tool_call_input.delta', delta: input.slice(6) },
        { type: 'response.custom_tool_call_input.done', input },
      ],
    },
  );

/** Tools that take a text instead of arguments. */
export const CUSTOM: readonly Family[] = [
  {
    name: 'custom tool whose key is its name',
    hosted: { sql: { tool: 'customTool', args: { name: 'sql', description: 'SQL.' }, output: () => '1 row' } },
    answers: [{ output: [customCall('sql', 'SELECT 1')] }, { id: 'resp_2', output: [done] }],
    since: 3,
  },
  {
    name: 'custom tool under another key',
    hosted: { sql: { tool: 'customTool', args: { name: 'write_sql' }, output: () => '1 row' } },
    answers: [{ output: [customCall('write_sql', 'SELECT 1')] }, { id: 'resp_2', output: [done] }],
    since: 3,
    until: 3,
  },
  {
    name: 'custom tool that gives an object',
    hosted: { sql: { tool: 'customTool', args: { name: 'sql' }, output: () => ({ rows: 1 }) } },
    answers: [{ output: [customCall('sql', 'SELECT "1"')] }, { id: 'resp_2', output: [done] }],
    since: 3,
  },
];
