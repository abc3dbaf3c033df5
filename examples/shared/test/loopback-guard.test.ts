import { describe, expect, it } from 'vitest';
import { hostGuard, jsonGuard, tokenGuard } from '../loopback-guard.js';

type Guard = ReturnType<typeof tokenGuard>;

/** The code of a refusal; nothing, if the request may pass. */
async function refusalOf(guard: Guard, headers: Record<string, string>, body?: string): Promise<string | undefined> {
  const init = body === undefined ? { headers } : { headers, body };
  const raw = new Request('http://127.0.0.1:4310/sessions', { method: 'POST', ...init });
  // A string brings a type of its own.
  if (headers['content-type'] === undefined) raw.headers.delete('content-type');
  let passed = false;
  const answer = await guard({ req: { raw } }, async () => {
    passed = true;
  });
  expect(passed).toBe(answer === undefined);
  if (answer === undefined) return undefined;
  const { error } = (await answer.json()) as { error: { code: string; message: string } };
  expect(error.message).not.toBe('');
  return `${answer.status} ${error.code}`;
}

const own = (hostname = '127.0.0.1', port = 4310): Guard => hostGuard({ hostname, port: () => port });

describe('Host', () => {
  it.each(['127.0.0.1:4310', 'localhost:4310', 'LOCALHOST:4310', '[::1]:4310'])('%s passes', async (host) => {
    expect(await refusalOf(own(), { host })).toBeUndefined();
  });

  it.each([
    ['a name that leads to loopback', 'evil.example:4310'],
    ['a name with loopback in it', '127.0.0.1.evil.example:4310'],
    ['another port', '127.0.0.1:8080'],
    ['no port', '127.0.0.1'],
    ['a port that only begins so', '127.0.0.1:43100'],
    ['somebody before it', 'evil@127.0.0.1:4310'],
    ['an address of this network', '192.168.1.7:4310'],
    ['nothing', ''],
  ])('%s is refused', async (_what, host) => {
    expect(await refusalOf(own(), { host })).toBe('403 bad_host');
  });

  it('is asked for', async () => {
    expect(await refusalOf(own(), {})).toBe('403 bad_host');
  });

  it('needs no port where that is 80', async () => {
    expect(await refusalOf(own('127.0.0.1', 80), { host: 'localhost' })).toBeUndefined();
    expect(await refusalOf(own('127.0.0.1', 80), { host: 'localhost:80' })).toBeUndefined();
  });

  it('may be any address, but no name, if every address is listened on', async () => {
    const everywhere = own('0.0.0.0');
    expect(await refusalOf(everywhere, { host: '192.168.1.7:4310' })).toBeUndefined();
    expect(await refusalOf(everywhere, { host: '[fe80::1]:4310' })).toBeUndefined();
    expect(await refusalOf(everywhere, { host: 'evil.example:4310' })).toBe('403 bad_host');
  });
});

describe('Origin', () => {
  const host = '127.0.0.1:4310';

  it.each(['http://127.0.0.1:4310', 'http://localhost:4310'])('%s passes', async (origin) => {
    expect(await refusalOf(own(), { host, origin })).toBeUndefined();
  });

  it.each([
    ['another page', 'https://evil.example'],
    ['another port of this machine', 'http://127.0.0.1:3000'],
    ['another scheme', 'https://127.0.0.1:4310'],
    ['a sandboxed page', 'null'],
    ['a name that ends in ours', 'http://evil.example/127.0.0.1:4310'],
  ])('%s is refused', async (_what, origin) => {
    expect(await refusalOf(own(), { host, origin })).toBe('403 bad_origin');
  });
});

describe('the token', () => {
  const guard = tokenGuard('correct horse'.replace(' ', '-'));

  it('passes, however "Bearer" is written', async () => {
    expect(await refusalOf(guard, { authorization: 'Bearer correct-horse' })).toBeUndefined();
    expect(await refusalOf(guard, { authorization: 'bearer correct-horse' })).toBeUndefined();
  });

  it.each([
    ['nothing', {}],
    ['another token', { authorization: 'Bearer wrong' }],
    ['a beginning', { authorization: 'Bearer correct' }],
    ['more than it', { authorization: 'Bearer correct-horse2' }],
    ['another case', { authorization: 'Bearer Correct-Horse' }],
    ['no token', { authorization: 'Bearer ' }],
    ['another scheme', { authorization: 'Basic correct-horse' }],
    ['two tokens', { authorization: 'Bearer wrong correct-horse' }],
  ])('is refused with %s', async (_what, headers) => {
    expect(await refusalOf(guard, headers)).toBe('401 unauthorized');
  });
});

describe('the type of a body', () => {
  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON'])('%s passes', async (type) => {
    expect(await refusalOf(jsonGuard(), { 'content-type': type }, '{}')).toBeUndefined();
  });

  it('is not asked for without a body', async () => {
    expect(await refusalOf(jsonGuard(), {})).toBeUndefined();
    expect(await refusalOf(jsonGuard(), { 'content-length': '0' })).toBeUndefined();
  });

  it.each([
    ['text, which any page may send', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a name that begins so', { 'content-type': 'application/jsonp' }],
    ['none', { 'content-length': '2' }],
  ])('is refused with %s', async (_what, headers) => {
    expect(await refusalOf(jsonGuard(), headers, '{}')).toBe('415 json_only');
  });
});
