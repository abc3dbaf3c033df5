import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createResponsesProvider, httpLog, type ObserverEvent, observers } from '../../src/index.js';
import { encodeEvents, errorEvent, responseEvents } from '../../src/testing.js';
import { createResponsesProvider as createV4 } from '../../src/v4.js';
import { createResponsesProvider as createV3 } from '../../src/v3.js';
import type { ResponsesProviderSettings } from '../../src/settings/settings.js';
import { ADD, callAdd, HELLO } from '../provider/support/talk.js';
import { anyKey, expectNothingOf, print } from './support/pieces.js';
import { examples } from '../helpers/nightly.js';

type Events = Parameters<typeof encodeEvents>[0];
const bytesOf = (events: unknown): BodyInit => encodeEvents(events as Events) as BodyInit;
const json = (body: unknown, status: number, headers = {}): Response => Response.json(body, { status, headers });
const begun = responseEvents({ output: [{ type: 'text', text: 'Well, ' }], status: 'none' });

/** The text arrives, then the connection breaks. */
function brokenOff(text: string, init: ResponseInit, error: Error): Response {
  const chunks = [new TextEncoder().encode(text)];
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    const chunk = chunks.shift();
    if (chunk === undefined) controller.error(error);
    else controller.enqueue(chunk);
  };
  return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }), init);
}

/** Ways to answer with a text in which a key stands; `cut` is the same text with its end gone, somewhere inside the key. */
const WAYS: Readonly<
  Record<string, (echo: { readonly text: string; readonly cut: string; readonly key: string }) => Response>
> = {
  'an error in JSON': ({ text }) => json({ error: { message: text, code: text, param: text } }, 400),
  'an error in JSON whose message was cut by the server': ({ cut }) =>
    json({ error: { message: cut, code: cut } }, 401),
  'an error in JSON that was cut by the server with an ellipsis': ({ cut }) =>
    json({ error: { message: `${cut}... is wrong` } }, 401),
  'an error that masks a key, leaving its beginning': ({ cut }) => {
    const message = `${cut}**** (${cut}) [${cut}] ${cut} [cut]\r{${cut}}, ${cut}`;
    return json({ error: { message, code: `${cut}***`, param: `${cut}***` } }, 401);
  },
  'an error that masks a key, leaving its end': ({ key }) =>
    json({ error: { message: `Incorrect API key: ****${key.slice(-12)}.`, code: key.slice(9, 30) } }, 401),
  'an error that wraps a key': ({ key }) => new Response(key.replaceAll(/.{10}/g, '$&\n'), { status: 401 }),
  'an error event that masks a key': ({ cut, key }) =>
    new Response(bytesOf([...begun, errorEvent({ code: `${cut}*`, message: `${cut}***${key.slice(-9)}]` })])),
  'an error page': ({ text }) => new Response(`<html>${text}</html>`, { status: 502 }),
  'an error in plain text': ({ text }) => new Response(text, { status: 500 }),
  'an error in escaped text': ({ text }) =>
    new Response(`{"a":"${JSON.stringify(text)}${encodeURIComponent(text)}`, { status: 500 }),
  'an error body that breaks off': ({ cut }) => brokenOff(cut, { status: 401 }, new TypeError('terminated')),
  'an error body of JSON that breaks off': ({ cut }) =>
    brokenOff(`{"error":{"message":"${cut}`, { status: 401 }, new TypeError('terminated')),
  'a 404': ({ text }) => json({ message: text }, 404),
  'JSON that is no response': ({ text }) => json({ [text]: 1 }, 200),
  'a page': ({ text }) => new Response(`<html>${text}</html>`),
  'a plain text': ({ text }) => new Response(text),
  'an error event': ({ text }) => new Response(bytesOf([errorEvent({ code: text, message: text })])),
  'an error event that was cut': ({ cut }) =>
    new Response(bytesOf([...begun, errorEvent({ code: cut, message: cut })])),
  'a failed response': ({ text }) =>
    new Response(bytesOf(responseEvents({ status: 'failed', error: { code: 'x', message: text } }))),
  'an event that is no JSON': ({ text }) => new Response(`data: {${text}\n\n`),
  'an event that breaks off': ({ cut }) => brokenOff(`data: {"type":"error","message":"${cut}`, {}, new TypeError(cut)),
  'a reason for an incomplete response': ({ text }) =>
    new Response(
      bytesOf([
        {
          type: 'response.incomplete',
          response: {
            id: 'r',
            output: [],
            status: 'incomplete',
            service_tier: text,
            incomplete_details: { reason: text },
            moderation: { flagged: [text] },
            usage: { input_tokens: 1, [text]: 2, tier: text, input_tokens_details: { [text]: [text] } },
          },
        },
      ]),
    ),
  'a status of its own': ({ text }) =>
    new Response(bytesOf([{ type: 'response.completed', response: { id: 'r', output: [], status: text } }])),
  'the value of a header': ({ text }) => json({}, 401, { 'x-echo': text }),
  'the name of a header': ({ key }) => json({}, 401, { [`x-${key}`]: 'sent' }),
  'the name of a header of a good answer': ({ key }) =>
    new Response(bytesOf(begun), { headers: { [`x-${key}`]: 'sent' } }),
  'a redirect': ({ key }) =>
    new Response(null, { status: 302, headers: { location: `https://login.example.com/?a=${key}&b=1` } }),
  'a redirect that was cut': ({ cut }) =>
    new Response(null, { status: 307, headers: { location: `https://login.example.com/${cut}` } }),
  'a status text': ({ key }) => new Response('', { status: 500, statusText: key }),
  'a network error': ({ text, cut }) => {
    throw new TypeError(text, { cause: new Error(cut, { cause: { message: text, code: cut } }) });
  },
};

