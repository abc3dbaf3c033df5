import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createResponsesProvider } from '../../src/index.js';
import { HELLO } from '../provider/support/talk.js';
import { expectNothingOf, print } from './support/pieces.js';

const SECRET = 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789';
const KEY = `sk-proj-${SECRET}`;

/** A server on this machine that answers each request in its own way, by the path it came to. */
async function serve(answer: (response: ServerResponse, path: string) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    answer(response, request.url ?? '');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function failureAt(baseURL: string): Promise<string> {
  const events: unknown[] = [];
  const provider = createResponsesProvider({ baseURL, apiKey: KEY, onEvent: (event) => void events.push(event) });
  const error: unknown = await Promise.resolve(provider('m').doStream(HELLO)).catch((reason: unknown) => reason);
  await provider.close();
  expect(error).toBeInstanceOf(Error);
  return print([error, (error as Error).stack, events]);
}

const body = (kept: number): string => `{"error":{"message":"Incorrect API key provided: ${KEY.slice(0, kept)}`;
const places = Array.from({ length: KEY.length }, (_, at) => at + 1);

it('an error body never shows eight characters of a key, even if the body breaks off in the middle of the key', async () => {
  const origin = await serve((response, path) => {
    response.writeHead(401, { 'content-type': 'application/json', 'content-length': '4000' });
    response.write(body(Number(path.split('/')[1])), () => setTimeout(() => response.destroy(), 20));
  });
  await Promise.all(places.map(async (kept) => expectNothingOf(SECRET, await failureAt(`${origin}/${kept}`))));
});

it('nor does one that is given up after five seconds', { timeout: 20_000 }, async () => {
  const origin = await serve((response, path) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.write(body(Number(path.split('/')[1])));
  });
  await Promise.all(
    places
      .filter((kept) => kept % 4 === 0)
      .map(async (kept) => {
        const printed = await failureAt(`${origin}/${kept}`);
        expect(printed).toContain('Incorrect API key provided');
        expectNothingOf(SECRET, printed);
      }),
  );
});
