import { describe, expect, it } from 'vitest';

import { encodeEvents, everyByte, readFixture, recordFetch, responseEvents, scriptedFetch } from '../../src/testing.js';
import { allFiles, BASE_URL, CONVERSATION, freshDirectory, KEY, post, SEALED } from './support/conversation.js';

const URL = `${BASE_URL}/responses`;

describe('what cannot be kept', () => {
  it('is an error of save() and of the next request, not of the one under way', async () => {
    const directory = await freshDirectory();
    const fetch = recordFetch(directory, { fetch: scriptedFetch(CONVERSATION), sealed: 'refuse' });
    expect(await (await fetch(URL, post())).text()).toContain(SEALED);
    await expect(fetch.save()).rejects.toThrow('an answer contains sealed reasoning');
    await expect(fetch(URL, post())).rejects.toThrow('an answer contains sealed reasoning');
    await expect(readFixture(directory)).rejects.toThrow('is missing');
  });

  it('is a key in an event that is written over several lines', async () => {
    const directory = await freshDirectory();
    const event = (piece: string): string =>
      `data: {"type":"response.output_text.delta",\ndata: "delta":"${piece}"}\n\n`;
    const pieces = KEY.match(/.{1,7}/g) ?? [];
    const real = scriptedFetch([{ bytes: pieces.map(event).join('') }]);
    const fetch = recordFetch(directory, { fetch: real, secrets: [KEY] });
    await (await fetch(URL, post())).text();
    await expect(fetch.save()).rejects.toThrow('contains a key that cannot be removed');
    await expect(readFixture(directory)).rejects.toThrow('is missing');
  });
});

