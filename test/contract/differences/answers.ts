import { ABSENT, ANY, type Difference, STREAMS, WHOLE } from './difference.js';

const LLAMA = [
  'llama-server-call-cut-short*',
  'llama-server-function-call*',
  'llama-server-max-output-tokens*',
  'llama-server-parallel-calls*',
  'llama-server-reasoning*',
  'no-tool*',
];

/** Answers that both can read. */
export const ANSWER_DIFFERENCES: readonly Difference[] = [
  {
    what: 'Ids of sources',
    stock: 'random',
    ours: 'derived from the response id and position',
    right: 'either',
    why: 'The same bytes give the same parts.',
    seen: [
      {
        in: ['openai-text*', 'written/*citation', 'written/file path'],
        fields: ['sources[*].id'],
        values: [/^\w{16}$/, /^resp_.*source0$/],
      },
      {
        in: ['family/web search with sources'],
        fields: ['sources[*].id'],
        values: [/^\w{16}$/, /^resp_.*source0$/],
        of: [4],
      },
    ],
  },
  {
    what: 'Sealed reasoning in metadata',
    stock: '`openai.reasoningEncryptedContent`, `null` or empty if there is none',
    ours: 'under `responses-loop`, with the endpoint and model that produced it',
    right: 'either',
    why: 'It must not be sent to a different origin. `withStockFallback` translates it.',
    seen: [
      {
        in: ['*reasoning*', 'written/*summar*'],
        fields: ['reasoning[*].metadata.reasoningEncryptedContent'],
        values: [/^(null|sealed|gAAAAAB-.*)?$/, ABSENT],
      },
    ],
  },
  {
    what: 'Cache writes of a failed answer',
    stock: '2: not reported',
    ours: 'reported',
    right: 'ours',
    why: 'The server counted them.',
    seen: [
      {
        in: ['written/failed after text'],
        fields: ['finishMetadata.usage'],
        values: [ABSENT, /^\{"cacheWriteTokens":\d+\}$/],
        of: [2],
      },
    ],
  },
  {
    what: 'Annotations in the metadata of a text',
    stock: '2: only for streams, and only the types that it knows',
    ours: 'always, unchanged',
    right: 'ours',
    why: 'A generated result is the collected stream.',
    seen: [
      {
        in: ['openai-text*', 'written/url citation', 'written/file citation'],
        fields: ['text[*].metadata.annotations'],
        values: [ABSENT, ANY],
        at: ['doGenerate'],
        of: [2],
      },
      {
        in: ['written/container file citation', 'written/file path', 'written/an annotation nobody knows'],
        fields: ['text[*].metadata.annotations'],
        values: [ABSENT, ANY],
        of: [2],
      },
    ],
  },
  {
    what: 'Sources for files in containers and for generated files',
    stock: '2: only when generating',
    ours: 'in streams as well',
    right: 'ours',
    why: 'A generated result is the collected stream.',
    seen: [
      {
        in: ['written/container file citation', 'written/file path'],
        fields: ['sources[*]', 'order'],
        at: STREAMS,
        of: [2],
      },
    ],
  },
  {
    what: 'Metadata of sources that are files',
    stock: '2: only the file',
    ours: "also the annotation's `type` and `index`",
    right: 'either',
    why: 'Same as the stock provider in 3 and 4.',
    seen: [
      {
        in: ['written/file citation', 'written/container file citation', 'written/file path'],
        fields: ['sources[*].providerMetadata.type'],
        values: [ABSENT, /^(container_file_citation|file_citation|file_path)$/],
        of: [2],
      },
      { in: ['written/file citation'], fields: ['sources[*].providerMetadata.index'], values: [ABSENT, 3], of: [2] },
    ],
  },
  {
    what: 'Raw reasoning text (`reasoning_text`)',
    stock: 'lost: an empty reasoning part, or none',
    ours: 'reasoning',
    right: 'ours',
    why: 'Local servers send nothing else.',
    seen: [
      { in: ['written/raw reasoning text'], fields: ['reasoning[*].deltas[*]'], values: [ABSENT, ANY] },
      {
        in: ['written/raw reasoning text', 'llama-server-reasoning/1', 'llama-server-reasoning-calls/1'],
        fields: ['reasoning[*].text'],
        values: ['', /^Hm/],
      },
      {
        in: ['written/raw reasoning text', 'llama-server-reasoning', 'llama-server-reasoning-calls'],
        fields: ['reasoning'],
        values: [/^$/, /^Hm/],
      },
      {
        in: ['written/summary and raw text'],
        fields: ['reasoning', 'reasoning[*]', 'order', 'messages[*]'],
        values: [ANY, /Hm\.|reasoning-end reasoning-start|reasoning reasoning/],
      },
      { in: ['written/raw reasoning text'], fields: ['order'], values: [ANY, /reasoning-start reasoning-delta/] },
    ],
  },
  {
    what: 'A refusal',
    stock: '2: streamed as an empty text with the finish reason `stop`; generating fails with “Invalid JSON response”',
    ours: 'text, and the finish reason `content-filter`',
    right: 'ours',
    why: 'The model has answered.',
    seen: [
      {
        in: ['refusal*', 'written/text beside a refusal'],
        fields: ['finishReason'],
        values: ['stop', 'content-filter'],
        of: [2],
      },
      {
        in: ['refusal*', 'written/text beside a refusal'],
        fields: ['text*', 'chunks[*]', 'order', 'messages[*]'],
        at: STREAMS,
        of: [2],
      },
      {
        in: ['refusal*', 'written/text beside a refusal'],
        fields: ['outcome'],
        values: [/^rejects .*Invalid JSON response$/, /^answers content-filter/],
        at: WHOLE,
        of: [2],
      },
    ],
  },
  {
    what: 'Two calls with one id',
    stock: 'both keep the id; the SDK then runs the tool with mixed-up arguments',
    ours: 'the second gets its own id',
    right: 'ours',
    why: 'A call is found by its id.',
    seen: [
      {
        in: ['written/two calls of one id'],
        fields: ['calls[*].id', 'inputs[*].id'],
        values: ['call_1', /^call_[0-9a-f]{16}$/],
      },
      { in: ['written/two calls of one id'], fields: ['inputs[*].deltas[*]'] },
      {
        in: ['written/two calls of one id'],
        fields: ['calls[*].input.a', 'calls[*].metadata.itemId'],
        at: ['generateText'],
      },
    ],
  },
  {
    what: 'Empty arguments',
    stock: 'an empty text, which is not JSON',
    ours: '`{}`',
    right: 'ours',
    why: 'This is how models call tools without parameters.',
    seen: [{ in: ['written/empty arguments'], fields: ['calls[*].input.notJson'], values: ['', ABSENT] }],
  },
  {
    what: 'When a call for you is shown',
    stock: 'as soon as its own arguments are complete',
    ours: 'its arguments immediately, the call itself when the response is complete',
    right: 'either',
    why: 'If a response fails, no tool runs. A text before the call is closed by then as well.',
    seen: [
      {
        in: [
          'aimock-parallel-calls*',
          'several-tools-one-round*',
          'mixed-round*',
          'written/two calls of one id',
          'aimock-text-then-function-call*',
          'several-rounds*',
          'family/a call before a text',
        ],
        fields: ['order'],
        values: [
          /tool-call/,
          /tool-input-end (text-start text-delta text-end |text-end |tool-call )*(finish|tool-call)/,
        ],
        at: STREAMS,
      },
      {
        in: ['family/a call of the wrapper for parallel calls'],
        fields: ['order'],
        values: [/tool-call/, /tool-input-end tool-call tool-call/],
        at: STREAMS,
        of: [3, 4],
      },
      {
        in: ['family/a call before a text'],
        fields: ['messages[*]'],
        values: [/tool-call text/, /text tool-call/],
        at: ['streamText'],
      },
    ],
  },
  {
    what: 'An empty text',
    stock: 'a text part without text',
    ours: 'no part',
    right: 'either',
    why: 'There was no text.',
    seen: [
      { in: ['written/an empty text'], fields: ['text[*]'], values: [ANY, ABSENT] },
      { in: ['written/an empty text'], fields: ['order'], values: [/text/, ANY] },
      { in: ['written/an empty text'], fields: ['messages[*]'], values: ['assistant text', ABSENT], under: [7] },
    ],
  },
  {
    what: 'Incomplete response, unknown reason',
    stock: '2: `unknown`',
    ours: '`other`',
    right: 'either',
    why: 'The later majors also use `other`.',
    seen: [
      {
        in: ['written/incomplete for a reason nobody knows'],
        fields: ['finishReason'],
        values: ['unknown', 'other'],
        of: [2],
      },
    ],
  },
  {
    what: 'Finish metadata of a response without usage, and of a failed one',
    stock: 'no service tier',
    ours: 'the service tier that the server named',
    right: 'ours',
    why: 'The tier is known.',
    seen: [
      { in: ['written/no usage'], fields: ['finishMetadata.serviceTier'], values: [ABSENT, 'default'], of: [2] },
      {
        in: [
          'error-in-stream*',
          'truncated-in-arguments*',
          'written/failed after text',
          'failure/error event after text',
          'failure/nested error event after text',
          'failure/ends after text',
        ],
        fields: ['finishMetadata.serviceTier'],
        values: [ABSENT, 'default'],
        at: STREAMS,
      },
    ],
  },
  {
    what: 'Events without `output_index` (llama.cpp)',
    stock: 'text, reasoning, calls and the response id are lost; the call “stops”',
    ours: 'matched by id, by call id, or as the only open item',
    right: 'ours',
    why: 'Recordings show that the answer is complete.',
    seen: [
      { in: LLAMA, fields: ['finishMetadata.responseId'], values: [null, /^resp_/], at: STREAMS },
      { in: LLAMA, fields: ['response.id'], values: [/^(aitxt-.*)?$/, /^resp_/], at: STREAMS },
      { in: LLAMA, fields: ['order'], at: STREAMS },
      {
        in: ['turns/llama-server-function-call', 'turns/llama-server-parallel-calls'],
        fields: ['body.order', 'body.items.*', 'requests[*]'],
        at: ['streamedTurns'],
      },
      {
        in: ['llama-server-*', 'no-tool*'],
        fields: ['text*', 'calls[*]', 'inputs[*]', 'reasoning*', 'chunks[*]', 'messages[*]', 'steps[*]', 'results[*]'],
        values: [/^(null|"")?$/, ANY],
        at: STREAMS,
      },
      { in: ['llama-server-*'], fields: ['finishReason'], values: ['stop', 'tool-calls'], at: STREAMS, of: [2] },
      {
        in: ['llama-server-*', 'no-tool'],
        fields: ['response.modelId'],
        values: ['gpt-5.1', /toy|think/],
        at: ['streamText'],
      },
    ],
  },
];
