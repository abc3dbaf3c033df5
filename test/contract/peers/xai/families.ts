import type { JsonObject } from '../../../../src/core/json.js';
import type { Family } from '../../families/family.js';
import { calls, item, says, thinks, type Written } from '../../families/written.js';

const done = says('Done.');

/** Something that xAI ran: it is added, then done, and has its question in `arguments`. */
const ran = (type: string, name: string, args: JsonObject, more: JsonObject = {}): Written =>
  item(
    type,
    { id: `${type}_1`, call_id: `call_${name}`, name, arguments: JSON.stringify(args), ...more },
    { begun: { status: 'in_progress' }, events: [{ type: `response.${type}.in_progress` }] },
  );

/** One tool of an agent of xAI's, which has the form of a custom tool of the caller's. */
const step = (name: string, input: JsonObject): Written =>
  item(
    'custom_tool_call',
    { id: `ctc_${name}`, call_id: `xs_${name}`, name, input: JSON.stringify(input) },
    {
      begun: { status: 'in_progress', input: '' },
      events: [
        { type: 'response.custom_tool_call_input.delta', delta: JSON.stringify(input) },
        { type: 'response.custom_tool_call_input.done', input: JSON.stringify(input) },
      ],
    },
  );

const one = (name: string, tool: string, output: readonly Written[], args?: object): Family => ({
  name,
  hosted: { [`my_${tool}`]: { tool, ...(args !== undefined && { args }) } },
  answers: [{ output: [...output, done] }],
});

/** Every tool that runs at xAI, and what else its answers have of their own. */
export const XAI_FAMILIES: readonly Family[] = [
  one('web search', 'webSearch', [
    ran(
      'web_search_call',
      'web_search',
      { query: 'ducks' },
      { action: { type: 'search', query: 'ducks', sources: [] } },
    ),
  ]),
  one('web search: a page', 'webSearch', [
    ran(
      'web_search_call',
      'browse_page',
      { url: 'https://ducks.test' },
      { action: { type: 'open_page', url: 'https://ducks.test' } },
    ),
  ]),
  one('X search', 'xSearch', [ran('x_search_call', 'x_keyword_search', { query: 'ducks' })]),
  one('X search by its agents', 'xSearch', [
    step('x_keyword_search', { query: 'ducks' }),
    step('x_semantic_search', { query: 'geese' }),
    step('x_user_search', { query: 'mallard' }),
    step('x_thread_fetch', { post_id: '1' }),
  ]),
  one('web search by its agents', 'webSearch', [
    step('web_search', { query: 'ducks' }),
    step('web_search_with_snippets', { query: 'ducks' }),
    step('browse_page', { url: 'https://ducks.test' }),
  ]),
  one('code execution', 'codeExecution', [ran('code_execution_call', 'code_execution', { code: 'print(1)' })]),
  one('code execution as a code interpreter', 'codeExecution', [
    ran(
      'code_interpreter_call',
      'code_execution',
      { code: 'print(1)' },
      { code: 'print(1)', container_id: 'c', outputs: [] },
    ),
  ]),
  one('code execution by its agents', 'codeExecution', [step('code_execution', { code: 'print(1)' })]),
  one('images looked at', 'viewImage', [
    ran('view_image_call', 'view_image', { image_url: 'https://ducks.test/a.png' }),
  ]),
  one('videos looked at', 'viewXVideo', [ran('view_x_video_call', 'view_x_video', { video_url: 'https://x.test/v' })]),
  one('images looked at by its agents', 'viewImage', [step('view_image', { image_url: 'https://ducks.test/a.png' })]),
  {
    ...one(
      'file search',
      'fileSearch',
      [
        item(
          'file_search_call',
          {
            id: 'fs_1',
            queries: ['ducks'],
            results: [{ file_id: 'file-1', filename: 'ducks.txt', score: 0.9, text: 'Ducks.' }],
          },
          { begun: { status: 'in_progress', queries: [], results: null } },
        ),
      ],
      { vectorStoreIds: ['vs_1'] },
    ),
    since: 3,
  },
  {
    ...one('MCP', 'mcpServer', [ran('mcp_call', 'find', { q: 'x' }, { server_label: 'docs', output: 'Found.' })], {
      serverUrl: 'https://docs.invalid/mcp',
      serverLabel: 'docs',
    }),
    since: 3,
  },
  {
    ...one('image generation', 'imageGeneration', [
      item(
        'image_generation_call',
        { id: 'ig_1', result: 'aGVsbG8=', prompt: 'A duck.' },
        {
          begun: { status: 'in_progress', result: null },
          events: [
            { type: 'response.image_generation_call.in_progress' },
            { type: 'response.image_generation_call.completed' },
          ],
        },
      ),
    ]),
    since: 4,
  },
  {
    ...one('image generation that failed', 'imageGeneration', [
      item(
        'image_generation_call',
        { id: 'ig_1', result: null, status: 'failed' },
        { begun: { status: 'in_progress' } },
      ),
    ]),
    since: 4,
  },
  {
    name: 'undeclared tools of its agents',
    answers: [{ output: [step('x_keyword_search', { query: 'ducks' }), step('something_new', { a: 1 }), done] }],
  },
  {
    name: 'sealed reasoning and a call',
    functions: [
      {
        name: 'weather',
        description: 'The weather.',
        parameters: { type: 'object', properties: { place: { type: 'string' } } },
        output: 'Sun.',
      },
    ],
    answers: [
      {
        output: [
          { ...thinks('Oslo.', 'sealed-1'), more: { status: 'completed' } },
          calls('weather', 'call_1', { place: 'Oslo' }),
        ],
      },
      { id: 'resp_2', output: [{ ...thinks('Sun.', 'sealed-2'), more: { status: 'completed' } }, done] },
    ],
  },
  {
    name: 'what it cost, and what the response says',
    answers: [
      {
        output: [done],
        usage: { input_tokens: 9, output_tokens: 4, total_tokens: 13, cost_in_usd_ticks: 123_456 },
        fields: { service_tier: 'priority', prompt_cache_key: 'key', safety_identifier: 'duck' },
      },
    ],
  },
  {
    name: 'citations',
    answers: [
      {
        output: [
          {
            output: {
              type: 'text',
              text: 'Ducks.',
              annotations: [
                { type: 'url_citation', url: 'https://ducks.test', title: '1', start_index: 0, end_index: 5 },
              ],
            },
          },
        ],
      },
    ],
  },
];