const PROVIDERS = { V2: createResponsesProvider, V3: createV3, V4: createV4 } as const;

interface Run {
  readonly version: keyof typeof PROVIDERS;
  readonly settings: ResponsesProviderSettings;
  readonly answer: () => Response | Promise<Response>;
  readonly round?: 0 | 1;
}

/** All that comes of a call beside what the model said. */
async function outcomeOf({ version, settings, answer, round = 0 }: Run): Promise<string> {
  const seen: unknown[] = [];
  let requests = 0;
  const provider = PROVIDERS[version]({
    baseURL: 'https://relay.example.com/v1',
    backend: 'openai',
    tools: ADD,
    retry: { maxRetries: 0 },
    fetch: async () => {
      requests += 1;
      return requests <= round ? new Response(bytesOf(callAdd('r1'))) : answer();
    },
    ...settings,
    onEvent: observers(
      (event: ObserverEvent) => void seen.push(event),
      httpLog((entry) => void seen.push(entry)),
    ),
  });
  try {
    const { stream } = await provider('m').doStream({
      ...HELLO,
      providerOptions: { openai: { nonsense: true } },
    });
    for await (const part of stream as AsyncIterable<unknown>) seen.push(part);
  } catch (error) {
    seen.push(error, (error as Error).stack, JSON.stringify(error));
  }
  await provider.close();
  return print(seen);
}

/** Where a text is cut: around the 200 characters of a preview, the 2,000 of a body that is kept, and the 100,000 that are read. */
const anyOffset = fc.oneof(
  { arbitrary: fc.integer({ min: 0, max: 240 }), weight: 6 },
  { arbitrary: fc.integer({ min: 1_900, max: 2_050 }), weight: 2 },
  { arbitrary: fc.integer({ min: 99_900, max: 100_050 }), weight: 1 },
);
const anyFill = fc.constantFrom('x', ' ', 'key=', '"', '\\', 'ü');

