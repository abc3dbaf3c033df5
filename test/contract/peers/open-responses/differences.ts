import { ABSENT, ANY, type Difference } from '../../differences/difference.js';

const SEARCHES = ['aimock-web-search*', 'unknown-events*'];
const WRAPPER = 'family/a call of the wrapper for parallel calls';

/** What `@ai-sdk/open-responses` does otherwise in what comes back. */
const ANSWERS: readonly Difference[] = [
  {
    what: 'Open Responses: the key of metadata',
    stock: "the provider's name; item ids, and the content of a reasoning item, sealed or not",
    ours: '`openai`, as with `createOpenAI` under any name: response id, service tier and everything else that the stock provider reports; sealed reasoning under `responses-loop`. Both keys are read',
    right: 'either',
    why: 'Provider names change, and sealed content must not be sent to a different origin.',
    seen: [
      { in: ['*'], fields: ['namespaces[*]', 'finishMetadata', 'calls[*].metadata*', 'text[*].metadata*'] },
      { in: ['*'], fields: ['results[*].metadata*', 'reasoning[*].metadata*'] },
    ],
  },
  {
    what: 'Open Responses: data of a streamed response',
    stock: 'no id, no time, no model; arguments of calls are not streamed',
    ours: 'all of it',
    right: 'ours',
    why: 'The server sends it.',
    seen: [{ in: ['*'], fields: ['response*', 'order', 'inputs[*]*'] }],
  },
  {
    what: 'Open Responses: usage numbers',
    stock: 'a difference is calculated from missing numbers; cache writes are missing',
    ours: 'absent if the server sends nothing; cache writes are reported',
    right: 'ours',
    why: 'Unknown is not zero.',
    seen: [{ in: ['*'], fields: ['usage*', 'totalUsage*'] }],
  },
  {
    what: 'Open Responses: the server’s own finish reason (`rawFinishReason`)',
    stock: 'only for incomplete responses',
    ours: 'always',
    right: 'either',
    why: 'It is the server’s own value.',
    seen: [{ in: ['*'], fields: ['rawFinishReason'] }],
  },
  {
    what: 'Open Responses: items other than messages, reasoning and function calls',
    stock: 'ignored, except registered extensions; sources too',
    ours: 'shown, and sent back with the next request',
    right: 'ours',
    why: 'Servers keep extending the API.',
    seen: [
      { in: SEARCHES, fields: ['calls[*]', 'results[*]', 'messages[*]'] },
      { in: ['openai-text*'], fields: ['sources[*]'] },
      { in: ['openai-text/1'], fields: ['text[*].citations'], of: [4] },
      { in: ['family/compaction'], fields: ['custom[*]', 'messages[*]', 'body.*'], of: [4] },
    ],
  },
  {
    what: 'Open Responses: reasoning sections',
    stock: 'one part; generated: 3: none at all, 4: without separators',
    ours: 'a part for each section',
    right: 'ours',
    why: 'Same as the stock provider for OpenAI.',
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
    what: 'Open Responses: calls in the wrapper for parallel calls, arguments that are an object',
    stock: 'a call of an unknown tool',
    ours: 'the calls that the model meant',
    right: 'ours',
    why: 'Their meaning is clear.',
    seen: [{ in: [WRAPPER, 'aimock-arguments-as-object*'], fields: ['*'] }],
  },
];

