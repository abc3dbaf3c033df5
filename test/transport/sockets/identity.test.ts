import { describe, expect, it, vi } from 'vitest';
import type { findClient } from '../../../src/transport/socket/find-client.js';
import { identityOf } from '../../../src/transport/socket/socket-transport.js';
import { stream, textOf } from '../../provider/support/talk.js';
import { rig, steps, waysOf } from './rig.js';

/** Until it settles nobody finds a client. */
const found = vi.hoisted(() => ({ client: Promise.resolve() }));

vi.mock(import('../../../src/transport/socket/find-client.js'), async (load) => {
  const real = await load();
  const late: typeof findClient = async (...options) => {
    await found.client;
    return real.findClient(...options);
  };
  return { ...real, findClient: late };
});

const url = 'wss://api.test/v1/responses';

describe('whose connection it is', () => {
  it.each([
    ['traceparent', 'tracestate', 'idempotency-key', 'x-request-id'],
    ['x-client-request-id', 'x-b3-traceid', 'x-datadog-trace-id', 'sentry-trace'],
  ])('does not hang on what is about one request: %s, %s, %s, %s', (...names) => {
    const with1 = Object.fromEntries(names.map((name) => [name, '1']));
    expect(identityOf({ url, headers: { ...with1, authorization: 'a' } })).toBe(
      identityOf({ url, headers: { authorization: 'a' } }),
    );
  });

  it.each([
    ['authorization'],
    ['api-key'],
    ['openai-organization'],
    ['openai-project'],
    ['cookie'],
    ['x-tenant'],
    ['x-trace'],
    ['x-datadog-tenant'],
    ['openai-beta'],
    ['baggage'],
  ])('hangs on %s', (name) => {
    const of = (value: string) => identityOf({ url, headers: { 'user-agent': 'u', [name]: value } });
    expect(of('1')).not.toBe(of('2'));
    expect(of('1')).not.toBe(identityOf({ url, headers: { 'user-agent': 'u' } }));
  });

  it.each([
    ['tenant=a', 'tenant=b', false],
    ['tenant=a', undefined, false],
    ['tenant=a,sentry-trace_id=1', 'sentry-trace_id=2,tenant=b', false],
    ['tenant=a,sentry-trace_id=1', 'tenant=a,sentry-trace_id=2,sentry-sample_rand=0.3', true],
    ['sentry-trace_id=1', undefined, true],
    ['', undefined, true],
  ])('hangs on what the user put in its baggage, not on what traces do: %s, %s', (one, other, isSame) => {
    const of = (baggage: string | undefined) =>
      identityOf({ url, headers: { authorization: 'a', ...(baggage !== undefined && { baggage }) } });
    expect(of(one) === of(other)).toBe(isSame);
  });

  it('does not hang on the order of headers, but on the URL', () => {
    expect(identityOf({ url, headers: { a: '1', b: '2' } })).toBe(identityOf({ url, headers: { b: '2', a: '1' } }));
    expect(identityOf({ url: `${url}?v=2`, headers: {} })).not.toBe(identityOf({ url, headers: {} }));
  });

  it('a headers function that gives each request another trace opens one connection, and rounds go on from it', async () => {
    let n = 0;
    const headers = () => ({ traceparent: `00-${String((n += 1)).padStart(32, '0')}-00f067aa0ba902b7-01` });
    await using talk = await rig({ model: steps(2) }, { headers });
    await stream(talk);
    await stream(talk);
    expect(n).toBe(6);
    expect(talk.server.upgrades).toBe(1);
    expect(waysOf(talk).slice(0, 3)).toEqual(['socket whole', 'socket +1', 'socket +1']);
  });

  it('a headers function that gives each call another tenant never shares a connection', async () => {
    const headers = { tenant: 'a' };
    await using talk = await rig({ model: steps(1) }, { headers: () => ({ 'x-tenant': headers.tenant }) });
    await stream(talk);
    headers.tenant = 'b';
    await stream(talk);
    expect(talk.server.requests.map(({ connection }) => connection)).toEqual([1, 1, 2, 2]);
  });
});

describe('with auto', () => {
  it('rounds that are faster than the search for a client open one socket, not one each', async () => {
    let isFound = (): void => {};
    found.client = new Promise((resolve) => (isFound = resolve));
    await using talk = await rig({}, { transport: 'auto', backend: 'openai' });
    expect(textOf(await stream(talk))).toBe('Done after 3.');
    expect(waysOf(talk)).toEqual(Array(4).fill('http whole'));
    isFound();
    await expect.poll(() => talk.server.upgrades).toBe(1);
    await stream(talk);
    expect(talk.server.upgrades).toBe(1);
  });
});
