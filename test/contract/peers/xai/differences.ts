import type { Level } from '../../compare.js';
import { ABSENT, ANY, type Difference, type Sighting } from '../../differences/difference.js';

const RAN = [
  'family/web search*',
  'family/X search*',
  'family/code execution*',
  'family/images looked at*',
  'family/videos looked at*',
  'family/undeclared tools of its agents',
];
const TOOLS: readonly Pick<Sighting, 'in' | 'of'>[] = [
  { in: RAN },
  { in: ['family/file search', 'family/MCP'], of: [3, 4] },
  { in: ['family/image generation*'], of: [4] },
];
const PARTS: readonly Level[] = ['doStream', 'doGenerate', 'streamText', 'generateText'];
const each = (sighting: Omit<Sighting, 'in' | 'of'>): Sighting[] => TOOLS.map((where) => ({ ...where, ...sighting }));

/** What `@ai-sdk/xai` does otherwise in what comes back. */
const ANSWERS: readonly Difference[] = [
  {
    what: 'xAI: metadata of the response',
    stock: '3, 4: its cost; 4: also service tier, cache key and safety identifier',
    ours: 'also under `xai`: response id, cost and service tier',
    right: 'either',
    why: 'The caller sent the two missing ones.',
    seen: [
      { in: ['*'], fields: ['namespaces[*]', 'finishMetadata'] },
      { in: ['*'], fields: ['finishMetadata.*'], of: [3, 4] },
    ],
  },
  {
    what: 'xAI: ids of items in metadata',
    stock: '3, 4: only of reasoning, with the sealed reasoning',
    ours: 'of all items that the server keeps; sealed reasoning under `responses-loop`',
    right: 'either',
    why: 'Same as for OpenAI.',
    seen: [
      {
        in: ['*'],
        fields: ['calls[*].metadata*', 'text[*].metadata*', 'results[*].metadata*', 'reasoning[*].metadata*'],
      },
    ],
  },
  {
    what: 'xAI: usage numbers that the server did not report',
    stock: '0, or the rest calculated from that; 2: details are missing',
    ours: 'absent; reported numbers are present',
    right: 'either',
    why: 'Unknown is not zero.',
    seen: [{ in: ['*'], fields: ['usage*', 'totalUsage*'] }],
  },
  {
    what: 'xAI: parts of server tools',
    stock:
      'not dynamic; the input streamed in one piece; results only in streams, and empty except for web and file searches',
    ours: 'dynamic, with the whole input and always a result: the status, and the server’s text; an image is a file',
    right: 'ours',
    why: 'Every tool that you do not run yourself has the same parts.',
    seen: [
      ...each({ fields: ['calls[*]*', 'results[*]*', 'order', 'inputs[*]*', 'messages[*]'], at: PARTS }),
      { in: ['family/images looked at*', 'family/videos looked at*'], fields: ['errors[*]*', 'onError[*]*'] },
      { in: ['family/undeclared tools of its agents'], fields: ['onError[*]*', 'outcome'], of: [2] },
      { in: ['family/images looked at*', 'family/videos looked at'], fields: ['outcome'], of: [2] },
      { in: ['family/image generation*'], fields: ['files[*]*'], at: PARTS, of: [4] },
    ],
  },
  {
    what: 'xAI: texts that end, and citations',
    stock: 'open until the response ends, with several content parts in one; citations appear twice in a stream',
    ours: 'closed when the server closes them; each citation once',
    right: 'ours',
    why: 'It is the server’s own value.',
    seen: [
      {
        in: ['family/citations', 'openai-text*', 'several-*', 'aimock-text-then*', 'incomplete-length*'],
        fields: ['order', 'text[*]*', 'sources[*]*'],
      },
    ],
  },
];

