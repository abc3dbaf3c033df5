import { ABSENT, ANY, type Difference } from '../../differences/difference.js';

const SEARCHES = ['aimock-web-search*', 'unknown-events*'];
const WRAPPER = 'family/a call of the wrapper for parallel calls';

/** What `@ai-sdk/open-responses` does otherwise in what comes back. */
const ANSWERS: readonly Difference[] = [
  {
    what: 'Open Responses: the name of metadata',
    stock: 'the name of the provider; ids of items, and the content of a reasoning item, sealed or not',
    ours: '`openai`, as `createOpenAI` has it under any name: response id, service tier and what else the stock provider reports; sealed reasoning under `responses-loop`. Both names are read',
    right: 'either',
    why: 'Names of providers change, and what is sealed must not be sent to another origin.',
    seen: [
      { in: ['*'], fields: ['namespaces[*]', 'finishMetadata', 'calls[*].metadata*', 'text[*].metadata*'] },
      { in: ['*'], fields: ['results[*].metadata*', 'reasoning[*].metadata*'] },
    ],
  },
  {
    what: 'Open Responses: facts of a streamed response',
    stock: 'no id, no time, no model; arguments of calls are not streamed',
    ours: 'all of it',
    right: 'ours',
    why: 'The server sent it.',
    seen: [{ in: ['*'], fields: ['response*', 'order', 'inputs[*]*'] }],
  },
  {
    what: 'Open Responses: numbers of usage',
    stock: 'a rest is worked out from numbers that are not there; cache writes are missing',
    ours: 'absent where the server sends nothing; cache writes are reported',
    right: 'ours',
    why: 'Unknown is not none.',
    seen: [{ in: ['*'], fields: ['usage*', 'totalUsage*'] }],
  },
  {
    what: 'Open Responses: the server’s own finish reason (`rawFinishReason`)',
    stock: 'only of incomplete responses',
    ours: 'always',
    right: 'either',
    why: 'It is the server’s own value.',
    seen: [{ in: ['*'], fields: ['rawFinishReason'] }],
  },
  {
    what: 'Open Responses: items that are no message, reasoning or function call',
    stock: 'passed over, but for extensions that are registered; sources too',
    ours: 'shown, and sent back with the next request',
    right: 'ours',
    why: 'Servers add to the API all the time.',
    seen: [
      { in: SEARCHES, fields: ['calls[*]', 'results[*]', 'messages[*]'] },
      { in: ['openai-text*'], fields: ['sources[*]'] },
      { in: ['openai-text/1'], fields: ['text[*].citations'], of: [4] },
      { in: ['family/compaction'], fields: ['custom[*]', 'messages[*]', 'body.*'], of: [4] },
    ],
  },
  {
    what: 'Open Responses: sections of reasoning',
    stock: 'one part; generated: 3: none at all, 4: without what parts them',
    ours: 'a part for each section',
    right: 'ours',
    why: 'As the stock provider has it for OpenAI.',
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
    stock: 'the call of a tool that does not exist',
    ours: 'the calls that the model meant',
    right: 'ours',
    why: 'Nothing about them is unclear.',
    seen: [{ in: [WRAPPER, 'aimock-arguments-as-object*'], fields: ['*'] }],
  },
];

const HISTORY: readonly Difference[] = [
  {
    what: 'Open Responses: form of messages and declarations',
    stock: 'system messages as `instructions`; no `strict` by default',
    ours: 'system messages in their places, whole items, `strict: false`',
    right: 'either',
    why: 'Instructions of several places are one text there, at the beginning.',
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
    stock: '`store` is never sent, the choice always',
    ours: '`store: false` by default; `auto` is not sent',
    right: 'either',
    why: 'Nothing is kept unless you ask for it.',
    seen: [
      { in: ['*'], fields: ['body.store'] },
      { in: ['*'], fields: ['body.tool_choice'], values: ['auto', ABSENT] },
    ],
  },
  {
    what: 'Open Responses: reasoning in the history',
    stock: 'sent as it came, sealed or not',
    ours: 'sent to back ends that are known to take it; left out for `generic`',
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
    what: 'Open Responses: members of calls, outputs and texts that are not in its schema, and what the server ran',
    stock: 'left out',
    ours: 'sent back',
    right: 'ours',
    why: 'The server wrote them.',
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
    what: 'Open Responses: options that its package has not',
    stock: 'passed over, also those on parts',
    ours: 'sent (`imageDetail`, and every option of the stock provider for OpenAI); unknown ones warn',
    right: 'ours',
    why: 'What you set is sent.',
    seen: [
      { in: ['request/an option that nobody has'], fields: ['warnings[*]'] },
      { in: ['request/history: an image with detail'], fields: ['body.input[*].content[*].detail'] },
    ],
  },
  {
    what: 'Open Responses: options of a wrong type or value',
    stock: '`InvalidArgumentError`: “invalid pond provider options”',
    ours: 'a wrong type: `invalid-options`, with name, value and what is allowed; any other value is sent',
    right: 'ours',
    why: 'Servers know best which values they have.',
    seen: [
      { in: ['request/option *: 1'], fields: ['rejects.*'] },
      { in: ['request/option reasoningSummary: ducks'], fields: ['outcome'] },
      { in: ['request/option reasoningEffort: ducks'], fields: ['outcome'], of: [3] },
    ],
  },
  {
    what: 'Open Responses: settings that the API has not, and words of warnings',
    stock: 'penalties are sent; JSON without a schema as a schema without one',
    ours: 'penalties are sent to engines that have them (`vllm`, `llamacpp`), to others not, with a warning; `json_object`',
    right: 'either',
    why: 'Some servers refuse fields that they do not know.',
    seen: [
      { in: ['request/settings this API has not'], fields: ['body.*', 'warnings[*]*'] },
      { in: ['request/sampling settings', 'request/topK'], fields: ['warnings[*]*'] },
      { in: ['request/JSON with*'], fields: ['body.text.format.*'] },
    ],
  },
  {
    what: 'Open Responses: pictures in the output of a tool',
    stock: 'sent',
    ours: 'sent to back ends that are known to take them; `generic` gets a text that names them',
    right: 'either',
    why: 'Most servers take a text only; `backend` sets which one it is.',
    seen: [{ in: ['request/history: an output with a picture'], fields: ['body.input[*].output'] }],
  },
  {
    what: 'Open Responses: names of files',
    stock: '`data`',
    ours: '`file` with the extension of its type',
    right: 'either',
    why: 'Both are made up.',
    seen: [{ in: ['request/history: a PDF'], fields: ['body.input[*].content[*].filename'], values: [ANY, ANY] }],
  },
];

const FAILURES: readonly Difference[] = [
  {
    what: 'Open Responses: refusals and calls that were cut',
    stock: 'a refusal is lost; half a call is yours',
    ours: 'a text and the finish reason `content-filter`; no call',
    right: 'ours',
    why: 'The model has answered; nothing can be run with half of the arguments.',
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
      'the server’s words; in a stream an error part and the finish reason `other`; what is no response is an empty answer',
    ours: 'the server’s words, its code, the URL and what may help; the finish reason `error`; what is no response fails',
    right: 'ours',
    why: 'Half an answer is not an answer.',
    seen: [{ in: ['failure/*', 'failed-at-once*', 'error-in-stream*'], fields: ['*'] }],
  },
];

export const OPEN_RESPONSES_DIFFERENCES: readonly Difference[] = [...ANSWERS, ...HISTORY, ...REQUESTS, ...FAILURES];