describe('secrets', () => {
  const secret = (name: string): string => `planted-${name}-7Hj2+k/9=="ü`;
  const SECRETS = ['header', 'query', 'mcp', 'mcp-header', 'field', 'cookie', 'own'].map(secret);

  it('are in no file, wherever they were', async () => {
    const directory = await freshDirectory();
    const echo = {
      ...{ said: SECRETS.join(' '), inText: JSON.stringify({ key: SECRETS, encrypted_content: SEALED }) },
      ...{
        url: `https://x.test/?q=${SECRETS.map(encodeURIComponent).join('+')}`,
        output: [{ encrypted_content: SEALED }],
      },
    };
    const event = { type: 'response.failed', response: { error: { message: JSON.stringify(echo) }, ...echo } };
    const real = scriptedFetch([
      { json: { error: echo }, status: 401, headers: { 'set-cookie': `id=${encodeURIComponent(secret('cookie'))}` } },
      { events: [event] },
      { bytes: `data: {"item":{"encrypted_content" : "${SEALED}` },
    ]);
    const fetch = recordFetch(directory, { fetch: real, secrets: [secret('own')] });
    const body = {
      tools: [
        {
          type: 'mcp',
          server_url: 'https://mcp.test',
          authorization: secret('mcp'),
          headers: { 'X-Plain': secret('mcp-header') },
        },
      ],
      api_key: secret('field'),
      input: [
        { type: 'reasoning', encrypted_content: SEALED },
        { role: 'user', content: `I say ${secret('own')}` },
      ],
    };
    const headers = { authorization: `Bearer ${encodeURIComponent(secret('header'))}`, 'x-api-key': KEY };
    const url = `${URL}?api-key=${encodeURIComponent(secret('query'))}&sig=${KEY}`;
    for (const _ of [1, 2, 3]) {
      await (
        await fetch(url, post(body, { headers: { ...headers, cookie: `a=${encodeURIComponent(secret('cookie'))}` } }))
      ).text();
    }
    await fetch.save();
    const everything = await allFiles(directory);
    const forms = [...SECRETS, KEY, SEALED].flatMap((text) => [
      text,
      JSON.stringify(text).slice(1, -1),
      encodeURIComponent(text),
    ]);
    expect(forms.filter((form) => everything.includes(form))).toEqual([]);
    expect(everything).not.toMatch(/planted-(?!header)/);
    expect(everything).toContain('sealed-1');
    expect(everything).not.toContain('sealed-2');
  });

  it('sealed values keep their identity, and chunks their places', async () => {
    const directory = await freshDirectory();
    const events = responseEvents({
      output: [
        { type: 'reasoning', encrypted: SEALED },
        { type: 'reasoning', encrypted: `${SEALED}2` },
        { type: 'text', text: 'Ok.' },
      ],
    });
    const bytes = encodeEvents(events);
    for (const rechunk of [everyByte, undefined]) {
      const real = scriptedFetch([{ bytes, ...(rechunk && { rechunk }) }]);
      const fetch = recordFetch(directory, { fetch: real, overwrite: true });
      await (await fetch(URL, post())).text();
      await fetch.save();
      const [round] = (await readFixture(directory)).rounds;
      const text = new TextDecoder().decode(bytes);
      expect(new TextDecoder().decode(round?.body)).toBe(
        text.replaceAll(`${SEALED}2`, 'sealed-2').replaceAll(SEALED, 'sealed-1'),
      );
      expect(round?.chunks).toHaveLength(rechunk === undefined ? 1 : (round?.body.length ?? 0));
    }
  });

  it.each([
    ['a word that a local server takes for a key', 'lm-studio', {}],
    ['a short key that is named', 'hunter2', { secrets: ['hunter2'] }],
  ])('%s is hidden, and no reason to stop', async (_, key, options) => {
    const directory = await freshDirectory();
    const text = ['I am ', key.slice(0, 4), key.slice(4), `, ${key}.`];
    const real = scriptedFetch([responseEvents({ output: [{ type: 'text', text }] })]);
    const fetch = recordFetch(directory, { fetch: real, ...options });
    await (await fetch(URL, post({}, { headers: { authorization: `Bearer ${key}` } }))).text();
    await fetch.save();
    expect(await allFiles(directory)).not.toContain(key);
  });

  it('short keys of local servers do not tear the stream apart', async () => {
    const directory = await freshDirectory();
    const real = scriptedFetch([responseEvents({ output: [{ type: 'text', text: 'This is a test.' }] })]);
    const fetch = recordFetch(directory, { fetch: real });
    await (await fetch(URL, post({}, { headers: { authorization: 'Bearer test' } }))).text();
    await fetch.save();
    expect(await allFiles(directory)).toContain('This is a test.');
  });

  it('pieces of a text that the server calls tokens are none', async () => {
    const directory = await freshDirectory();
    const logprobs = [{ token: 'understanding', logprob: -1 }];
    const real = scriptedFetch([[{ type: 'response.output_text.delta', delta: 'understanding', logprobs }]]);
    const fetch = recordFetch(directory, { fetch: real });
    await (await fetch(URL, post())).text();
    await fetch.save();
    expect(await allFiles(directory)).toContain('"delta":"understanding","logprobs":[{"token":"understanding"');
  });

  it('of a body that breaks off inside one, no eight characters are kept', async () => {
    for (let kept = 1; kept < KEY.length; kept += 1) {
      const directory = await freshDirectory();
      const body = `{"error":{"message":"Incorrect key ${KEY.slice(0, kept)}`;
      const fetch = recordFetch(directory, {
        fetch: scriptedFetch([
          { bytes: body, status: 401, headers: { 'content-type': 'application/json' }, ending: 'reset' },
        ]),
      });
      await (await fetch(URL, post({}, { headers: { authorization: `Bearer ${KEY}` } }))).text().catch(() => {});
      await fetch.save();
      expect(await allFiles(directory)).not.toContain(KEY.slice(0, 8));
    }
  });

  it('are in no name of a header', async () => {
    const directory = await freshDirectory();
    const headers = { [`x-${KEY}`]: '1' };
    const fetch = recordFetch(directory, { fetch: scriptedFetch([{ json: {}, headers }]) });
    await (await fetch(URL, post({}, { headers: { authorization: `Bearer ${KEY}` } }))).text();
    await fetch.save();
    expect(await allFiles(directory)).not.toContain(KEY.toLowerCase());
  });
});
