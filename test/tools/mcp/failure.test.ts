import { expect, it } from 'vitest';
import { classifyMcpFailure, httpStatus } from '../../../src/tools/mcp/failure.js';

const withCode = (code: number | string, message: string): Error => Object.assign(new Error(message), { code });
const fetchFailed = (code: string): Error => new TypeError('fetch failed', { cause: withCode(code, code) });

const rows: [string, unknown, 'before' | 'during' | 'answered'][] = [
  ['the SDK has no transport any more', new Error('Not connected'), 'before'],
  ['HTTP 404', withCode(404, 'Streamable HTTP error: Error POSTing to endpoint: Session not found'), 'before'],
  ['HTTP 410', withCode(410, 'Streamable HTTP error: gone'), 'before'],
  [
    'HTTP 400 for want of a session',
    withCode(400, 'Error POSTing to endpoint: {"message":"Bad Request: No valid session ID provided"}'),
    'before',
  ],
  ['HTTP 404 over SSE', new Error('Error POSTing to endpoint (HTTP 404): Session not found'), 'before'],
  ['a JSON-RPC error about the session', withCode(-32000, 'MCP error -32000: Server not initialized'), 'before'],
  ['a refused connection', fetchFailed('ECONNREFUSED'), 'before'],
  ['a reset connection', fetchFailed('ECONNRESET'), 'during'],
  ['a closed transport', withCode(-32000, 'MCP error -32000: Connection closed'), 'during'],
  ['a broken pipe', withCode('EPIPE', 'write EPIPE'), 'during'],
  ['a browser that could not fetch', new TypeError('Failed to fetch'), 'during'],
  ['HTTP 500', withCode(500, 'Streamable HTTP error: oops'), 'answered'],
  ['HTTP 400 for another reason', withCode(400, 'Streamable HTTP error: bad arguments'), 'answered'],
  [
    'a JSON-RPC error of the tool',
    withCode(-32603, 'MCP error -32603: session not found in the browser, network error'),
    'answered',
  ],
  ['an error without any marks', new Error('something'), 'answered'],
];

it.each(rows)('M02 classifies %s', (_name, error, expected) => {
  const means = {
    before: { isLost: true, neverExecuted: true },
    during: { isLost: true, neverExecuted: false },
    answered: { isLost: false, neverExecuted: false },
  };
  expect(classifyMcpFailure(error)).toEqual(means[expected]);
});

it('does not take a JSON-RPC code for an HTTP status', () => {
  expect(httpStatus(withCode(-32000, 'x'))).toBeUndefined();
  expect(httpStatus(withCode('ECONNREFUSED', 'x'))).toBeUndefined();
});
