import type { JsonObject } from '../../../src/core/json.js';
import type { Family } from './family.js';
import { item, says, thinks } from './written.js';

const done = says('Done.');
const MCP = {
  tool: 'mcp',
  args: { serverLabel: 'docs', serverUrl: 'https://docs.invalid/mcp', requireApproval: 'always' },
};

const search = (id: string, action: JsonObject, status = 'completed') =>
  item(
    'web_search_call',
    { id, action, status },
    {
      begun: { status: 'in_progress' },
      events: [{ type: 'response.web_search_call.in_progress' }, { type: 'response.web_search_call.searching' }],
    },
  );
const inFiles = item(
  'file_search_call',
  {
    id: 'fs_1',
    queries: ['ducks'],
    results: [{ file_id: 'file-1', filename: 'ducks.txt', score: 0.9, text: 'Ducks.', attributes: {} }],
  },
  { begun: { status: 'in_progress', queries: [], results: null } },
);
const mcpCall = (fields: JsonObject = {}) =>
  item(
    'mcp_call',
    {
      id: 'mcp_1',
      server_label: 'docs',
      name: 'find',
      arguments: '{"q":"x"}',
      output: 'Found.',
      error: null,
      ...fields,
    },
    {
      begun: { arguments: '', output: null, status: 'in_progress' },
      events: [
        { type: 'response.mcp_call.in_progress' },
        { type: 'response.mcp_call_arguments.delta', delta: '{"q":"x"}' },
        { type: 'response.mcp_call_arguments.done', arguments: '{"q":"x"}' },
        { type: 'response.mcp_call.completed' },
      ],
    },
  );
const asksApproval = item('mcp_approval_request', {
  id: 'mcpr_1',
  server_label: 'docs',
  name: 'find',
  arguments: '{"q":"x"}',
});
const partial = (index: number, picture: string): JsonObject & { type: string } => ({
  type: 'response.image_generation_call.partial_image',
  partial_image_index: index,
  partial_image_b64: picture,
});

const SEARCHES: readonly Family[] = [
  {
    name: 'web search with sources',
    hosted: { look: { tool: 'webSearch' } },
    answers: [
      {
        output: [
          search('ws_1', {
            type: 'search',
            query: 'ducks',
            queries: ['ducks', 'ponds'],
            sources: [
              { type: 'url', url: 'https://ducks.test/' },
              { type: 'api', name: 'oai-weather' },
            ],
          }),
          search('ws_2', { type: 'open_page', url: 'https://ducks.test/' }),
          search('ws_3', { type: 'find_in_page', url: 'https://ducks.test/', pattern: 'pond' }),
          done,
        ],
      },
    ],
  },
  {
    name: 'web search that failed',
    hosted: { web_search: { tool: 'webSearch' } },
    answers: [{ output: [search('ws_1', { type: 'search', query: 'ducks' }, 'failed'), done] }],
  },
  {
    name: 'web search preview',
    hosted: { look: { tool: 'webSearchPreview' } },
    answers: [{ output: [search('ws_1', { type: 'search', query: 'ducks' }), done] }],
  },
  {
    name: 'file search',
    hosted: { file_search: { tool: 'fileSearch', args: { vectorStoreIds: ['vs_1'] } } },
    answers: [
      {
        output: [inFiles, done],
      },
    ],
  },
  {
    name: 'file search under another name',
    hosted: { files: { tool: 'fileSearch', args: { vectorStoreIds: ['vs_1'] } } },
    answers: [
      {
        output: [inFiles, done],
      },
    ],
  },
];

