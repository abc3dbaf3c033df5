import type { Major } from '../sides.js';
import { ABSENT, ANY, type Difference, STREAMS } from './difference.js';

const LATER: readonly Major[] = [3, 4];
const UNDECLARED = ['aimock-web-search*', 'unknown-events*'];

/** What only the majors 3 and 4 do differently from us. */
export const LATER_DIFFERENCES: readonly Difference[] = [
  {
    what: "The server's finish reason (`rawFinishReason`)",
    stock: 'V3, V4: only for incomplete responses; `error` if the response failed',
    ours: 'always the status or reason that the server sent',
    right: 'either',
    why: 'This value comes from the server.',
    seen: [
      { in: ['*'], fields: ['rawFinishReason'], values: [ABSENT, /^(completed|in_progress)$/], of: LATER },
      {
        in: ['error-in-stream*', 'failure/error event after text', 'failure/nested error event after text'],
        fields: ['rawFinishReason'],
        values: ['error', ABSENT],
        at: STREAMS,
        of: LATER,
      },
      { in: ['written/failed after text'], fields: ['rawFinishReason'], values: ['error', 'failed'], of: LATER },
    ],
  },
  {
    what: 'Usage details that the server did not report',
    stock: 'V3, V4: shown as 0, and treated as 0 in calculations',
    ours: 'absent',
    right: 'ours',
    why: 'An unknown value is not zero.',
    seen: [{ in: ['*'], fields: ['usage.*', 'totalUsage.*'], values: [/^\d+$/, ABSENT], of: LATER }],
  },
  {
    what: 'Position of sources in a stream',
    stock: 'V4: after the text that they belong to',
    ours: 'at the point where they arrive, before the text ends',
    right: 'either',
    why: 'Each source appears as soon as it arrives.',
    seen: [
      {
        in: ['openai-text*', 'written/url citation', 'written/file citation'],
        fields: ['order'],
        values: [/text-end source finish/, /source text-end finish/],
        at: STREAMS,
        of: [4],
      },
    ],
  },
  {
    what: 'Sources from a file search',
    stock: 'V4: every file that was found',
    ours: 'only files that the answer cites',
    right: 'either',
    why: 'The tool result contains every file that was found.',
    seen: [
      { in: ['written/file search', 'family/file search*'], fields: ['sources[*]'], values: [ANY, ABSENT], of: [4] },
      {
        in: ['written/file search', 'family/file search*'],
        fields: ['order'],
        values: [/tool-result source text/, ANY],
        of: [4],
      },
    ],
  },
  {
    what: 'MCP tools that the server runs',
    stock: 'V3, V4: approval requests get random call ids; results have the item id but no `status`',
    ours: "approval requests keep the server's id; results have a `status`; the call contains the server's item, so that this item can be sent back",
    right: 'either',
    why: 'With both providers, the names, the arguments and the content of the results are the same.',
    seen: [
      {
        in: ['written/mcp asks leave', 'family/hosted MCP, approved', 'family/hosted MCP, denied'],
        fields: ['calls[*].id', 'approvals[*]'],
        values: [/^\w{16}$/, 'mcpr_1'],
        of: LATER,
      },
      {
        in: ['written/mcp', 'family/hosted MCP*'],
        fields: ['results[*].result.status'],
        values: [ABSENT, /^(completed|failed)$/],
        of: LATER,
      },
      { in: ['written/mcp'], fields: ['results[*].metadata'], values: [/mcp_1/, ABSENT], of: LATER },
      {
        in: ['written/mcp', 'written/mcp asks leave'],
        fields: ['calls[*].metadata'],
        values: [ABSENT, /mcpr?_1/],
        of: LATER,
      },
    ],
  },
  {
    what: 'Undeclared server tools, with V3 and V4',
    stock: 'calls that the SDK considers invalid, including computer calls',
    ours: 'dynamic tool parts; computer calls are kept in the metadata',
    right: 'ours',
    why: 'The server ran these tools, so the calls are valid.',
    seen: [
      { in: UNDECLARED, fields: ['calls[*].invalid'], values: [true, false], of: LATER },
      { in: UNDECLARED, fields: ['calls[*].dynamic'], values: [false, true], of: LATER },
      { in: UNDECLARED, fields: ['calls[*].input.action', 'calls[*].metadata'], values: [ABSENT, ANY], of: LATER },
      { in: UNDECLARED, fields: ['results[*].result.status'], values: [ABSENT, 'completed'], of: LATER },
      { in: UNDECLARED, fields: ['inputs[*]'], values: [ANY, ABSENT], of: LATER },
      { in: UNDECLARED, fields: ['order'], values: [/tool-input-end tool-call/, / tool-call/], at: STREAMS, of: LATER },
      {
        in: ['written/computer'],
        fields: ['calls[*]', 'inputs[*]', 'reasoning*', 'order', 'messages[*]'],
        of: LATER,
      },
      { in: ['written/computer'], fields: ['results[*]'], values: [ANY, ABSENT], of: [3] },
      { in: ['written/computer'], fields: ['finishReason'], values: ['tool-calls', 'stop'], of: [4] },
    ],
  },
  {
    what: 'Calls whose input arrives in one piece',
    stock:
      'V3, V4: the streamed input of a custom tool or client-side tool search is empty; each call appears as it arrives',
    ours: 'the input is streamed in full; all calls appear together when the round is over',
    right: 'either',
    why: 'Until the round is over, it is unclear whether your code has to run the calls. With both providers, the final input is the same.',
    seen: [
      {
        in: ['written/a custom tool call'],
        fields: ['inputs[*].deltas[*]', 'order'],
        values: [ANY, ANY],
        at: STREAMS,
        of: LATER,
      },
      {
        in: ['family/tool search at the client'],
        fields: ['inputs[*].deltas[*]', 'order'],
        values: [ANY, ANY],
        at: STREAMS,
        of: LATER,
      },
      {
        in: ['family/patches: create, update and delete'],
        fields: ['order'],
        values: [/tool-input-end tool-call tool-input-start/, /tool-input-end tool-input-start/],
        at: STREAMS,
        of: LATER,
      },
    ],
  },
  {
    what: 'Failed calls to MCP tools that the server runs',
    stock: 'V3, V4: a result',
    ours: 'an error with the same content',
    right: 'ours',
    why: 'The tool failed.',
    seen: [
      {
        in: ['family/hosted MCP that failed'],
        fields: ['results[*].isError'],
        values: [false, true],
        at: ['doStream', 'doGenerate'],
        of: LATER,
      },
      {
        in: ['family/hosted MCP that failed'],
        fields: ['results[*]'],
        values: [/error/, ABSENT],
        of: LATER,
      },
      {
        in: ['family/hosted MCP that failed'],
        fields: ['order'],
        values: [/tool-call tool-result/, /tool-call tool-error/],
        at: ['streamText'],
        of: LATER,
      },
    ],
  },
  {
    what: 'Strict schemas by default',
    stock: 'V3, V4: the schema for structured output is strict; V3: `strict` is not sent for functions',
    ours: '`strict: false`, always sent',
    right: 'either',
    why: 'Strict mode accepts only schemas that are written for it.',
    seen: [
      {
        in: ['request/JSON with a schema', 'request/together: textVerbosity and a schema of the answer'],
        fields: ['body.text.format.strict'],
        values: [true, false],
        of: LATER,
      },
      {
        in: ['*'],
        fields: ['body.tools[*].strict', 'body.tools[*].tools[*].strict'],
        values: [ABSENT, false],
        of: [3],
      },
    ],
  },
  {
    what: 'Output of a failed tool',
    stock: 'V4: wrapped as `{"error":…}`',
    ours: 'the text or value itself',
    right: 'either',
    why: 'The content already shows the error.',
    seen: [
      {
        in: ['request/history: output that is an error*'],
        fields: ['body.input[*].output'],
        values: [/^\{"error":/, ANY],
        of: [4],
      },
    ],
  },
];
