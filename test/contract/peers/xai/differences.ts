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
    stock: '3, 4: what it cost; 4: also service tier, cache key and safety identifier',
    ours: 'under `xai` too: response id, cost and service tier',
    right: 'either',
    why: 'The two that are missing are what the caller sent.',
    seen: [
      { in: ['*'], fields: ['namespaces[*]', 'finishMetadata'] },
      { in: ['*'], fields: ['finishMetadata.*'], of: [3, 4] },
    ],
  },
  {
    what: 'xAI: ids of items in metadata',
    stock: '3, 4: of reasoning; sealed reasoning beside it',
    ours: 'of all items that the server keeps; sealed reasoning under `responses-loop`',
    right: 'either',
    why: 'As it is for OpenAI.',
    seen: [
      {
        in: ['*'],
        fields: ['calls[*].metadata*', 'text[*].metadata*', 'results[*].metadata*', 'reasoning[*].metadata*'],
      },
    ],
  },
  {
    what: 'xAI: numbers of usage that the server did not name',
    stock: '0, or the rest worked out from that; 2: details are missing',
    ours: 'absent; what it named is there',
    right: 'either',
    why: 'Unknown is not none.',
    seen: [{ in: ['*'], fields: ['usage*', 'totalUsage*'] }],
  },
  {
    what: 'xAI: parts of tools that the server runs',
    stock:
      'not dynamic; the input streamed in one piece; results with streams only, and empty but for searches of the web and of files',
    ours: 'dynamic, the input whole, always a result: the status, and the server’s text; an image is a file',
    right: 'ours',
    why: 'The same parts for every tool that is not run by you.',
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
    stock: 'open until the response ends, several content parts in one; a citation of a stream comes twice',
    ours: 'closed where the server closes them; a citation once',
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
    what: 'xAI: form of messages and calls',
    stock: 'as short as xAI takes them; calls with an id and a status; no `strict` by default',
    ours: 'whole items, calls without an id, `strict: false`',
    right: 'either',
    why: 'As it is for OpenAI.',
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
    why: 'It is what servers do anyway.',
    seen: [{ in: ['*'], fields: ['body.tool_choice'], values: ['auto', ABSENT] }],
  },
  {
    what: 'xAI: what is requested as well',
    stock: 'sealed reasoning with `store: false`; `store: true` is not sent',
    ours: 'also pages of searches and results of code; `store: false` by default',
    right: 'either',
    why: 'Nothing is kept unless you ask for it, and what the server found is in the result.',
    seen: [{ in: ['*'], fields: ['body.include', 'body.include[*]', 'body.store'] }],
  },
  {
    what: 'xAI: what it ran, and reasoning, in the history',
    stock: 'what it ran is left out, 2: outputs without their calls stay; 2: reasoning is left out too',
    ours: 'our own goes back as whole items; what the stock provider showed as function calls, searches of the web as items',
    right: 'ours',
    why: 'The model knows what it saw.',
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
    what: 'xAI: reasoning with an id and no seal',
    stock: '3, 4: sent',
    ours: 'left out',
    right: 'either',
    why: 'Without `store: true` the id is unknown.',
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
    what: 'xAI: options and arguments of a wrong type or value',
    stock:
      '`InvalidArgumentError`: “invalid xai provider options”; of tools `TypeValidationError`; 2: `logprobs` and `include` are passed over',
    ours: 'a wrong type: `invalid-options`, with name, value and what is allowed; a value that is not on the list is sent, with a warning',
    right: 'ours',
    why: 'xAI knows best which values it has.',
    seen: [
      { in: ['request/option *, wrong: *'], fields: ['rejects.*', 'outcome'] },
      { in: ['request/option *, wrong: *'], fields: ['body.*'], of: [2, 3] },
      { in: ['request/option *, wrong: *'], fields: ['warnings[*]*'], of: [2, 3] },
      { in: ['request/tool *: wrong'], fields: ['rejects.*'] },
      { in: ['request/tool imageGeneration: wrong'], fields: ['outcome'], of: [4] },
    ],
  },
  {
    what: 'xAI: options and settings that an older release has not',
    stock: '2: `logprobs`, `topLogprobs`, `imageDetail`; 2, 3: `topK`',
    ours: 'sent',
    right: 'either',
    why: 'As 4 has it.',
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
    stock: '3, 4: taken, and not sent',
    ours: 'sent',
    right: 'either',
    why: 'xAI passes over it.',
    seen: [{ in: ['request/option reasoningSummary: *'], fields: ['body.reasoning'], of: [3, 4] }],
  },
  {
    what: 'xAI: a forced tool that runs at the server',
    stock: '2: sent',
    ours: 'not sent, with a warning',
    right: 'either',
    why: 'As 3 and 4 have it: xAI cannot be made to.',
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
    what: 'xAI: words and order of warnings, and one for unknown options',
    stock: 'no details; unknown options are passed over',
    ours: 'what was left out, why, and what to do',
    right: 'ours',
    why: 'Mostly a slip of the pen.',
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
    why: 'What the server takes, it knows best.',
    seen: [{ in: ['request/history: a PDF'], fields: ['outcome'] }],
  },
  {
    what: 'xAI: strict schemas of the answer by default',
    stock: '`strict: true`',
    ours: '`strict: false`; `strictJsonSchema` makes it strict',
    right: 'either',
    why: 'A strict schema has to be written for it; many are not.',
    seen: [{ in: ['request/JSON with a schema'], fields: ['body.text.format.strict'] }],
  },
];

const FAILURES: readonly Difference[] = [
  {
    what: 'xAI: events and bodies that its schema refuses',
    stock:
      'an error part for each (`AI_TypeValidationError`), and their content is lost; generated: “Invalid JSON response”',
    ours: 'read as far as they go',
    right: 'ours',
    why: 'One field too few does not spoil an answer.',
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
    what: 'xAI: refusals and cut calls',
    stock: 'a refusal is lost, and the answer stops; a call that was cut is handed to you',
    ours: 'a text and the finish reason `content-filter`; no call',
    right: 'ours',
    why: 'The model has answered; nothing can be run with half of the arguments.',
    seen: [{ in: ['refusal*', 'incomplete-*'], fields: ['*'] }],
  },
  {
    what: 'xAI: errors',
    stock:
      'the server’s words; in a stream an error without a status for what is not on its list, and the finish reason `other`; generated: “Invalid JSON response”',
    ours: 'the server’s words, its code, the URL and what may help; an `APICallError` with a status, and the finish reason `error`',
    right: 'ours',
    why: 'Code that retries reads them.',
    seen: [{ in: ['failure/*', 'failed-at-once*', 'error-in-stream*'], fields: ['*'] }],
  },
];

export const XAI_DIFFERENCES: readonly Difference[] = [...ANSWERS, ...HISTORY, ...OPTIONS, ...FAILURES];