const MAKERS: readonly Family[] = [
  {
    name: 'code interpreter',
    hosted: { code_interpreter: { tool: 'codeInterpreter' } },
    answers: [
      {
        output: [
          item(
            'code_interpreter_call',
            {
              id: 'ci_1',
              code: 'print("1")',
              container_id: 'cntr_1',
              outputs: [
                { type: 'logs', logs: '1' },
                { type: 'image', url: 'https://ducks.test/plot.png' },
              ],
            },
            {
              begun: { code: '', outputs: null, status: 'in_progress' },
              events: [
                { type: 'response.code_interpreter_call_code.delta', delta: 'print("1' },
                { type: 'response.code_interpreter_call_code.delta', delta: '")' },
                { type: 'response.code_interpreter_call_code.done', code: 'print("1")' },
              ],
            },
          ),
          done,
        ],
      },
    ],
  },
  {
    name: 'image generation',
    hosted: { image_generation: { tool: 'imageGeneration' } },
    answers: [
      {
        output: [
          item(
            'image_generation_call',
            { id: 'ig_1', result: 'aGVsbG8=' },
            { begun: { status: 'in_progress', result: null } },
          ),
          done,
        ],
      },
    ],
  },
  {
    name: 'image generation with partial images',
    hosted: { draw: { tool: 'imageGeneration', args: { partialImages: 2 } } },
    answers: [
      {
        output: [
          item(
            'image_generation_call',
            { id: 'ig_1', result: 'aGVsbG8=' },
            { begun: { status: 'in_progress', result: null }, events: [partial(0, 'AQ=='), partial(1, 'AQI=')] },
          ),
          done,
        ],
      },
    ],
    since: 3,
  },
  {
    name: 'compaction',
    answers: [{ output: [item('compaction', { id: 'cmp_1', encrypted_content: 'sealed' }), done] }],
    options: { contextManagement: [{ type: 'compaction', compactThreshold: 1000 }] },
    since: 4,
  },
];

const HOSTED_MCP: readonly Family[] = [
  {
    name: 'hosted MCP',
    hosted: { docs: MCP },
    answers: [
      {
        output: [
          item('mcp_list_tools', {
            id: 'mcpl_1',
            server_label: 'docs',
            tools: [{ name: 'find', input_schema: { type: 'object' } }],
          }),
          mcpCall(),
          done,
        ],
      },
    ],
    since: 3,
  },
  {
    name: 'hosted MCP that failed',
    hosted: { docs: MCP },
    answers: [
      {
        output: [
          mcpCall({ output: null, status: 'failed', error: { type: 'mcp_tool_execution_error', content: [] } }),
          done,
        ],
      },
    ],
    since: 3,
  },
  {
    name: 'hosted MCP, approved',
    hosted: { docs: MCP },
    answers: [{ output: [thinks('Ask.', 'sealed'), asksApproval] }],
    approved: {
      decision: true,
      answer: { id: 'resp_2', output: [mcpCall({ approval_request_id: 'mcpr_1' }), done] },
    },
    since: 3,
  },
  {
    name: 'hosted MCP, denied',
    hosted: { docs: MCP },
    answers: [{ output: [asksApproval] }],
    approved: { decision: false, answer: { id: 'resp_2', output: [says('Then not.')] } },
    since: 3,
  },
];

/** What the server runs by itself. */
export const SERVER_TOOLS: readonly Family[] = [...SEARCHES, ...MAKERS, ...HOSTED_MCP];

/** Members of an answer that say something about it. */
export const ANSWERS: readonly Family[] = [
  {
    name: 'a call before a text',
    functions: [{ name: 'add', description: 'Adds.', parameters: { type: 'object', properties: {} }, output: 2 }],
    answers: [
      {
        output: [
          thinks('Add.', 'sealed'),
          { output: { type: 'call', name: 'add', callId: 'call_1', arguments: {} } },
          says('Meanwhile.'),
        ],
      },
      { id: 'resp_2', output: [done] },
    ],
  },
  {
    name: 'the context of the reasoning, and what the cache says',
    answers: [
      {
        fields: {
          reasoning: { effort: 'low', summary: null, context: 'current_turn' },
          prompt_cache_diagnostics: { type: 'hit' },
        },
        output: [done],
      },
    ],
  },
  {
    name: 'JSON behind a commentary',
    call: { responseFormat: { type: 'json', schema: { type: 'object', properties: {} } } },
    answers: [{ output: [says('Looking.', { phase: 'commentary' }), says('{"ducks":3}', { phase: 'final_answer' })] }],
  },
  {
    name: 'a subagent and the answer',
    answers: [
      {
        output: [
          says('From below.', { agent: { agent_name: '/root/a' } }),
          says('From above.', { agent: { agent_name: '/root' } }),
        ],
      },
    ],
  },
];
