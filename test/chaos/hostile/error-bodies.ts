import type { JsonValue } from '../../../src/core/json.js';
import type { Echo, ErrorAnswer, ErrorShape } from './scenario.js';
import type { Post } from './observation.js';
import { asRecords } from '../../../src/util/guards.js';
import { plain } from '../plain.js';

/** What a server repeats of the request it got. */
const ECHOES: { readonly [K in Echo]: (post: Post) => string } = {
  nothing: () => '',
  key: (post) => `Incorrect API key provided: ${keyIn(post)}.`,
  headers: ({ headers }) => JSON.stringify(headers),
  body: ({ text }) => text.slice(0, 20_000),
  prompt: ({ input }) => `Could not process: ${lastText(input)}`,
};

export function keyIn({ headers }: Post): string {
  return (headers['authorization'] ?? '').replace('Bearer ', '');
}

function echoOf(echo: Echo, post: Post): string {
  return ECHOES[echo](post);
}

/** What the user said last, word for word. */
function lastText(input: Post['input']): string {
  const message = input.findLast((item) => item['role'] === 'user');
  const content = message?.['content'];
  return asRecords(content)
    .map((part) => plain(part['text']))
    .join('');
}

export interface ErrorBody {
  readonly type: string;
  readonly text: string;
}

type Write = (message: string, answer: ErrorAnswer) => ErrorBody;

const json = (value: JsonValue): ErrorBody => ({ type: 'application/json', text: JSON.stringify(value) });
const errorOf = (message: string, { code, param }: ErrorAnswer): JsonValue => ({
  message,
  type: 'invalid_request_error',
  param: param ?? null,
  code: code ?? null,
});

/** The same error as different servers word it. */
const SHAPES: { readonly [K in ErrorShape]: Write } = {
  openai: (message, answer) => json({ error: errorOf(message, answer) }),
  flat: (message) => json({ message, object: 'error' }),
  detail: (message) => json({ detail: message }),
  fastapi: (message) =>
    json({ detail: [{ type: 'value_error', loc: ['body', 'input'], msg: message, input: message }] }),
  'text-member': (message) => json({ error: message }),
  array: (message, answer) => json([{ error: errorOf(message, answer) }]),
  html: (message) => ({ type: 'text/html', text: `<!doctype html><html><h1>502</h1><p>${message}</p></html>` }),
  plain: (message) => ({ type: 'text/plain', text: message }),
  xml: (message) => ({
    type: 'application/xml',
    text: `<?xml version="1.0"?><Error><Message>${message}</Message></Error>`,
  }),
  'json-string': (message) => json(message),
  deep: (message) => json({ error: { error: { error: { inner: [{ message }] } } } }),
  sse: (message, answer) => ({
    type: 'text/event-stream',
    text: `event: error\ndata: ${JSON.stringify({ type: 'error', ...(errorOf(message, answer) as object) })}\n\n`,
  }),
  empty: () => ({ type: 'text/plain', text: '' }),
};

export function errorBody(answer: ErrorAnswer, post: Post): ErrorBody {
  const message = `${'p'.repeat(answer.padding)}${echoOf(answer.echo, post)}\u001b[2J \u0007`;
  return SHAPES[answer.shape](message, answer);
}
