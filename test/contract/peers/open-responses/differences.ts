import { ABSENT, ANY, type Difference } from '../../differences/difference.js';

const SEARCHES = ['aimock-web-search*', 'unknown-events*'];
const WRAPPER = 'family/a call of the wrapper for parallel calls';

/** What `@ai-sdk/open-responses` does otherwise in what comes back. */
const ANSWERS: readonly Difference[] = [
  {
    what: 'Open Responses: Metadata key',
    stock: "the provider's name, with item ids and the content of reasoning items, encrypted or not",
    ours: 'always `openai` (as with `createOpenAI`), with everything that the stock provider reports; encrypted reasoning is under `responses-loop`. This package reads both keys.',
    right: 'either',
    why: 'Provider names can change, and encrypted content must not be sent to a different origin.',
    seen: [
      { in: ['*'], fields: ['namespaces[*]', 'finishMetadata', 'calls[*].metadata*', 'text[*].metadata*'] },
      { in: ['*'], fields: ['results[*].metadata*', 'reasoning[*].metadata*'] },
    ],
  },
  {
    what: 'Open Responses: Data in a streamed response',
    stock: 'no id, timestamp or model; call arguments are not streamed',
    ours: 'id, timestamp, model and streamed arguments',
    right: 'ours',
    why: 'The server sends all of these.',
    seen: [{ in: ['*'], fields: ['response*', 'order', 'inputs[*]*'] }],
  },
  {
    what: 'Open Responses: Usage numbers',
    stock: 'missing numbers count as 0 in calculations; cache writes are missing',
    ours: 'absent if the server sends nothing; cache writes are reported',
    right: 'ours',
    why: 'An unknown value is not zero.',
    seen: [{ in: ['*'], fields: ['usage*', 'totalUsage*'] }],
  },
  {
    what: "Open Responses: The server's finish reason (`rawFinishReason`)",
    stock: 'only for incomplete responses',
    ours: 'always',
    right: 'either',
    why: 'This value comes from the server.',
    seen: [{ in: ['*'], fields: ['rawFinishReason'] }],
  },
  {
    what: 'Open Responses: Items other than messages, reasoning and function calls',
    stock: 'ignored, except registered extensions; sources are ignored as well',
    ours: 'shown, and sent back with the next request',
    right: 'ours',
    why: 'Servers keep adding new types.',
    seen: [
      { in: SEARCHES, fields: ['calls[*]', 'results[*]', 'messages[*]'] },
      { in: ['openai-text*'], fields: ['sources[*]'] },
      { in: ['openai-text/1'], fields: ['text[*].citations'], of: [4] },
      { in: ['family/compaction'], fields: ['custom[*]', 'messages[*]', 'body.*'], of: [4] },
    ],
  },
  {
    what: 'Open Responses: Reasoning sections',
    stock: 'when streaming, one part; when generating, no part (V3) or one part without separators (V4)',
    ours: 'one part for each section',
    right: 'ours',
    why: 'The stock provider for OpenAI does the same.',
    seen: [
      { in: ['reasoning-and-tool*'], fields: ['reasoning[*]*', 'messages[*]'] },
      {
        in: ['aimock-reasoning-function-call*', 'reasoning-and-tool*', 'family/a call before a text'],
        fields: ['reasoning', 'reasoning[*]', 'messages[*]'],
        of: [3],
      },
    ],
  },
  {
    what: 'Open Responses: Parallel calls wrapped in a single call, and arguments sent as an object',
    stock: 'a call to an unknown tool',
    ours: 'the calls that the model meant',
    right: 'ours',
    why: 'The meaning is clear.',
    seen: [{ in: [WRAPPER, 'aimock-arguments-as-object*'], fields: ['*'] }],
  },
];

const HISTORY: readonly Difference[] = [
  {
    what: 'Open Responses: Format of messages and declarations',
    stock: 'system messages become `instructions`; no `strict` by default',
    ours: 'system messages stay in place; complete items and `strict: false`',
    right: 'either',
    why: 'The Open Responses provider merges system messages from several places into a single message at the beginning.',
    seen: [
      {
        in: ['*'],
        fields: [
          'body.items.*.annotations',
          'body.items.*.status',
          'body.input[*].status',
          'body.input[*].content[*].annotations',
          'body.tools[*].strict',
        ],
      },
      { in: ['*'], fields: ['body.items.*.id', 'body.input[*].id'], of: [4] },
      { in: ['request/history: a system message'], fields: ['body.instructions', 'body.input[*]*'] },
    ],
  },
  {
    what: 'Open Responses: `store` and `toolChoice: auto`',
    stock: '`store` is never sent; the tool choice is always sent',
    ours: '`store: false` by default; `auto` is not sent',
    right: 'either',
    why: 'Nothing is stored unless you opt in.',
    seen: [
      { in: ['*'], fields: ['body.store'] },
      { in: ['*'], fields: ['body.tool_choice'], values: ['auto', ABSENT] },
    ],
  },
  {
    what: 'Open Responses: Reasoning in the history',
    stock: 'sent unchanged, encrypted or not',
    ours: 'sent to servers that are known to accept it; left out for `generic`',
    right: 'either',
    why: "Many servers reject reasoning in the history. With `backend: 'openai'`, this package sends encrypted reasoning. With `backend: 'llamacpp'`, this package sends plain text.",
    seen: [
      {
        in: ['request/history: *reasoning*', 'family/a call before a text', 'family/a subagent and the answer'],
        fields: ['body.*'],
      },
    ],
  },
  {
    what: "Open Responses: Calls to server tools, and fields (in calls, outputs and text parts) that the Open Responses provider's schema lacks",
    stock: 'left out',
    ours: 'sent back',
    right: 'ours',
    why: 'The server sent these items and fields.',
    seen: [
      {
        in: ['family/a call in a namespace', 'family/a call that is not waited for', 'family/JSON behind a commentary'],
        fields: ['body.*'],
      },
      { in: ['request/history: what it ran itself'], fields: ['body.*'] },
    ],
  },
];

