import type { Major } from '../sides.js';
import { ABSENT, ANY, type Difference } from './difference.js';

const LATER: readonly Major[] = [3, 4];
const TURNS = ['streamedTurns', 'generatedTurns'] as const;

/** Tools that the API declares: what is shown of them, and what of them goes back. */
export const FAMILY_DIFFERENCES: readonly Difference[] = [
  {
    what: 'Calls to server tools in the history (`store: false`)',
    stock:
      'file searches, code interpreter calls, generated images, failed web searches and MCP items (calls, lists, approval requests) are left out, with a warning; V2: all other web searches are also left out',
    ours: 'sent as complete items',
    right: 'ours',
    why: 'The model remembers what it has seen.',
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
    what: 'Calls to server tools that the stock provider wrote into the history (`store: false`)',
    stock: 'left out, with a warning',
    ours: 'sent as a function call and its output; images and web searches are sent as items',
    right: 'ours',
    why: 'The model remembers these calls and their results.',
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
    what: 'Patches from a tool that is not named `apply_patch`',
    stock: 'V3, V4: the output is sent back as a function output',
    ours: 'the output is sent back as a patch output',
    right: 'ours',
    why: 'The server treats the call as a patch.',
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
    what: 'Items that are sent back to the server',
    stock: 'rebuilt; shell calls lose their environment and time limit; the status is `completed` or absent',
    ours: 'unchanged',
    right: 'either',
    why: 'The server sent the items in this form.',
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
    what: 'Limits and working directory of a shell call',
    stock:
      'V3: `timeoutMs` and `maxOutputLength` of a shell call are dropped. With `generateText`, local shell calls contain `timeout_ms` and `working_directory`, but the tool does not read these names.',
    ours: 'all limits and the directory, under the names that the tool reads',
    right: 'ours',
    why: 'The tool can obey only the limits that it receives.',
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
    what: 'How the output of a server tool is sent back',
    stock: 'rebuilt from the result',
    ours: "unchanged, as stored in the round's carrier. If the round contains a call to one of your tools, the carrier is attached to that call.",
    right: 'either',
    why: 'The server sent the output in this form.',
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
    what: 'Author of the text, if several agents work together',
    stock: 'left out of the history',
    ours: 'sent back with the text (`agent`)',
    right: 'ours',
    why: "The model can distinguish its own answer from another agent's text.",
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
    what: 'A server tool that the call declares under a name other than its type',
    stock: 'V2: shown under the name of its type; `ai` 5 fails, because the call does not declare that name',
    ours: 'shown under the declared name',
    right: 'ours',
    why: 'Your code knows the tool by that name.',
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
    what: 'Failed web searches',
    stock: 'V2: a result',
    ours: 'an error that contains the status',
    right: 'ours',
    why: 'The stock provider does the same with V3 and V4.',
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
    what: 'Pages that a web search visited',
    stock: 'V2, V3: no sources; V4: sources after the search, without the titles of cited pages',
    ours: 'sources: cited pages with their titles, and all other pages at the end of the response',
    right: 'ours',
    why: 'Each page appears once, with the title from the answer.',
    seen: [
      { in: ['family/web search with sources'], fields: ['sources[*]'], values: [ABSENT, ANY], of: [2, 3] },
      { in: ['family/web search with sources'], fields: ['order'], values: [ANY, /source/] },
    ],
  },
  {
    what: 'Text before the requested JSON',
    stock: 'a text part; V4: the JSON is repeated in `structuredOutputText`',
    ours: 'a reasoning part',
    right: 'ours',
    why: 'The text part then contains only JSON in every version of the SDK.',
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
    what: "The server's report on its prompt cache",
    stock: 'V2: not shown',
    ours: '`promptCacheDiagnostics` in the finish metadata',
    right: 'ours',
    why: 'The stock provider does the same with V3 and V4.',
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
    what: "Position of a call's output in the next request, if text followed the call",
    stock: 'after the text',
    ours: 'directly after the call',
    right: 'ours',
    why: 'In AI SDK 5, UI messages put the text of later rounds before the output. Servers that convert the items to chat messages expect each output right after its call.',
    seen: [
      { in: ['family/a call before a text'], fields: ['body.order'], values: [/call_call_1 assistant output_/, ANY] },
    ],
  },
];
