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
    what: 'Source ids',
    stock: 'random',
    ours: "derived from the response id and the source's position",
    right: 'either',
    why: 'The same response always produces the same ids.',
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
    what: 'Encrypted reasoning in the metadata',
    stock: '`openai.reasoningEncryptedContent`; `null` or empty if the response has no encrypted reasoning',
    ours: 'under `responses-loop`, with the endpoint and model that produced the reasoning',
    right: 'either',
    why: 'Encrypted reasoning must not be sent to a different origin. `withStockFallback` converts the metadata in both directions.',
    seen: [
      {
        in: ['*reasoning*', 'written/*summar*'],
        fields: ['reasoning[*].metadata.reasoningEncryptedContent'],
        values: [/^(null|sealed|gAAAAAB-.*)?$/, ABSENT],
      },
    ],
  },
  {
    what: 'Cache-write tokens of a failed response',
    stock: 'V2: not reported',
    ours: 'reported',
    right: 'ours',
    why: 'The server counted these tokens.',
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
    what: 'Annotations in the metadata of a text part',
    stock: 'V2: only when streaming, and only known types',
    ours: 'always, and unchanged',
    right: 'ours',
    why: 'Streaming and generating should return the same content.',
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
    what: 'Sources for container files and generated files',
    stock: 'V2: only when generating',
    ours: 'always',
    right: 'ours',
    why: 'Streaming and generating should return the same sources.',
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
    what: 'Metadata of file sources',
    stock: 'V2: only the file',
    ours: "also the annotation's `type` and `index`",
    right: 'either',
    why: 'The stock provider does the same with V3 and V4.',
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
    what: 'Plain-text reasoning (`reasoning_text`)',
    stock: 'lost: an empty reasoning part, or no part',
    ours: 'a reasoning part with the text',
    right: 'ours',
    why: 'Local servers send reasoning only in this form.',
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
    what: 'Refusals',
    stock:
      'V2: when streaming, an empty text part with the finish reason `stop`; when generating, the error "Invalid JSON response"',
    ours: 'a text part with the finish reason `content-filter`',
    right: 'ours',
    why: 'A refusal is a valid answer.',
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
    what: 'Two calls with the same id',
    stock: 'both calls keep the id, so the SDK runs the tool with mixed-up arguments',
    ours: 'the second call gets a new id',
    right: 'ours',
    why: 'An id must identify one call.',
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
    stock: 'an empty string, which is not valid JSON',
    ours: '`{}`',
    right: 'ours',
    why: 'Models send an empty string when they call a tool that has no parameters.',
    seen: [{ in: ['written/empty arguments'], fields: ['calls[*].input.notJson'], values: ['', ABSENT] }],
  },
  {
    what: 'When a call to one of your tools appears',
    stock: 'as soon as its arguments are complete',
    ours: 'the arguments appear immediately, and the call appears when the response is complete',
    right: 'either',
    why: 'If the response fails, no tool should run. Before the call appears, any open text part is closed.',
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
    what: 'Empty text',
    stock: 'an empty text part',
    ours: 'no part',
    right: 'either',
    why: 'There is no text to show.',
    seen: [
      { in: ['written/an empty text'], fields: ['text[*]'], values: [ANY, ABSENT] },
      { in: ['written/an empty text'], fields: ['order'], values: [/text/, ANY] },
      { in: ['written/an empty text'], fields: ['messages[*]'], values: ['assistant text', ABSENT], under: [7] },
    ],
  },
  {
    what: 'Finish reason of a response that is incomplete for an unknown reason',
    stock: 'V2: `unknown`',
    ours: '`other`',
    right: 'either',
    why: 'The stock provider also uses `other` with V3 and V4.',
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
    what: 'Service tier in the finish metadata, if the response failed or has no usage',
    stock: 'missing',
    ours: 'present, if the server sent it',
    right: 'ours',
    why: 'The server reported the tier.',
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
    stock: 'the text, reasoning, calls and response id are lost; responses with calls get the finish reason `stop`',
    ours: 'matched by item id or call id, or assigned to the only open item',
    right: 'ours',
    why: 'Recordings show that such streams contain the complete answer.',
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