const HISTORY: readonly Difference[] = [
  {
    what: 'xAI: format of messages and calls',
    stock: 'the short form that xAI accepts; calls with an id and a status; no `strict` by default',
    ours: 'whole items, calls without an id, `strict: false`',
    right: 'either',
    why: 'Same as for OpenAI.',
    seen: [
      {
        in: ['*'],
        fields: [
          'body.items.user*.type',
          'body.items.assistant*.type',
          'body.items.assistant*.status',
          'body.items.assistant*.content',
          'body.input[*].type',
          'body.input[*].status',
          'body.input[*].id',
          'body.items.*.id',
          'body.items.*.status',
          'body.tools[*].strict',
        ],
      },
      { in: ['request/history: *'], fields: ['body.input[*].content'], values: [ANY, /input_text|output_text/] },
    ],
  },
  {
    what: 'xAI: `toolChoice: auto`',
    stock: 'sent',
    ours: 'not sent',
    right: 'either',
    why: "It is the servers' default.",
    seen: [{ in: ['*'], fields: ['body.tool_choice'], values: ['auto', ABSENT] }],
  },
  {
    what: 'xAI: additional requests',
    stock: 'sealed reasoning with `store: false`; `store: true` is not sent',
    ours: 'also pages of searches and results of code; `store: false` by default',
    right: 'either',
    why: 'Nothing is stored unless you opt in, and the result contains what the server found.',
    seen: [{ in: ['*'], fields: ['body.include', 'body.include[*]', 'body.store'] }],
  },
  {
    what: 'xAI: server tools and reasoning in the history',
    stock: 'server tools are left out; 2: outputs without their calls stay, and reasoning is left out too',
    ours: 'our own are sent back as whole items; those that the stock provider showed as function calls, and web searches as items',
    right: 'ours',
    why: 'The model keeps what it has seen.',
    seen: [
      ...each({ fields: ['body.items.*', 'body.order'], at: ['streamedTurns', 'generatedTurns', 'history'] }),
      { in: ['family/undeclared tools of its agents'], fields: ['outcome'], at: ['generatedTurns'], of: [2] },
      { in: ['request/history: what it ran itself'], fields: ['body.input[*]', 'body.input[*].*'] },
      {
        in: ['request/history: sealed reasoning*', 'family/sealed reasoning and a call'],
        fields: ['body.*', 'warnings[*]*'],
        of: [2],
      },
    ],
  },
  {
    what: 'xAI: unsealed reasoning with an id',
    stock: '3, 4: sent',
    ours: 'left out',
    right: 'either',
    why: 'Without `store: true`, the server does not know the id.',
    seen: [
      {
        in: ['request/history: reasoning with*'],
        fields: ['body.input[*].*', 'warnings[*]*'],
      },
      { in: ['request/history: reasoning with an id only'], fields: ['body.input[*]'], of: [3, 4] },
    ],
  },
];

