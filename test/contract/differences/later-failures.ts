import type { Major } from '../sides.js';
import { ABSENT, type Difference, STREAMS } from './difference.js';

const LATER: readonly Major[] = [3, 4];
const ERRORS = [
  'error-in-stream*',
  'written/failed after text',
  'failure/error event after text',
  'failure/nested error event after text',
];
const FIRST = [
  'failed-at-once*',
  'failure/error event first',
  'failure/rate limit event first',
  'failure/nested error event first',
  'failure/error event after created',
  'failure/failed at once',
  'failure/failed at once for the rate',
];
const LLAMA = [
  'llama-server-call-cut-short*',
  'llama-server-function-call*',
  'llama-server-max-output-tokens*',
  'llama-server-parallel-calls*',
  'llama-server-reasoning*',
  'no-tool*',
];

/** How the majors 3 and 4 tell what went wrong. */
export const LATER_FAILURE_DIFFERENCES: readonly Difference[] = [
  {
    what: "Events that do not match the stock provider's schema",
    stock: 'V3, V4: each becomes an error part (`AI_TypeValidationError`), and the finish reason is `error`',
    ours: 'read as far as possible',
    right: 'ours',
    why: 'A missing field does not invalidate an answer.',
    seen: [
      {
        in: ['aimock-arguments-as-object*', ...LLAMA, 'written/an annotation nobody knows'],
        fields: ['errors[*]', 'onError[*]'],
        values: [/AI_TypeValidationError/, ABSENT],
        at: STREAMS,
        of: LATER,
      },
      {
        in: ['aimock-arguments-as-object*', ...LLAMA, 'written/an annotation nobody knows'],
        fields: ['finishReason'],
        values: ['error', /^(stop|tool-calls)$/],
        at: STREAMS,
        of: LATER,
      },
      {
        in: ['written/an annotation nobody knows'],
        fields: ['order'],
        values: [/error text-end/, /text-delta text-end/],
        at: STREAMS,
        of: LATER,
      },
      {
        in: ['written/an annotation nobody knows'],
        fields: ['text[*].metadata.annotations'],
        values: [ABSENT, /duck_citation/],
        of: LATER,
      },
    ],
  },
  {
    what: 'Content of an error part',
    stock: 'V3: the unchanged event; V4: an error with the event in `data`',
    ours: 'an `APICallError` with the status and URL',
    right: 'ours',
    why: 'Errors that occur before any text have the same form.',
    seen: [
      { in: ERRORS, fields: ['errors[*].*', 'onError[*].*'], at: STREAMS, of: LATER },
      {
        in: ['error-in-stream*', 'failure/error event after text', 'failure/nested error event after text'],
        fields: ['order'],
        values: [/text-delta error finish/, /text-end error finish/],
        at: STREAMS,
        of: LATER,
      },
    ],
  },
  {
    what: 'Body of an error with status 200',
    stock: 'V3, V4: the event is the `responseBody`; the message has no code',
    ours: 'no `responseBody`; the message contains the code and URL',
    right: 'either',
    why: 'An event is not a response body.',
    seen: [
      {
        in: FIRST,
        fields: ['rejects.message', 'onError[*].message'],
        values: [/^(Ducks!|Slow down\.|Rate limit reached .*)$/, / \(\w+\) \[https:/],
        at: STREAMS,
        of: LATER,
      },
      {
        in: FIRST,
        fields: ['rejects.responseBody', 'onError[*].responseBody'],
        values: [/^\{"type":/, ABSENT],
        at: STREAMS,
        of: LATER,
      },
      {
        in: ['failed-at-once*', 'failure/failed at once', 'failure/failed at once for the rate'],
        fields: ['rejects.data.response.reasoning', 'onError[*].data.response.reasoning'],
        values: ['{}', ABSENT],
        at: STREAMS,
        of: LATER,
      },
    ],
  },
];
