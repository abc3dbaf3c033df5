import { describe, expect, it } from 'vitest';
import { classifyMcpFailure, httpStatus, type ConnectionKind } from '../../../src/tools/mcp/failure.js';

const withCode = (code: number | string, message: string): Error => Object.assign(new Error(message), { code });
const fetchFailed = (code: string): Error => new TypeError('fetch failed', { cause: withCode(code, code) });

const answer = (code: number, message: string): Error =>
  Object.assign(withCode(code, `MCP error ${code}: ${message}`), { name: 'McpError' });
const means = {
  before: { isLost: true, neverExecuted: true },
  during: { isLost: true, neverExecuted: false },
  answered: { isLost: false, neverExecuted: false },
};
type Row = [string, unknown, keyof typeof means];

const anywhere: Row[] = [
  ['the SDK has no transport any more', new Error('Not connected'), 'before'],
  ['a closed transport', answer(-32000, 'Connection closed'), 'during'],
  ['a broken pipe', withCode('EPIPE', 'write EPIPE'), 'during'],
  ['a JSON-RPC error of the tool', answer(-32603, 'session not found in the browser, network error'), 'answered'],
  ['a tool that says what the SDK says', answer(-32000, 'Not connected'), 'answered'],
  ['a tool that passes on the HTTP status 404 as its code', answer(404, 'no such file'), 'answered'],
  ['a tool that repeats an SSE error', answer(-32000, 'Error POSTing to endpoint (HTTP 404): x'), 'answered'],
  ['a tool whose printer is not initialized', answer(-32000, 'charged; printer not initialized'), 'answered'],
  ['an error without any marks', new Error('something'), 'answered'],
];

describe.each<ConnectionKind>(['http', 'sse', 'stdio', 'sdk-client'])('over %s', (kind) => {
  it.each(anywhere)('classifies %s', (_name, error, expected) => {
    expect(classifyMcpFailure(error, kind)).toEqual(means[expected]);
  });
});

const overHttp: Row[] = [
  ['HTTP 404', withCode(404, 'Streamable HTTP error: Error POSTing to endpoint: Session not found'), 'before'],
  ['HTTP 410', withCode(410, 'Streamable HTTP error: gone'), 'before'],
  [
    'HTTP 400 for want of a session',
    withCode(400, 'Error POSTing to endpoint: {"message":"Bad Request: No valid session ID provided"}'),
    'before',
  ],
  ['HTTP 401 for want of a session', withCode(401, 'Error POSTing to endpoint: Invalid session'), 'before'],
  ['HTTP 404 over SSE', new Error('Error POSTing to endpoint (HTTP 404): Session not found'), 'before'],
  ['HTTP 400 from a server that began anew', withCode(400, 'Bad Request: Server not initialized'), 'before'],
  ['HTTP 400 from something else that did not begin', withCode(400, 'The printer is not initialized'), 'answered'],
  ['a JSON-RPC error about the session', answer(-32001, 'Session not found'), 'before'],
  ['an error under a code that tools use too', answer(-32000, 'Charged, but the session expired'), 'during'],
  ['HTTP 500 in whose text a session is lost', withCode(500, 'charged, session expired'), 'answered'],
  ['a refused connection', fetchFailed('ECONNREFUSED'), 'before'],
  ['a reset connection', fetchFailed('ECONNRESET'), 'during'],
  ['a browser that could not fetch', new TypeError('Failed to fetch'), 'during'],
  ['HTTP 500', withCode(500, 'Streamable HTTP error: oops'), 'answered'],
  ['HTTP 400 for another reason', withCode(400, 'Streamable HTTP error: bad arguments'), 'answered'],
];

describe.each<ConnectionKind>(['http', 'sse'])('over %s', (kind) => {
  it.each(overHttp)('classifies %s', (_name, error, expected) => {
    expect(classifyMcpFailure(error, kind)).toEqual(means[expected]);
  });
});

it.each([-32000, -32001, -32600])('a process has no sessions to lose, whatever a tool says with %i', (code) => {
  expect(classifyMcpFailure(answer(code, 'Charged, but the session expired'), 'stdio')).toEqual(means.answered);
});

it.each<Row>([
  ['words about a session', new Error('charged, session not found'), 'answered'],
  ['words about the network', new Error('charged, but: fetch failed, terminated, Not connected'), 'answered'],
  ['the words of the SDK', new Error('Not connected'), 'answered'],
  ['a code of its own', withCode('CARD_DECLINED', 'no money'), 'answered'],
  ['an HTTP status', withCode(404, 'gone'), 'answered'],
  ['a broken connection', new Error('x', { cause: fetchFailed('ECONNRESET') }), 'during'],
  ['a refused connection to whatever it needs', new Error('x', { cause: fetchFailed('ECONNREFUSED') }), 'during'],
  ['an answer that the connection closed', answer(-32000, 'Connection closed'), 'during'],
])('a client of the app proves nothing with %s', (_name, error, expected) => {
  expect(classifyMcpFailure(error, 'app-client')).toEqual(means[expected]);
});

it('does not take a JSON-RPC code for an HTTP status', () => {
  expect(httpStatus(withCode(-32000, 'x'))).toBeUndefined();
  expect(httpStatus(answer(404, 'x'))).toBeUndefined();
  expect(httpStatus(withCode('ECONNREFUSED', 'x'))).toBeUndefined();
});
