import { describe, expect, it } from 'vitest';

import { readFixture, recordFetch, type ScriptedStep, scriptedFetch } from '../../src/testing.js';
import { allFiles, BASE_URL, freshDirectory, post } from './support/conversation.js';

const URL = `${BASE_URL}/responses`;

/** What is kept of one exchange. */
async function kept(step: ScriptedStep, init: RequestInit = {}, body: unknown = {}): Promise<string> {
  const directory = await freshDirectory();
  const fetch = recordFetch(directory, { fetch: scriptedFetch([step]) });
  await (await fetch(URL, post(body, init))).text();
  await fetch.save();
  return allFiles(directory);
}

const says = (bytes: string): ScriptedStep => ({ bytes, headers: { 'content-type': 'application/json' } });

describe('a secret that an answer repeats', () => {
  const SECRET = 'pass+wörd/&"<9x7';
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const asUnits = (text: string): string =>
    text.replaceAll(/[^a-z\d]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`);

  it.each([
    ['as it is', `<p>${SECRET}</p>`],
    ['in JSON', JSON.stringify({ said: SECRET })],
    ['in JSON in JSON in JSON', JSON.stringify([JSON.stringify([JSON.stringify([SECRET])])])],
    ['in JSON that escapes everything', `{"said":"${asUnits(SECRET)}"}`],
    ['in JSON that escapes slashes', JSON.stringify({ said: SECRET }).replaceAll('/', '\\/')],
    ['in a URL', `{"url":"https://x.test/?q=${encodeURIComponent(SECRET)}"}`],
    ['in a URL, in small letters', `{"url":"https://x.test/?q=${encodeURIComponent(SECRET).toLowerCase()}"}`],
  ])('%s is not kept', async (_, body) => {
    const files = await kept(says(body), { headers: { 'x-api-key': encodeURIComponent(SECRET) } });
    expect(files).toContain('[redacted]');
    expect(files).not.toMatch(/pass|9x7/);
  });

  it('is found where its user and password were sent in base64', async () => {
    const headers = { authorization: `Basic ${base64('me:longer password')}` };
    expect(await kept(says('{"error":"longer password is wrong"}'), { headers })).not.toContain('longer password');
  });

  it('is found in a header of any name', async () => {
    const init = { headers: { 'x-upstream': 'Bearer upstream-0123456789' } };
    expect(await kept(says('{"error":"upstream-0123456789 is wrong"}'), init)).not.toContain('upstream-0123456789');
  });

  it('is taken out whole where two of them overlap', async () => {
    const headers = { 'x-api-key': 'abcdefgh12345678', 'y-api-key': '12345678zzzzzzzz' };
    expect(await kept(says('{"said":"abcdefgh12345678zzzzzzzz"}'), { headers })).toContain('{"said":"[redacted]"}');
  });

  it('is no cookie attribute', async () => {
    const headers = [
      ['set-cookie', 'first=cookie-0123456789; HttpOnly'],
      ['set-cookie', 'second=cookie-9876543210; Max-Age=31536000'],
    ] as [string, string][];
    const body = '{"said":"HttpOnly 31536000 cookie-0123456789 cookie-9876543210"}';
    const directory = await freshDirectory();
    const fetch = recordFetch(directory, { fetch: async () => new Response(body, { headers }) });
    await (await fetch(URL, post())).text();
    expect(await allFiles(directory)).toContain('{"said":"HttpOnly 31536000 [redacted] [redacted]"}');
  });
});

describe('a secret that a model says in pieces', () => {
  const delta = (index: number, piece: string): { type: string; output_index: number; delta: string } => ({
    type: 'response.function_call_arguments.delta',
    output_index: index,
    delta: piece,
  });

  it('is taken out of the pieces, also where two calls take turns', async () => {
    const directory = await freshDirectory();
    const events = [delta(0, '{"k":"sk-'), delta(1, 'ünd'), delta(0, '12345'), delta(1, 'er'), delta(0, '6789ab"}')];
    const fetch = recordFetch(directory, { fetch: scriptedFetch([events]) });
    await (await fetch(URL, post({}, { headers: { 'x-api-key': 'sk-123456789ab' } }))).text();
    await fetch.save();
    const [round] = (await readFixture(directory)).rounds;
    const said: Record<string, string> = {};
    for (const [, data = ''] of new TextDecoder().decode(round?.body).matchAll(/^data: (.*)$/gm)) {
      const event = JSON.parse(data) as ReturnType<typeof delta>;
      said[event.output_index] = (said[event.output_index] ?? '') + event.delta;
    }
    expect(said).toEqual({ 0: '{"k":"[redacted]"}', 1: 'ünder' });
    expect(round?.chunks?.reduce((sum, [bytes]) => sum + bytes, 0)).toBe(round?.body.length);
  });
});

describe('what somebody pasted', () => {
  const PASTED = {
    'a key': `sk-proj-${'a1B2'.repeat(6)}`,
    'a token of a code host': `ghp_${'a1B2'.repeat(9)}`,
    'a web token': `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${'a1B2'.repeat(6)}`,
    'a private key': `-----BEGIN PRIVATE KEY-----\n${'a1B2\n'.repeat(6)}-----END PRIVATE KEY-----`,
  };

  it.each(Object.entries(PASTED))(
    '%s is kept neither in the prompt nor in what the model makes of it',
    async (_, key) => {
      const body = { input: [{ role: 'user', content: `Is ${key} good?` }, { arguments: JSON.stringify({ key }) }] };
      const files = await kept({ json: { said: `No, ${key} is bad.` } }, {}, body);
      expect(files).toContain('Is [redacted] good?');
      expect(files).toContain('No, [redacted] is bad.');
      expect(files).not.toContain('a1B2');
    },
  );

  it('is not in the name of a member either', async () => {
    expect(await kept({ json: {} }, {}, { metadata: { [PASTED['a key']]: 'x' } })).not.toContain('a1B2');
  });

  it('is found in rounds that were over before it was known', async () => {
    const directory = await freshDirectory();
    const fetch = recordFetch(directory, {
      fetch: scriptedFetch([{ json: { said: 'late-0123456789' } }, { json: {} }]),
    });
    await (await fetch(URL, post({ input: 'It is late-0123456789.' }))).text();
    await (await fetch(URL, post({}, { headers: { 'x-api-key': 'late-0123456789' } }))).text();
    await fetch.save();
    const { rounds } = await readFixture(directory);
    expect(rounds[0]?.request).toEqual({ input: 'It is [redacted].' });
    expect(await allFiles(directory)).not.toContain('late-0123456789');
  });
});

describe('the outside of a recording', () => {
  it('shows no key in the address of a redirect', async () => {
    const step = { json: {}, status: 302, headers: { location: '/login?token=redirect-0123456789' } };
    expect(await kept(step)).not.toContain('redirect-0123456789');
  });

  it('shows no password of the source, and no key in title and notes', async () => {
    const directory = await freshDirectory();
    const about = {
      title: 'With key-0123456789',
      notes: 'Of key-0123456789.',
      source: 'https://me:pass-word@x.test/v1',
    };
    const fetch = recordFetch(directory, { ...about, fetch: scriptedFetch([{ json: {} }]) });
    await (await fetch(URL, post({}, { headers: { 'x-api-key': 'key-0123456789' } }))).text();
    const { title, notes, source } = (await readFixture(directory)).meta;
    expect([title, notes, source]).toEqual(['With [redacted]', 'Of [redacted].', 'https://x.test/v1']);
  });
});
