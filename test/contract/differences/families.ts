import type { Major } from '../sides.js';
import { ABSENT, ANY, type Difference } from './difference.js';

const LATER: readonly Major[] = [3, 4];
const TURNS = ['streamedTurns', 'generatedTurns'] as const;

/** Tools that the API declares: what is shown of them, and what of them goes back. */
export const FAMILY_DIFFERENCES: readonly Difference[] = [
  {
    what: 'What the server ran, in the history (`store: false`)',
    stock:
      'file searches, code, images, failed searches, MCP calls, lists and approval requests are left out, with a warning; 2: web searches too',
    ours: 'whole items',
    right: 'ours',
    why: 'The model knows what it saw.',
    seen: [
      {
        in: [
          'family/web search that failed',
          'family/file search*',
          'family/code interpreter',
          'family/image generation',
        ],
        fields: ['body.items.*'],
        values: [ABSENT, /^\{"type":"(web_search|file_search|code_interpreter|image_generation)_call"/],
        at: TURNS,
      },
      {
        in: ['family/image generation with partial images'],
        fields: ['body.items.*', 'body.order'],
        values: [ANY, /image_generation_call/],
        at: TURNS,
        of: LATER,
      },
      {
        in: ['family/web search with sources', 'family/web search preview'],
        fields: ['body.items.*', 'body.order'],
        values: [ANY, /web_search_call/],
        at: TURNS,
        of: [2],
      },
      {
        in: [
          'family/hosted MCP',
          'family/hosted MCP that failed',
          'family/hosted MCP, approved',
          'family/hosted MCP, denied',
        ],
        fields: ['body.items.*'],
        values: [ABSENT, /^\{"type":"mcp_/],
        at: TURNS,
        of: LATER,
      },
      {
        in: [
          'family/web search that failed',
          'family/file search*',
          'family/code interpreter',
          'family/image generation',
        ],
        fields: ['body.order'],
        at: TURNS,
      },
      {
        in: [
          'family/hosted MCP',
          'family/hosted MCP that failed',
          'family/hosted MCP, approved',
          'family/hosted MCP, denied',
        ],
        fields: ['body.order'],
        at: TURNS,
        of: LATER,
      },
      {
        in: ['family/hosted MCP, approved', 'family/hosted MCP, denied'],
        fields: ['body.items.*', 'body.order'],
        values: [ANY, /mcp_approval_request/],
        at: ['history'],
        of: LATER,
      },
    ],
  },
  {
    what: 'What the stock provider showed of a tool that the server ran (`store: false`)',
    stock: 'left out, with a warning',
    ours: 'a function call and its output; images and searches of the web as items',
    right: 'ours',
    why: 'The model knows what it saw, as far as the parts show it.',
    seen: [
      {
        in: ['family/file search*', 'family/code interpreter'],
        fields: ['body.items.*', 'body.order'],
        values: [ANY, /function_call|call_\w\w_1 output_/],
        at: ['history'],
      },
      {
        in: ['family/image generation'],
        fields: ['body.items.*', 'body.order'],
        values: [ANY, /image_generation_call/],
        at: ['history'],
      },
      {
        in: ['family/web search with sources', 'family/web search preview', 'family/web search that failed'],
        fields: ['body.items.*', 'body.order'],
        values: [ANY, /web_search_call/],
        at: ['history'],
        of: [2],
      },
      {
        in: ['family/web search that failed'],
        fields: ['body.items.*', 'body.order'],
        values: [ANY, /function_call|call_ws_1 output_/],
        at: ['history'],
        of: LATER,
      },
      {
        in: ['family/image generation with partial images'],
        fields: ['body.items.*', 'body.order'],
        values: [ANY, /image_generation_call/],
        at: ['history'],
        of: LATER,
      },
      {
        in: ['family/hosted MCP', 'family/hosted MCP that failed'],
        fields: ['body.items.*', 'body.order'],
        values: [ANY, /function_call|call_mcp_1 output_/],
        at: ['history'],
        of: LATER,
      },
    ],
  },
  {
    what: 'Patches by a tool that is not called `apply_patch` in the call',
    stock: '3, 4: their output goes back as that of a function',
    ours: 'their output goes back as that of a patch',
    right: 'ours',
    why: 'The server knows the call as a patch.',
    seen: [
      {
        in: ['family/patches under another name'],
        fields: ['body.items.*.type', 'body.items.*.output', 'body.items.*.status'],
        values: [ANY, /^(apply_patch_call_output|ok|completed)$/],
        at: [...TURNS, 'history'],
        of: LATER,
      },
    ],
  },
  {
    what: 'Items that go back',
    stock: 'made again: without their environment and time limit, and with the status `completed` or none',
    ours: 'as they came',
    right: 'either',
    why: 'The server wrote them.',
    seen: [
      { in: ['family/shell *'], fields: ['body.items.*.environment'], values: [ABSENT, ANY], at: TURNS, of: LATER },
      {
        in: ['family/local shell'],
        fields: ['body.items.*.timeout_ms', 'body.items.*.working_directory'],
        values: [ABSENT, ANY],
        at: ['generatedTurns'],
      },
      { in: ['family/local shell'], fields: ['body.items.*.status'], values: [ABSENT, 'completed'], at: TURNS },
      {
        in: ['family/custom tool *'],
        fields: ['body.items.*.status'],
        values: [ABSENT, 'completed'],
        at: TURNS,
        of: LATER,
      },
      {
        in: ['family/shell on the client'],
        fields: ['body.items.*.timeout_ms', 'body.items.*.max_output_length'],
        values: [ABSENT, ANY],
        at: TURNS,
        of: [3],
      },
      {
        in: ['family/shell in a container*'],
        fields: ['body.items.*.max_output_length', 'body.items.*.status'],
        values: [ABSENT, ANY],
        at: TURNS,
        of: LATER,
      },
      {
        in: ['family/computer, the one action of older models'],
        fields: ['body.items.*.action', 'body.items.*.actions'],
        at: TURNS,
        of: [4],
      },
    ],
  },
  {
    what: 'Limits of a shell call, and where it runs',
    stock:
      '3: `timeoutMs` and `maxOutputLength` of a shell are dropped; generated local shell calls have `timeout_ms` and `working_directory`, which the tool does not read',
    ours: 'all of them, as the tool names them',
    right: 'ours',
    why: 'The tool can only keep to limits that it gets.',
    seen: [
      {
        in: ['family/shell on the client'],
        fields: ['calls[*].input.action.timeoutMs', 'calls[*].input.action.maxOutputLength'],
        values: [ABSENT, ANY],
        of: [3],
      },
      {
        in: ['family/local shell'],
        fields: ['calls[*].input.action.timeoutMs', 'calls[*].input.action.workingDirectory'],
        values: [ABSENT, ANY],
        at: ['doGenerate', 'generateText'],
      },
      {
        in: ['family/local shell'],
        fields: ['calls[*].input.action.timeout_ms', 'calls[*].input.action.working_directory'],
        values: [ANY, ABSENT],
        at: ['doGenerate'],
      },
    ],
  },
  {
    what: 'Where the output of a tool that the server ran travels',
    stock: 'made again from the result',
    ours: 'in the carrier of its round, beside a call of the client if there is one',
    right: 'either',
    why: 'It goes back as it came.',
    seen: [
      {
        in: ['family/tool search at the server'],
        fields: ['order'],
        values: [ANY, ANY],
        of: LATER,
      },
    ],
  },
  {
    what: 'The agent that wrote a text, where several work together',
    stock: 'left out of the history',
    ours: 'goes back with the text (`agent`)',
    right: 'ours',
    why: 'The text of another agent is not the answer.',
    seen: [
      {
        in: ['family/a subagent and the answer'],
        fields: ['body.items.*.agent'],
        values: [ABSENT, /agent_name/],
        at: TURNS,
      },
    ],
  },
  {
    what: 'A tool of the server under its own name in the call',
    stock: '2: shown under the name of its kind, which the call does not have; `ai` 5 fails on it',
    ours: 'shown under the name in the call',
    right: 'ours',
    why: 'It was declared by that name.',
    seen: [
      {
        in: ['family/file search under another name'],
        fields: ['calls[*].name', 'results[*].name'],
        values: ['file_search', 'files'],
        of: [2],
      },
      {
        in: ['family/file search under another name'],
        fields: ['outcome'],
        values: [/^rejects TypeError/, /^answers/],
        at: ['generateText', 'generatedTurns'],
        of: [2],
      },
      {
        in: ['family/file search under another name'],
        fields: ['calls[*].dynamic', 'onError[*]', 'order'],
        at: ['streamText'],
        of: [2],
      },
    ],
  },
  {
    what: 'A web search that failed',
    stock: '2: a result',
    ours: 'an error, with the status in it',
    right: 'ours',
    why: 'The later majors do the same.',
    seen: [
      {
        in: ['family/web search that failed'],
        fields: ['results[*].isError'],
        values: [false, true],
        at: ['doStream', 'doGenerate'],
        of: [2],
      },
      {
        in: ['family/web search that failed'],
        fields: ['results[*].result.status'],
        values: [ABSENT, 'failed'],
        at: ['doStream', 'doGenerate'],
        of: [2],
      },
      {
        in: ['family/web search that failed'],
        fields: ['results[*]'],
        values: [ANY, ABSENT],
        at: ['streamText', 'generateText'],
        of: [2],
      },
    ],
  },
  {
    what: 'Pages that a web search looked at',
    stock: '2, 3: no sources; 4: sources behind the search, without the titles of those that are cited',
    ours: 'sources: what the text cites, with its title, and at the end of the response the other pages',
    right: 'ours',
    why: 'Each page once, and under the title that the answer gives it.',
    seen: [
      { in: ['family/web search with sources'], fields: ['sources[*]'], values: [ABSENT, ANY], of: [2, 3] },
      { in: ['family/web search with sources'], fields: ['order'], values: [ANY, /source/] },
    ],
  },
  {
    what: 'A text before the requested JSON',
    stock: 'a text; 4: the JSON again in `structuredOutputText`',
    ours: 'reasoning',
    right: 'ours',
    why: 'The texts of an answer are then JSON, for every version of the SDK.',
    seen: [
      {
        in: ['family/JSON behind a commentary'],
        fields: ['text[*]*', 'reasoning[*]', 'order'],
        values: [ANY, ANY],
        at: ['doStream', 'doGenerate'],
      },
      {
        in: ['family/JSON behind a commentary'],
        fields: ['structuredOutputText'],
        values: ['{"ducks":3}', ABSENT],
        at: ['doGenerate'],
        of: [4],
      },
    ],
  },
  {
    what: 'What the server reports of its prompt cache',
    stock: '2: not shown',
    ours: '`promptCacheDiagnostics` in the finish metadata',
    right: 'ours',
    why: '3 and 4 show it as well.',
    seen: [
      {
        in: ['family/the context of the reasoning, and what the cache says'],
        fields: ['finishMetadata.promptCacheDiagnostics'],
        values: [ABSENT, ANY],
        of: [2],
      },
    ],
  },
  {
    what: 'Output of a call that a text of the same answer follows, in the next request',
    stock: 'behind the text',
    ours: 'right behind the call',
    right: 'ours',
    why: 'UI messages of 5 have texts of later rounds there; servers that make a chat of the items want each output behind its call.',
    seen: [
      { in: ['family/a call before a text'], fields: ['body.order'], values: [/call_call_1 assistant output_/, ANY] },
    ],
  },
];
