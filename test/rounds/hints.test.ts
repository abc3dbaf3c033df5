import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { errorReply } from '../../src/testing.js';
import { failureOf, start, stream } from '../provider/support/talk.js';

/** An address at which nobody listens. */
async function deadAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => server.close(resolve));
  return `127.0.0.1:${port}`;
}

const failing = (cause: Error) => () => Promise.reject(new TypeError('fetch failed', { cause }));

describe('the error of a server that cannot be reached', () => {
  it('tells to check the server and baseURL if nobody listens at its address', async () => {
    const address = await deadAddress();
    const talk = await start([], { baseURL: `http://${address}/v1` });
    const { message } = await failureOf(stream(talk));
    expect(message).toBe(
      `Could not reach http://${address}/v1/responses: fetch failed (connect ECONNREFUSED ${address}). ` +
        'Check that the server runs and that baseURL is right.',
    );
  });

  it('names the proxy if nobody listens at an address that is not the address of the server', async () => {
    const proxy = await deadAddress();
    const talk = await start([], { fetch: (_url, init) => fetch(`http://${proxy}`, init) });
    const { message } = await failureOf(stream(talk));
    expect(message).toContain(`(connect ECONNREFUSED ${proxy}). ${proxy} is not the server: check your proxy.`);
    expect(message).not.toContain('baseURL');
  });

  it.each(['http://127.0.0.1', 'https://127.0.0.1'])('knows the port of %s', async (baseURL) => {
    const port = baseURL.startsWith('https') ? 443 : 80;
    const cause = new Error(`connect ECONNREFUSED 127.0.0.1:${port}`);
    const talk = await start([], { baseURL, fetch: failing(cause) });
    expect((await failureOf(stream(talk))).message).toContain('Check that the server runs');
  });

  it.each(['80', '808'])('names a proxy at port %s, which is a part of the port of the server', async (port) => {
    const fetch = failing(new Error(`connect ECONNREFUSED 10.0.0.1:${port}`));
    const talk = await start([], { baseURL: 'http://127.0.0.1:8080/v1', fetch });
    expect((await failureOf(stream(talk))).message).toContain(`10.0.0.1:${port} is not the server`);
  });

  it.each([
    'self-signed certificate',
    'self-signed certificate in certificate chain',
    'unable to get local issuer certificate',
    'unable to verify the first certificate',
  ])('names NODE_EXTRA_CA_CERTS if Node does not know who signed the certificate: %s', async (text) => {
    const talk = await start([], { fetch: failing(new Error(text)) });
    const { message } = await failureOf(stream(talk));
    expect(message).toContain(`fetch failed (${text}). If a proxy or your company signed the certificate`);
    expect(message).toContain('NODE_EXTRA_CA_CERTS');
    expect(message).not.toContain('baseURL');
  });

  it('tells to check the server for other faults of a certificate', async () => {
    const talk = await start([], { fetch: failing(new Error('certificate has expired')) });
    expect((await failureOf(stream(talk))).message).toMatch(/has expired\)\. Check that the server runs/);
  });
});

describe('the error of a server that refused several keys', () => {
  it('tells how many it refused', async () => {
    const talk = await start([errorReply({ status: 401 }), errorReply({ status: 429 })], { apiKey: 'key-1,key-2' });
    expect((await failureOf(stream(talk))).message).toMatch(/[^.]\. The server refused 2 keys\.$/);
  });

  it('tells nothing of keys if there is one, or if the last error is about something else', async () => {
    const one = await start([errorReply({ status: 401 })], { apiKey: 'key-1' });
    expect((await failureOf(stream(one))).message).not.toContain('keys');
    const other = await start([errorReply({ status: 401 }), errorReply({ status: 400 })], { apiKey: 'key-1,key-2' });
    expect((await failureOf(stream(other))).message).not.toContain('keys');
  });
});
