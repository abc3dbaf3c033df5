import { errorEvent, errorReply, responseBody, responseEvents, scriptedFetch } from '../../../src/testing.js';
import type { ScriptedEvent, ScriptedStep } from '../../../src/testing.js';
import type { Scenario } from './scenario.js';

interface Failure {
  readonly streamed?: ScriptedStep;
  readonly whole?: ScriptedStep;
}

const both = (step: ScriptedStep): Failure => ({ streamed: step, whole: step });
const begun = (count: number): ScriptedEvent[] =>
  responseEvents({ id: 'resp_1', status: 'none', output: [{ type: 'text', text: 'Ducks like ponds.' }] }).slice(
    0,
    count,
  );
const SERVER_ERROR = { ...errorEvent({ code: 'server_error', message: 'Ducks!' }), sequence_number: 9 };
const RATE_LIMIT = { ...errorEvent({ code: 'rate_limit_exceeded', message: 'Slow down.' }), sequence_number: 9 };
const NESTED = {
  type: 'error',
  sequence_number: 9,
  error: { type: 'server_error', code: null, message: 'Ducks!', param: null },
};
const failed = (code: string) => responseEvents({ id: 'resp_1', status: 'failed', error: { code, message: 'Ducks!' } });

const FAILURES: Readonly<Record<string, Failure>> = {
  'failure/400': both(errorReply({ status: 400, message: 'No.', code: 'invalid_value' })),
  'failure/401': both(errorReply({ status: 401, message: 'Who?', code: 'invalid_api_key' })),
  'failure/403': both(errorReply({ status: 403, message: 'Not you.' })),
  'failure/404': both(errorReply({ status: 404, message: 'No model.', code: 'model_not_found' })),
  'failure/408': both(errorReply({ status: 408, message: 'Too late.' })),
  'failure/409': both(errorReply({ status: 409, message: 'Busy.' })),
  'failure/413': both(errorReply({ status: 413, message: 'Too much.' })),
  'failure/422': both(errorReply({ status: 422, message: 'Odd.' })),
  'failure/429': both(errorReply({ status: 429, message: 'Slow down.', code: 'rate_limit_exceeded' })),
  'failure/429 no quota': both(errorReply({ status: 429, message: 'Pay.', code: 'insufficient_quota' })),
  'failure/500': both(errorReply({ status: 500, message: 'Ducks!' })),
  'failure/503': both(errorReply({ status: 503, message: 'Later.' })),
  'failure/502 with a web page': both({ status: 502, html: '<h1>Bad gateway</h1>' }),
  'failure/400 with an unknown body': both({ status: 400, json: { detail: 'No ducks here.' } }),
  'failure/500 with no body': both({ status: 500, bytes: '' }),
  'failure/200 with a web page': both({ status: 200, html: '<h1>Log in</h1>' }),
  'failure/200 with an error body': both({ json: { error: { message: 'Ducks!', type: 'server_error', code: null } } }),
  'failure/200 with an empty body': both({ bytes: '' }),
  'failure/200 with JSON that breaks off': {
    whole: { bytes: '{"id":"resp_1"', headers: { 'content-type': 'application/json' } },
  },
  'failure/no connection': both({ none: 'reset' }),
  'failure/error event first': { streamed: [SERVER_ERROR] },
  'failure/rate limit event first': { streamed: [RATE_LIMIT] },
  'failure/nested error event first': { streamed: [NESTED] },
  'failure/error event after created': { streamed: [...begun(2), SERVER_ERROR] },
  'failure/error event after text': { streamed: [...begun(6), SERVER_ERROR] },
  'failure/nested error event after text': { streamed: [...begun(6), NESTED] },
  'failure/failed at once': {
    streamed: failed('server_error'),
    whole: { json: responseBody({ status: 'failed', error: { code: 'server_error', message: 'Ducks!' } }) },
  },
  'failure/failed at once for the rate': { streamed: failed('rate_limit_exceeded') },
  'failure/ends after created': { streamed: begun(2) },
  'failure/ends after text': { streamed: begun(6) },
  'failure/breaks after text': { streamed: { events: begun(6), ending: 'reset' } },
  'failure/breaks at once': { streamed: { events: [], ending: 'reset' } },
  'failure/a line that is no JSON': { streamed: { bytes: ['data: {"type":"resp\n\n', 'data: [DONE]\n\n'] } },
  'failure/chunks of another API': {
    streamed: {
      bytes: 'data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n',
    },
  },
  'failure/still in progress': { whole: { json: { ...responseBody({ id: 'resp_1' }), status: 'in_progress' } } },
};

export const FAILED: readonly Scenario[] = Object.entries(FAILURES).map(([name, { streamed, whole }]) => ({
  name,
  tools: [],
  options: { openai: { store: true } },
  rounds: 1,
  answer: (streaming) => {
    const step = streaming ? streamed : whole;
    return step === undefined ? undefined : scriptedFetch([step]);
  },
}));
