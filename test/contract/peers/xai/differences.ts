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
    what: 'xAI: Metadata of the response',
    stock: 'V3, V4: the cost; V4: also the service tier, cache key and safety identifier',
    ours: 'under `xai`: response id, cost and service tier',
    right: 'either',
    why: 'The caller already knows the cache key and the safety identifier.',
    seen: [
      { in: ['*'], fields: ['namespaces[*]', 'finishMetadata'] },
      { in: ['*'], fields: ['finishMetadata.*'], of: [3, 4] },
    ],
  },
  {
    what: 'xAI: Item ids in the metadata',
    stock: 'V3, V4: only for reasoning, together with the encrypted reasoning',
    ours: 'for all items that the server stores; encrypted reasoning is under `responses-loop`',
    right: 'either',
    why: 'This package does the same for OpenAI.',
    seen: [
      {
        in: ['*'],
        fields: ['calls[*].metadata*', 'text[*].metadata*', 'results[*].metadata*', 'reasoning[*].metadata*'],
      },
    ],
  },
  {
    what: 'xAI: Usage numbers that the server did not report',
    stock: 'shown as 0, and treated as 0 in calculations; V2: details are always missing',
    ours: 'absent; all numbers that the server reported are present',
    right: 'either',
    why: 'An unknown value is not zero.',
    seen: [{ in: ['*'], fields: ['usage*', 'totalUsage*'] }],
  },
  {
    what: 'xAI: Parts for server tools',
    stock:
      'not dynamic; the input is streamed as a single delta. Results appear only in streams, and are empty except for web and file searches.',
    ours: "dynamic, with the whole input. Every call has a result with the status and the server's text; an image becomes a file part.",
    right: 'ours',
    why: 'All tools that you do not run yourself produce the same kind of parts.',
    seen: [
      ...each({ fields: ['calls[*]*', 'results[*]*', 'order', 'inputs[*]*', 'messages[*]'], at: PARTS }),
      { in: ['family/images looked at*', 'family/videos looked at*'], fields: ['errors[*]*', 'onError[*]*'] },
      { in: ['family/undeclared tools of its agents'], fields: ['onError[*]*', 'outcome'], of: [2] },
      { in: ['family/images looked at*', 'family/videos looked at'], fields: ['outcome'], of: [2] },
      { in: ['family/image generation*'], fields: ['files[*]*'], at: PARTS, of: [4] },
    ],
  },
  {
    what: 'xAI: Where text parts end, and how often citations appear',
    stock:
      'text parts stay open until the response ends, and several content parts are merged into one text part; citations appear twice in a stream',
    ours: 'each text part ends when the server ends it; each citation appears once',
    right: 'ours',
    why: 'The parts match what the server sent.',
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
    what: 'xAI: Format of messages and calls',
    stock: 'the short form that xAI accepts; calls with an id and a status; no `strict` by default',
    ours: 'complete items, calls without an id, and `strict: false`',
    right: 'either',
    why: 'This package does the same for OpenAI.',
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
    why: 'Servers use `auto` by default.',
    seen: [{ in: ['*'], fields: ['body.tool_choice'], values: ['auto', ABSENT] }],
  },
  {
    what: 'xAI: Data requested by default',
    stock: 'encrypted reasoning, if `store` is `false`; `store: true` is not sent',
    ours: 'also the pages that searches found and the output of code execution; the default is `store: false`',
    right: 'either',
    why: 'Nothing is stored unless you opt in, and the result contains what the server found.',
    seen: [{ in: ['*'], fields: ['body.include', 'body.include[*]', 'body.store'] }],
  },
  {
    what: 'xAI: Reasoning and calls to server tools in the history',
    stock:
      'calls to server tools are left out; V2: their outputs are sent without the calls, and reasoning is left out as well',
    ours: 'complete items. In turns that the xAI provider generated, web searches become items, and calls to other server tools become function calls.',
    right: 'ours',
    why: 'The model remembers what it has seen.',
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
    what: 'xAI: Unencrypted reasoning with an id',
    stock: 'V3, V4: sent',
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
    what: 'xAI: Options and arguments with the wrong type or an invalid value',
    stock:
      '`InvalidArgumentError` ("invalid xai provider options"); for tools, `TypeValidationError`; V2: `logprobs` and `include` are ignored',
    ours: 'wrong type: `invalid-options`, with the name, the value and the allowed values; invalid values of the right type are sent, with a warning',
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
    what: 'xAI: Options and settings that older releases of the xAI provider lack',
    stock: 'V2: `logprobs`, `topLogprobs` and `imageDetail` are not sent; V2, V3: `topK` is not sent',
    ours: 'sent',
    right: 'either',
    why: 'The xAI provider does the same with V4.',
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
    stock: 'V3, V4: accepted, but not sent',
    ours: 'sent',
    right: 'either',
    why: 'xAI ignores this option.',
    seen: [{ in: ['request/option reasoningSummary: *'], fields: ['body.reasoning'], of: [3, 4] }],
  },
  {
    what: 'xAI: Forced choice of a server tool',
    stock: 'V2: sent',
    ours: 'left out, with a warning',
    right: 'either',
    why: 'xAI does not support this choice. The xAI provider does the same with V3 and V4.',
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
    what: 'xAI: Warnings',
    stock: 'without details; unknown options cause no warning',
    ours: 'each names what was left out, the reason and the fix; unknown options cause a warning',
    right: 'ours',
    why: 'An unknown option is usually a typo.',
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
    what: 'xAI: Inline files other than images',
    stock: '`UnsupportedFunctionalityError`',
    ours: 'sent',
    right: 'either',
    why: 'The server decides which files it accepts.',
    seen: [{ in: ['request/history: a PDF'], fields: ['outcome'] }],
  },
  {
    what: 'xAI: Strict schemas for structured output by default',
    stock: '`strict: true`',
    ours: '`strict: false`, unless `strictJsonSchema` is set',
    right: 'either',
    why: 'Strict mode accepts only schemas that are written for it.',
    seen: [{ in: ['request/JSON with a schema'], fields: ['body.text.format.strict'] }],
  },
];

const FAILURES: readonly Difference[] = [
  {
    what: "xAI: Events and response bodies that do not match the xAI provider's schema",
    stock:
      'when streaming, each becomes an error part (`AI_TypeValidationError`), and its content is lost; when generating, "Invalid JSON response"',
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
    what: 'xAI: Refusals and cut-off calls',
    stock: 'a refusal is lost, and the finish reason is `stop`; a cut-off call is passed to your code',
    ours: 'a refusal is a text part with the finish reason `content-filter`; a cut-off call is not passed to your code',
    right: 'ours',
    why: 'A refusal is a valid answer. An incomplete call cannot run.',
    seen: [{ in: ['refusal*', 'incomplete-*'], fields: ['*'] }],
  },
  {
    what: 'xAI: Errors',
    stock:
      'the server\'s message. When streaming, errors that the xAI provider does not recognize have no status, and the finish reason is `other`. When generating, "Invalid JSON response".',
    ours: "an `APICallError` with the server's message, its error code, a status, the URL and a hint; the finish reason is `error`",
    right: 'ours',
    why: 'Retry logic depends on the status.',
    seen: [{ in: ['failure/*', 'failed-at-once*', 'error-in-stream*'], fields: ['*'] }],
  },
];

export const XAI_DIFFERENCES: readonly Difference[] = [...ANSWERS, ...HISTORY, ...OPTIONS, ...FAILURES];