describe('eight consecutive characters of a key never appear, wherever the text is cut', () => {
  it.each(Object.entries(WAYS))('%s', async (_name, way) => {
    const versions = fc.constantFrom('V2' as const, 'V2' as const, 'V3' as const, 'V4' as const);
    const place = fc.record({
      offset: anyOffset,
      fill: anyFill,
      kept: fc.integer({ min: 1, max: 48 }),
      version: versions,
    });
    await fc.assert(
      fc.asyncProperty(
        anyKey,
        place,
        fc.constantFrom(0 as const, 1 as const),
        async ({ key, secret }, where, round) => {
          const before = where.fill.repeat(where.offset / where.fill.length);
          const isHeader = /header|redirect/.test(_name);
          const text = isHeader
            ? `${before.replaceAll(/[^x]/g, 'x').slice(0, 2_000)}${key} end`
            : `${before}${key} end`;
          const cut = text.slice(0, text.length - ' end'.length - key.length + Math.min(where.kept, key.length));
          const printed = await outcomeOf({
            version: where.version,
            settings: { apiKey: key },
            answer: () => way({ text, cut, key }),
            round,
          });
          expectNothingOf(secret, printed);
        },
      ),
      { numRuns: examples(15, 80) },
    );
  });
});

describe('what a call is given in confidence', () => {
  const refused = (text: string) => json({ error: { message: `No: ${text}` } }, 403);

  it('as a header whose name says nothing, by settings or transformRequest', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyKey,
        fc.constantFrom('headers', 'function', 'transformRequest'),
        async ({ key, secret }, how) => {
          const headers = { 'x-gate': key };
          const settings: ResponsesProviderSettings =
            how === 'headers'
              ? { headers }
              : how === 'function'
                ? { headers: () => headers }
                : { transformRequest: () => ({ headers }) };
          expectNothingOf(secret, await outcomeOf({ version: 'V2', settings, answer: () => refused(key) }));
        },
      ),
      { numRuns: examples(12, 60) },
    );
  });

  it('to functions of the settings that throw', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyKey,
        fc.constantFrom('auth', 'headers', 'transformRequest'),
        fc.integer({ min: 8, max: 48 }),
        async ({ key, secret }, name, kept) => {
          const fail = (): never => {
            throw new Error(`Cannot use ${key} or ${key.slice(0, kept)}`);
          };
          const settings = { apiKey: key, [name]: fail };
          expectNothingOf(secret, await outcomeOf({ version: 'V2', settings, answer: () => refused('') }));
        },
      ),
      { numRuns: examples(12, 60) },
    );
  });

  it('to a tool that throws it', async () => {
    await fc.assert(
      fc.asyncProperty(anyKey, fc.integer({ min: 8, max: 48 }), async ({ key, secret }, kept) => {
        const execute = (): never => {
          throw new Error(`Cannot use ${key} or ${key.slice(0, kept)}`);
        };
        const settings = { apiKey: key, tools: { add: { ...ADD.add, execute } }, toolParts: 'all' as const };
        const answer = (): Response =>
          new Response(bytesOf(responseEvents({ output: [{ type: 'text', text: 'Done.' }] })));
        expectNothingOf(secret, await outcomeOf({ version: 'V2', settings, answer, round: 1 }));
      }),
      { numRuns: examples(10, 40) },
    );
  });

  it('tokens from a function stay hidden, for any number of parallel calls, and even if the function fails later', async () => {
    const tokens = Array.from({ length: 60 }, (_, n) => `tok-${n}-AbCdEfGh${n}IjKlMnOpQrSt`);
    let asked = 0;
    const errors: unknown[] = [];
    const provider = createResponsesProvider({
      baseURL: 'https://relay.example.com/v1',
      apiKey: () => {
        asked += 1;
        const token = tokens[asked - 1];
        if (token === undefined) throw new Error(`After ${tokens.at(-1)} there is none.`);
        return token;
      },
      fetch: async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return refused(tokens.join(' '));
      },
    });
    const call = (): Promise<unknown> =>
      Promise.resolve(provider('m').doStream(HELLO)).catch((error: unknown) => errors.push(error));
    await Promise.all(tokens.map(call));
    await call();
    expect(errors).toHaveLength(61);
    const printed = print(errors);
    for (const token of tokens) expectNothingOf(token.slice('tok-'.length), printed);
  });
});