const OPTIONS: readonly Difference[] = [
  {
    what: 'xAI: options and arguments with a wrong type or value',
    stock:
      '`InvalidArgumentError`: “invalid xai provider options”; for tools, `TypeValidationError`; 2: `logprobs` and `include` are ignored',
    ours: 'a wrong type: `invalid-options`, with name, value and the allowed values; an unlisted value is sent, with a warning',
    right: 'ours',
    why: 'xAI decides which values it accepts.',
    seen: [
      { in: ['request/option *, wrong: *'], fields: ['rejects.*', 'outcome'] },
      { in: ['request/option *, wrong: *'], fields: ['body.*'], of: [2, 3] },
      { in: ['request/option *, wrong: *'], fields: ['warnings[*]*'], of: [2, 3] },
      { in: ['request/tool *: wrong'], fields: ['rejects.*'] },
      { in: ['request/tool imageGeneration: wrong'], fields: ['outcome'], of: [4] },
    ],
  },
  {
    what: 'xAI: options and settings that older releases lack',
    stock: '2: `logprobs`, `topLogprobs`, `imageDetail`; 2, 3: `topK`',
    ours: 'sent',
    right: 'either',
    why: 'Same as 4.',
    seen: [
      {
        in: [
          'request/option logprobs: true',
          'request/option topLogprobs: *',
          'request/topLogprobs beside*',
          'request/history: an image with detail',
        ],
        fields: ['body.logprobs', 'body.top_logprobs', 'body.input[*].content[*].detail'],
        of: [2],
      },
      { in: ['request/topK'], fields: ['body.top_k', 'warnings[*]'], of: [2, 3] },
    ],
  },
  {
    what: 'xAI: `reasoningSummary`',
    stock: '3, 4: accepted, but not sent',
    ours: 'sent',
    right: 'either',
    why: 'xAI ignores it.',
    seen: [{ in: ['request/option reasoningSummary: *'], fields: ['body.reasoning'], of: [3, 4] }],
  },
  {
    what: 'xAI: a forced server tool',
    stock: '2: sent',
    ours: 'not sent, with a warning',
    right: 'either',
    why: 'Same as 3 and 4: xAI does not support this.',
    seen: [
      {
        in: ['request/a choice: a tool that runs there'],
        fields: ['body.tool_choice', 'warnings[*]'],
        values: [ANY, ANY],
        of: [2],
      },
    ],
  },
  {
    what: 'xAI: texts and order of warnings, and one for unknown options',
    stock: 'no details; unknown options are ignored',
    ours: 'what was left out, why, and the fix',
    right: 'ours',
    why: 'Usually, it is a typo.',
    seen: [
      {
        in: ['request/settings this API has not', 'request/an option that nobody has'],
        fields: ['warnings[*]', 'warnings[*].*'],
      },
      { in: ['request/a choice: a tool that runs there'], fields: ['warnings[*].details'], of: [3, 4] },
      { in: ['request/a level of reasoning*'], fields: ['warnings[*].*'], of: [4] },
    ],
  },
  {
    what: 'xAI: files that are not images, inline',
    stock: '`UnsupportedFunctionalityError`',
    ours: 'sent',
    right: 'either',
    why: 'The server decides what it accepts.',
    seen: [{ in: ['request/history: a PDF'], fields: ['outcome'] }],
  },
  {
    what: 'xAI: strict answer schemas by default',
    stock: '`strict: true`',
    ours: '`strict: false`; `strictJsonSchema` makes it strict',
    right: 'either',
    why: 'A schema must be written for strict mode; many are not.',
    seen: [{ in: ['request/JSON with a schema'], fields: ['body.text.format.strict'] }],
  },
];

const FAILURES: readonly Difference[] = [
  {
    what: 'xAI: events and bodies that do not match its schema',
    stock:
      'an error part for each (`AI_TypeValidationError`), and their content is lost; generated: “Invalid JSON response”',
    ours: 'read as far as possible',
    right: 'ours',
    why: 'A missing field does not invalidate an answer.',
    seen: [
      {
        in: ['aimock-reasoning-function-call*', 'no-tool*', 'reasoning-and-tool*'],
        fields: ['*'],
        values: [/./, ANY],
      },
      {
        in: ['aimock-reasoning-function-call*', 'no-tool*', 'reasoning-and-tool*'],
        fields: ['*'],
        values: [ABSENT, ANY],
      },
    ],
  },
  {
    what: 'xAI: refusals and calls that were cut off',
    stock: 'a refusal is lost, and the answer ends with `stop`; a call that was cut off is passed to you',
    ours: 'a text and the finish reason `content-filter`; no call',
    right: 'ours',
    why: 'The model has answered; a call with incomplete arguments cannot run.',
    seen: [{ in: ['refusal*', 'incomplete-*'], fields: ['*'] }],
  },
  {
    what: 'xAI: errors',
    stock:
      'the server’s message; in a stream, an error without a status if it is not on its list, and the finish reason `other`; generated: “Invalid JSON response”',
    ours: 'the server’s message, its code, the URL and a hint; an `APICallError` with a status, and the finish reason `error`',
    right: 'ours',
    why: 'Retry logic depends on them.',
    seen: [{ in: ['failure/*', 'failed-at-once*', 'error-in-stream*'], fields: ['*'] }],
  },
];

export const XAI_DIFFERENCES: readonly Difference[] = [...ANSWERS, ...HISTORY, ...OPTIONS, ...FAILURES];