const REQUESTS: readonly Difference[] = [
  {
    what: 'Open Responses: Options that the Open Responses provider lacks',
    stock: 'ignored, including options on parts',
    ours: 'sent: `imageDetail` and every option of the stock provider for OpenAI; unknown options cause a warning',
    right: 'ours',
    why: 'Options that you set should be sent.',
    seen: [
      { in: ['request/an option that nobody has'], fields: ['warnings[*]'] },
      { in: ['request/history: an image with detail'], fields: ['body.input[*].content[*].detail'] },
    ],
  },
  {
    what: 'Open Responses: Options with the wrong type or an invalid value',
    stock: '`InvalidArgumentError` ("invalid … provider options")',
    ours: 'wrong type: `invalid-options`, with the name, the value and the allowed values; invalid values of the right type are sent',
    right: 'ours',
    why: 'Servers decide which values they accept.',
    seen: [
      { in: ['request/option *: 1'], fields: ['rejects.*'] },
      { in: ['request/option reasoningSummary: ducks'], fields: ['outcome'] },
      { in: ['request/option reasoningEffort: ducks'], fields: ['outcome'], of: [3] },
    ],
  },
  {
    what: 'Open Responses: Settings that the API lacks, and warnings about them',
    stock: 'penalties are sent; JSON without a schema uses the format `json_schema`',
    ours: 'penalties are sent to engines that support them (`vllm`, `llamacpp`), and left out for others, with a warning; JSON without a schema uses the format `json_object`',
    right: 'either',
    why: 'Some servers reject unknown fields.',
    seen: [
      { in: ['request/settings this API has not'], fields: ['body.*', 'warnings[*]*'] },
      { in: ['request/sampling settings', 'request/topK'], fields: ['warnings[*]*'] },
      { in: ['request/JSON with*'], fields: ['body.text.format.*'] },
    ],
  },
  {
    what: 'Open Responses: Images in tool output',
    stock: 'sent',
    ours: 'sent to servers that are known to accept them; for `generic`, replaced by a sentence that mentions them',
    right: 'either',
    why: "Most servers accept only text. Set `backend` to your server's profile.",
    seen: [{ in: ['request/history: an output with a picture'], fields: ['body.input[*].output'] }],
  },
  {
    what: 'Open Responses: Names given to unnamed files',
    stock: '`data`',
    ours: "`file` plus an extension that matches the file's type",
    right: 'either',
    why: 'Either way, the name is made up.',
    seen: [{ in: ['request/history: a PDF'], fields: ['body.input[*].content[*].filename'], values: [ANY, ANY] }],
  },
];

const FAILURES: readonly Difference[] = [
  {
    what: 'Open Responses: Refusals and cut-off calls',
    stock: 'a refusal is lost; a cut-off call is passed to your code',
    ours: 'a refusal is a text part with the finish reason `content-filter`; a cut-off call is not passed to your code',
    right: 'ours',
    why: 'A refusal is a valid answer. An incomplete call cannot run.',
    seen: [
      {
        in: [
          'refusal*',
          'incomplete-*',
          'llama-server-call-cut-short*',
          'truncated*',
          'llama-server-killed*',
          'aimock-disconnected*',
        ],
        fields: ['*'],
      },
    ],
  },
  {
    what: 'Open Responses: Errors',
    stock:
      "the server's message. When streaming, an error part and the finish reason `other`. If the HTTP body does not contain a response object, the answer is empty.",
    ours: "the server's message, its error code, the URL and a hint; the finish reason is `error`. An HTTP body without a response object causes an error.",
    right: 'ours',
    why: 'An incomplete answer is not a valid answer.',
    seen: [{ in: ['failure/*', 'failed-at-once*', 'error-in-stream*'], fields: ['*'] }],
  },
];

export const OPEN_RESPONSES_DIFFERENCES: readonly Difference[] = [...ANSWERS, ...HISTORY, ...REQUESTS, ...FAILURES];
