import { ABSENT, ANY, type Difference, MODEL, STREAMS, WHOLE } from './difference.js';

const INVALID = /^rejects AI_APICallError: Invalid JSON response$/;

/** What the server runs by itself, and what came of it. */
const SERVER_RUNS = [
  'written/web search',
  'written/file search',
  'written/code interpreter',
  'written/image generation',
  'family/web search with sources',
  'family/web search preview',
  'family/file search',
  'family/file search under another name',
  'family/code interpreter',
  'family/image generation',
];
const IMAGES = ['written/image generation', 'family/image generation'];
const GROWING = ['family/image generation with partial images'];

/** Answers that are not as the specification has them, or that know more than one of the two. */
export const LENIENT_DIFFERENCES: readonly Difference[] = [
  {
    what: 'Unknown items and annotations',
    stock: 'when streaming, ignored; when generating, the error "Invalid JSON response"',
    ours: 'not shown, but sent back with the next request',
    right: 'ours',
    why: 'Servers keep adding new types.',
    seen: [
      {
        in: ['unknown-events*', 'written/an annotation nobody knows', 'written/an output among the output'],
        fields: ['outcome'],
        values: [INVALID, /^answers stop/],
        at: WHOLE,
      },
    ],
  },
  {
    what: 'Missing usage',
    stock: 'V2: when streaming, the finish reason `unknown`; when generating, an error',
    ours: 'a normal answer without usage',
    right: 'ours',
    why: 'Some servers never send usage.',
    seen: [
      { in: ['written/no usage'], fields: ['outcome'], values: [INVALID, /^answers stop/], at: WHOLE, of: [2] },
      {
        in: ['written/no usage'],
        fields: ['finishReason'],
        values: [/^(unknown|other)$/, 'stop'],
        at: STREAMS,
        of: [2],
      },
    ],
  },
  {
    what: 'Arguments sent as an object instead of a string',
    stock: 'when streaming, the call is lost; when generating, an error',
    ours: 'a normal call',
    right: 'ours',
    why: 'The meaning is clear.',
    seen: [
      {
        in: ['aimock-arguments-as-object*'],
        fields: ['calls[*]', 'inputs[*].deltas[*]', 'messages[*]'],
        values: [ABSENT, ANY],
        at: STREAMS,
      },
      { in: ['aimock-arguments-as-object/1'], fields: ['inputs[*].closed'], values: [false, true] },
      {
        in: ['aimock-arguments-as-object*'],
        fields: ['finishReason'],
        values: ['stop', 'tool-calls'],
        at: STREAMS,
        of: [2],
      },
      {
        in: ['aimock-arguments-as-object*'],
        fields: ['order'],
        values: [ANY, /tool-input-end tool-call/],
        at: STREAMS,
      },
      {
        in: ['aimock-arguments-as-object*'],
        fields: ['outcome'],
        values: [INVALID, /^answers tool-calls/],
        at: WHOLE,
      },
    ],
  },
  {
    what: 'JSON instead of a stream',
    stock: 'an empty answer with the finish reason `unknown`, `other` or `interrupted`',
    ours: 'read as JSON',
    right: 'ours',
    why: 'Some servers and proxies respond this way.',
    seen: [
      {
        in: ['llama-server-json*'],
        fields: ['finishReason'],
        values: [/^(other|interrupted)$/, /^(stop|tool-calls)$/],
        at: STREAMS,
        of: [3, 4],
      },
      {
        in: ['llama-server-json*'],
        fields: ['finishReason'],
        values: [/^(unknown|other)$/, /^(stop|tool-calls)$/],
        at: STREAMS,
        of: [2],
      },
      { in: ['llama-server-json*'], fields: ['finishMetadata.responseId'], values: [null, /^resp_/], at: STREAMS },
      { in: ['llama-server-json*'], fields: ['response.*', 'usage.*', 'order'], at: STREAMS },
    ],
  },
  {
    what: 'A call whose output is in the same response',
    stock: 'passed to your code, which runs the call again',
    ours: 'not passed to your code',
    right: 'ours',
    why: 'The call has already run.',
    seen: [
      {
        in: ['written/an output among the output'],
        fields: ['calls[*]', 'order', 'messages[*]'],
        values: [/call/, ANY],
        at: STREAMS,
      },
      {
        in: ['written/an output among the output'],
        fields: ['finishReason'],
        values: ['tool-calls', 'stop'],
        at: STREAMS,
      },
    ],
  },
  {
    what: 'A call cut off by the token limit',
    stock: 'a call with incomplete arguments',
    ours: 'no call. The finish reason is `length`, or `other` if the server does not report the cut-off. If the server reports the response as complete, a warning names the call.',
    right: 'ours',
    why: 'An incomplete call cannot run.',
    seen: [
      {
        in: ['incomplete-length*'],
        fields: ['calls[*]', 'order', 'messages[*]'],
        values: [/call|tool/, ANY],
      },
    ],
  },
  {
    what: 'Input and result of server tools',
    stock: 'no input for web search and file search',
    ours: 'the input contains the query or action, and the result also contains the status',
    right: 'either',
    why: 'This package returns every field that the stock provider returns.',
    seen: [
      {
        in: ['written/web search', 'family/web search *'],
        fields: ['calls[*].input.action'],
        values: [ABSENT, ANY],
        at: MODEL,
      },
      {
        in: ['written/file search', 'family/file search*'],
        fields: ['calls[*].input.queries'],
        values: [ABSENT, ANY],
        at: MODEL,
      },
      { in: SERVER_RUNS, fields: ['results[*].result.status'], values: [ABSENT, 'completed'] },
      { in: GROWING, fields: ['results[*].result.status'], values: [ABSENT, 'completed'], of: [3, 4] },
      {
        in: ['family/web search that failed'],
        fields: ['results[*].result.action'],
        values: [ABSENT, ANY],
        at: MODEL,
        of: [3, 4],
      },
      {
        in: ['family/web search with sources'],
        fields: ['results[*].result.action.queries'],
        values: [ABSENT, ANY],
        of: [2],
      },
    ],
  },
  {
    what: 'Parts for server tools',
    stock: 'not dynamic, and without an item id; some inputs are streamed',
    ours: 'dynamic, with the item id if the server stores the item; the input arrives in one piece',
    right: 'either',
    why: 'All tools that you do not run yourself produce the same kind of parts.',
    seen: [
      {
        in: [...SERVER_RUNS, 'family/web search that failed'],
        fields: ['calls[*].dynamic'],
        values: [false, true],
        at: MODEL,
      },
      {
        in: ['family/shell in a container*', 'family/tool search at the server', ...GROWING],
        fields: ['calls[*].dynamic'],
        values: [false, true],
        at: MODEL,
        of: [3, 4],
      },
      {
        in: ['family/a program that calls functions'],
        fields: ['calls[*].dynamic'],
        values: [false, true],
        at: MODEL,
        of: [4],
      },
      {
        in: ['family/tool search at the server'],
        fields: ['inputs[*]*', 'order'],
        values: [ANY, ANY],
        at: STREAMS,
        of: [3, 4],
      },
      {
        in: ['written/web search', 'written/file search', 'written/code interpreter', 'written/image generation'],
        fields: ['calls[*].metadata'],
        values: [ABSENT, /^\{"itemId":"\w\w_1"\}$/],
      },
      {
        in: ['written/web search', 'family/web search *', 'family/code interpreter'],
        fields: ['inputs[*]'],
        values: [ANY, ABSENT],
      },
      {
        in: ['written/web search', 'family/web search *', 'family/code interpreter'],
        fields: ['order'],
        values: [/tool-input-end tool-call/, / tool-call/],
        at: STREAMS,
      },
    ],
  },
  {
    what: 'Code interpreter calls whose code arrives in one piece',
    stock: 'a result without a call; the input is never closed',
    ours: 'a call and a result',
    right: 'ours',
    why: 'Servers do not have to send the code in deltas.',
    seen: [
      {
        in: ['written/code interpreter'],
        fields: ['calls[*]', 'inputs[*]', 'order', 'messages[*]'],
        at: STREAMS,
      },
    ],
  },
  {
    what: 'Generated images',
    stock: "in the tool's result (`result.result`)",
    ours: 'a file part. If previews were streamed (`partialImages`), the result also contains the image, which replaces the previews.',
    right: 'either',
    why: 'Images belong in file parts. A second copy would double the amount of data.',
    seen: [
      { in: GROWING, fields: ['results[*].result.result'], values: ['aGVsbG8=', ABSENT], at: WHOLE, of: [3, 4] },
      { in: GROWING, fields: ['files[*]'], values: [ABSENT, ANY], of: [3, 4] },
      { in: GROWING, fields: ['order', 'messages[*]'], values: [ANY, /tool-result file/], of: [3, 4] },
      { in: IMAGES, fields: ['results[*].result.result'], values: ['aGVsbG8=', ABSENT] },
      { in: IMAGES, fields: ['files[*]'], values: [ABSENT, ANY] },
      { in: IMAGES, fields: ['order', 'messages[*]'], values: [ANY, /tool-result file/] },
    ],
  },
  {
    what: 'Server tools that the call does not declare',
    stock: 'V2: tool parts, which make `ai` 5 throw a `TypeError`',
    ours: 'V2: not shown, but sent back with the next request; V3, V4: shown',
    right: 'ours',
    why: '`ai` 5 accepts only parts for declared tools.',
    seen: [
      {
        in: ['aimock-web-search*', 'unknown-events*', 'written/computer'],
        fields: ['calls[*]', 'results[*]', 'order', 'messages[*]', 'onError[*]', 'inputs[*]', 'reasoning*'],
        of: [2],
      },
      {
        in: ['aimock-web-search', 'written/computer'],
        fields: ['outcome'],
        values: [/^rejects TypeError/, /^answers stop/],
        at: ['generateText'],
        of: [2],
      },
    ],
  },
  {
    what: 'Newer item types: MCP, approvals, custom tools',
    stock: 'V2: when streaming, ignored; when generating, an error',
    ours: 'V2: not shown if the tool is undeclared, but sent back with the next request',
    right: 'ours',
    why: 'Otherwise, these items would be missing from the next request.',
    seen: [
      {
        in: ['written/mcp', 'written/mcp asks leave', 'written/a custom tool call'],
        fields: ['outcome'],
        values: [INVALID, /^answers stop/],
        at: WHOLE,
        of: [2],
      },
      {
        in: ['written/mcp asks leave', 'written/a custom tool call'],
        fields: ['reasoning*', 'order', 'messages[*]'],
        values: [ANY, /reasoning|deltas|^(\[\]|null)?$/],
        at: STREAMS,
        of: [2],
      },
    ],
  },
  {
    what: 'Finish reason if your code has to run a shell command or tool search',
    stock: '`stop`',
    ours: '`tool-calls`',
    right: 'ours',
    why: 'The model is waiting for your output.',
    seen: [
      { in: ['written/local shell', 'family/local shell'], fields: ['finishReason'], values: ['stop', 'tool-calls'] },
      {
        in: ['family/shell on the client*', 'family/tool search at the client'],
        fields: ['finishReason'],
        values: ['stop', 'tool-calls'],
        of: [3, 4],
      },
    ],
  },
];
