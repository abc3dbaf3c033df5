import { ABSENT, ANY, type Difference, STREAMS, WHOLE } from './difference.js';

const INVALID = 'Invalid JSON response';
const FAILED_BODIES = [
  'error-in-stream*',
  'failed-at-once*',
  'written/failed after text',
  'failure/failed at once',
  'failure/200 with an error body',
];

const BROKEN = ['aimock-disconnected*', 'failure/breaks at once'];
const AFTER_TEXT = [
  'error-in-stream*',
  'written/failed after text',
  'failure/error event after text',
  'failure/nested error event after text',
];

/** Calls that go wrong. */
export const FAILURE_DIFFERENCES: readonly Difference[] = [
  {
    what: 'An error before any text, with status 200',
    stock: 'V2: an empty answer with the finish reason `unknown`; the error is lost',
    ours: 'the call fails with an `APICallError` and can be retried',
    right: 'ours',
    why: 'The request failed, just as with an HTTP error status.',
    seen: [
      {
        in: ['failure/200 with an error body'],
        fields: ['outcome'],
        values: [/^answers (other|interrupted)/, /^rejects AI_APICallError: Ducks! \(server_error\)/],
        at: STREAMS,
        of: [3, 4],
      },
      {
        in: [
          'failed-at-once*',
          'failure/error event first',
          'failure/rate limit event first',
          'failure/nested error event first',
          'failure/error event after created',
          'failure/failed at once',
          'failure/failed at once for the rate',
          'failure/200 with an error body',
        ],
        fields: ['outcome'],
        values: [
          /^answers (unknown|other)/,
          /^rejects AI_APICallError: (Ducks!|Slow down\.|Rate limit reached .*) \(\w+\)/,
        ],
        at: STREAMS,
        of: [2],
      },
    ],
  },
  {
    what: 'An error after some text',
    stock: 'V2: the text part stays open, the finish reason is `unknown`, and the error is lost',
    ours: 'an error part and the finish reason `error`; all open parts are closed',
    right: 'ours',
    why: 'The answer is incomplete.',
    seen: [
      {
        in: AFTER_TEXT,
        fields: ['finishReason'],
        values: [/^(unknown|other)$/, 'error'],
        at: STREAMS,
        of: [2],
      },
      {
        in: AFTER_TEXT,
        fields: ['order'],
        values: [ANY, /text-end error finish/],
        at: STREAMS,
        of: [2],
      },
      {
        in: AFTER_TEXT,
        fields: ['errors[*]', 'onError[*]'],
        values: [ABSENT, /AI_APICallError.*server_error/],
        at: STREAMS,
        of: [2],
      },
      {
        in: ['error-in-stream*', 'failure/error event after text', 'failure/nested error event after text'],
        fields: ['text[*].closed'],
        values: [false, true],
      },
      { in: ['written/failed after text'], fields: ['usage.*'], values: [ABSENT, ANY], at: STREAMS, of: [2] },
    ],
  },
  {
    what: 'A stream that ends before the response does',
    stock:
      'an answer with the finish reason `unknown`, `other` or `interrupted`; V2: a text part or call also stays open',
    ours: 'if no text has arrived, the call fails; otherwise, the stream ends with an error part and the finish reason `error` (V4: `interrupted`)',
    right: 'ours',
    why: 'The rest of the answer is missing.',
    seen: [
      {
        in: ['failure/ends after created'],
        fields: ['outcome'],
        values: [/^answers (other|interrupted)/, /^rejects .* ended before the response was complete/],
        at: STREAMS,
        of: [3, 4],
      },
      {
        in: ['truncated-in-arguments*', 'failure/ends after text'],
        fields: ['finishReason'],
        values: ['other', 'error'],
        at: STREAMS,
        of: [3],
      },
      {
        in: ['failure/ends after created'],
        fields: ['outcome'],
        values: [/^answers (unknown|other)/, /^rejects .* ended before the response was complete/],
        at: STREAMS,
        of: [2],
      },
      {
        in: ['truncated-in-arguments*', 'failure/ends after text'],
        fields: ['finishReason'],
        values: [/^(unknown|other)$/, 'error'],
        at: STREAMS,
        of: [2],
      },
      {
        in: ['truncated-in-arguments*', 'failure/ends after text'],
        fields: ['errors[*]', 'onError[*]'],
        values: [ABSENT, /ended before the response was complete/],
        at: STREAMS,
      },
      {
        in: ['truncated-in-arguments*', 'failure/ends after text'],
        fields: ['order', 'messages[*]'],
        at: STREAMS,
      },
      { in: ['failure/ends after text'], fields: ['text[*].closed'], values: [false, true] },
      {
        in: ['truncated-in-arguments*'],
        fields: ['calls[*]', 'inputs[*].closed'],
        at: STREAMS,
      },
    ],
  },
  {
    what: 'A dropped connection',
    stock: 'the stream itself fails, and the promises in the `streamText` result never settle',
    ours: 'if no text has arrived, the call fails; otherwise, the stream ends with an error part and a `finish` part',
    right: 'ours',
    why: 'A user interface can keep and show the text that has arrived.',
    seen: [
      {
        in: BROKEN,
        fields: ['rejects.message', 'onError[*].message'],
        values: ['Failed to process successful response', /broke off: terminated$/],
        at: STREAMS,
        of: [3, 4],
      },
      { in: BROKEN, fields: ['rejects.statusCode', 'onError[*].statusCode'], values: [200, ABSENT], of: [3, 4] },
      { in: BROKEN, fields: ['rejects.isRetryable', 'onError[*].isRetryable'], values: [false, true], of: [3, 4] },
      {
        in: ['llama-server-killed*', 'truncated', 'truncated/*', 'failure/breaks after text'],
        fields: ['outcome'],
        values: [
          /^(breaks|rejects) AI_(APICallError|TypeValidationError): /,
          /^answers (error|interrupted) .* error finish/,
        ],
        at: STREAMS,
        of: [3, 4],
      },
      {
        in: BROKEN,
        fields: ['outcome'],
        values: [
          /^breaks AI_APICallError: Failed to process successful response$/,
          /^rejects .* broke off: terminated$/,
        ],
        at: STREAMS,
        of: [2],
      },
      {
        in: ['llama-server-killed*', 'truncated*', 'failure/breaks after text'],
        fields: ['outcome'],
        values: [/^breaks AI_APICallError: Failed to process successful response$/, /^answers error .* error finish/],
        at: STREAMS,
        of: [2],
      },
    ],
  },
  {
    what: 'A failed response to `generateText`',
    stock: '"Invalid JSON response" with status 200, not retryable',
    ours: "the server's message (also in `data`), with a status that matches the error",
    right: 'ours',
    why: 'A retry can succeed, for example after a rate limit.',
    seen: [
      { in: FAILED_BODIES, fields: ['rejects.message'], values: [INVALID, / \(\w+\) \[https:/], at: WHOLE },
      { in: FAILED_BODIES, fields: ['rejects.statusCode'], values: [200, /^(500|429)$/], at: WHOLE },
      { in: FAILED_BODIES, fields: ['rejects.isRetryable'], values: [false, true], at: WHOLE },
      { in: FAILED_BODIES, fields: ['rejects.responseBody'], values: [ANY, ABSENT], at: WHOLE },
      { in: FAILED_BODIES, fields: ['rejects.data'], values: [ABSENT, /"error":/], at: WHOLE },
    ],
  },
  {
    what: 'An unfinished response (`queued`, `in_progress`) to `generateText`',
    stock: 'an empty answer with the finish reason `stop`',
    ours: 'the call fails, and the error contains the response id',
    right: 'ours',
    why: 'The server is still working on the response.',
    seen: [
      {
        in: ['failure/still in progress'],
        fields: ['outcome'],
        values: [/^answers stop/, /^rejects .* The response resp_1 is not finished/],
        at: WHOLE,
      },
    ],
  },
  {
    what: 'A web page, an empty body, incomplete JSON, or a line that is not JSON',
    stock: 'when streaming, an empty answer or an error part; when generating, "Invalid JSON response"',
    ours: 'the call fails, and the error shows what arrived; after an empty body, the call can be retried',
    right: 'ours',
    why: 'The usual cause is a wrong base URL.',
    seen: [
      {
        in: ['failure/200 with a web page', 'failure/200 with an empty body'],
        fields: ['outcome'],
        values: [/^answers (other|interrupted|unknown|error)/, /^rejects .* (other than a response|an empty body)/],
        at: STREAMS,
      },
      {
        in: ['failure/a line that is no JSON', 'failure/chunks of another API'],
        fields: ['outcome'],
        values: [/^answers error/, /^rejects .*(other than a response|Chat Completions format)/],
        at: STREAMS,
      },
      {
        in: ['failure/200 with a web page', 'failure/200 with an empty body', 'failure/200 with JSON that breaks off'],
        fields: ['rejects.message'],
        values: [INVALID, /(other than a response|an empty body)/],
        at: WHOLE,
      },
      {
        in: ['failure/200 with a web page', 'failure/200 with an empty body', 'failure/200 with JSON that breaks off'],
        fields: ['rejects.statusCode'],
        values: [200, ABSENT],
        at: WHOLE,
      },
      { in: ['failure/200 with an empty body'], fields: ['rejects.responseBody'], values: ['', ABSENT], at: WHOLE },
      { in: ['failure/200 with an empty body'], fields: ['rejects.isRetryable'], values: [false, true], at: WHOLE },
    ],
  },
  {
    what: 'Error messages',
    stock: "the server's message, or the status text",
    ours: "the server's message, its error code, the URL and a hint",
    right: 'either',
    why: 'The details help you when you read logs. With both providers, the error has the same status, body, name and `isRetryable`.',
    seen: [
      {
        in: ['failure/4*', 'failure/50*'],
        fields: ['rejects.message', 'onError[*].message'],
        values: [ANY, /\[https:\/\/contract\.invalid\/v1\/responses\]/],
      },
    ],
  },
  {
    what: 'Exhausted quota (429, `insufficient_quota`)',
    stock: 'retryable',
    ours: 'not retryable',
    right: 'ours',
    why: 'Retrying does not help until the account has credit.',
    seen: [
      {
        in: ['failure/429 no quota'],
        fields: ['rejects.isRetryable', 'onError[*].isRetryable'],
        values: [true, false],
      },
    ],
  },
  {
    what: 'No connection',
    stock: 'the error that `fetch` threw',
    ours: 'an `APICallError` with the URL; the call can be retried',
    right: 'ours',
    why: 'With `maxRetries`, the SDK retries only errors of this type.',
    seen: [
      {
        in: ['failure/no connection'],
        fields: ['rejects.name', 'onError[*].name'],
        values: ['TypeError', 'AI_APICallError'],
      },
      {
        in: ['failure/no connection'],
        fields: ['rejects.message', 'onError[*].message'],
        values: ['fetch failed', /^Could not reach .*: fetch failed\./],
      },
      {
        in: ['failure/no connection'],
        fields: ['rejects.isRetryable', 'onError[*].isRetryable'],
        values: [ABSENT, true],
      },
      { in: ['failure/no connection'], fields: ['rejects.url', 'onError[*].url'], values: [ABSENT, /^https:/] },
    ],
  },
];