const HISTORY: readonly Difference[] = [
  {
    what: 'Open Responses: format of messages and declarations',
    stock: 'system messages as `instructions`; no `strict` by default',
    ours: 'system messages in their places, whole items, `strict: false`',
    right: 'either',
    why: 'There, instructions from several places become one text at the beginning.',
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
    what: 'Open Responses: `store`, and `toolChoice: auto`',
    stock: '`store` is never sent, the tool choice always',
    ours: '`store: false` by default; `auto` is not sent',
    right: 'either',
    why: 'Nothing is stored unless you opt in.',
    seen: [
      { in: ['*'], fields: ['body.store'] },
      { in: ['*'], fields: ['body.tool_choice'], values: ['auto', ABSENT] },
    ],
  },
  {
    what: 'Open Responses: reasoning in the history',
    stock: 'sent unchanged, sealed or not',
    ours: 'sent to back ends that are known to accept it; left out for `generic`',
    right: 'either',
    why: "Many refuse it; `backend: 'openai'` sends sealed reasoning, `'llamacpp'` plain text.",
    seen: [
      {
        in: ['request/history: *reasoning*', 'family/a call before a text', 'family/a subagent and the answer'],
        fields: ['body.*'],
      },
    ],
  },
  {
    what: 'Open Responses: fields of calls, outputs and texts outside its schema, and server tools',
    stock: 'left out',
    ours: 'sent back',
    right: 'ours',
    why: 'They come from the server.',
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
    what: 'Open Responses: options that its package lacks',
    stock: 'ignored, including those on parts',
    ours: 'sent (`imageDetail`, and every option of the stock provider for OpenAI), with a warning for unknown ones',
    right: 'ours',
    why: 'Whatever you set is sent.',
    seen: [
      { in: ['request/an option that nobody has'], fields: ['warnings[*]'] },
      { in: ['request/history: an image with detail'], fields: ['body.input[*].content[*].detail'] },
    ],
  },
  {
    what: 'Open Responses: options with a wrong type or value',
    stock: '`InvalidArgumentError`: “invalid pond provider options”',
    ours: 'a wrong type: `invalid-options`, with name, value and the allowed values; any other value is sent',
    right: 'ours',
    why: 'Servers decide which values they accept.',
    seen: [
      { in: ['request/option *: 1'], fields: ['rejects.*'] },
      { in: ['request/option reasoningSummary: ducks'], fields: ['outcome'] },
      { in: ['request/option reasoningEffort: ducks'], fields: ['outcome'], of: [3] },
    ],
  },
  {
    what: 'Open Responses: settings that the API lacks, and texts of warnings',
    stock: 'penalties are sent; JSON without a schema is `json_schema` without a schema',
    ours: 'penalties are sent to engines that support them (`vllm`, `llamacpp`), and not to others, with a warning; `json_object`',
    right: 'either',
    why: 'Some servers refuse unknown fields.',
    seen: [
      { in: ['request/settings this API has not'], fields: ['body.*', 'warnings[*]*'] },
      { in: ['request/sampling settings', 'request/topK'], fields: ['warnings[*]*'] },
      { in: ['request/JSON with*'], fields: ['body.text.format.*'] },
    ],
  },
  {
    what: 'Open Responses: images in tool output',
    stock: 'sent',
    ours: 'sent to back ends that are known to accept them; `generic` gets a text that names them',
    right: 'either',
    why: 'Most servers accept only text; `backend` selects the server.',
    seen: [{ in: ['request/history: an output with a picture'], fields: ['body.input[*].output'] }],
  },
  {
    what: 'Open Responses: file names',
    stock: '`data`',
    ours: '`file` with the extension of its type',
    right: 'either',
    why: 'Both names are invented.',
    seen: [{ in: ['request/history: a PDF'], fields: ['body.input[*].content[*].filename'], values: [ANY, ANY] }],
  },
];

const FAILURES: readonly Difference[] = [
  {
    what: 'Open Responses: refusals and calls that were cut off',
    stock: 'a refusal is lost; an incomplete call is passed to you',
    ours: 'a text and the finish reason `content-filter`; no call',
    right: 'ours',
    why: 'The model has answered; a call with incomplete arguments cannot run.',
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
    what: 'Open Responses: errors',
    stock:
      'the server’s message; in a stream, an error part and the finish reason `other`; a body that is not a response gives an empty answer',
    ours: 'the server’s message, its code, the URL and a hint; the finish reason `error`; a body that is not a response fails',
    right: 'ours',
    why: 'An incomplete answer is not an answer.',
    seen: [{ in: ['failure/*', 'failed-at-once*', 'error-in-stream*'], fields: ['*'] }],
  },
];

export const OPEN_RESPONSES_DIFFERENCES: readonly Difference[] = [...ANSWERS, ...HISTORY, ...REQUESTS, ...FAILURES];
