import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createResponsesProvider, type ObserverEvent } from '../../src/index.js';
import type { ResponsesProviderSettings } from '../../src/settings/settings.js';
import { encodeEvents, errorEvent, responseEvents } from '../../src/testing.js';
import { ADD, callAdd, HELLO } from '../provider/support/talk.js';

/**
 * Long enough not to turn up by chance, and told from its last four characters, which events may show. Base64 and
 * signatures have characters that URLs encode.
 */
const secret = fc.stringMatching(/^[A-Za-z0-9_+/=%&.~-]{24}$/);
const formsOf = (value: string): string[] => [value, encodeURIComponent(value), encodeURI(value)];
const secrets = fc.record({ key: secret, header: secret, query: secret, sealed: secret, field: secret });
type Secrets = typeof secrets extends fc.Arbitrary<infer T> ? T : never;

const bytesOf = (events: unknown): BodyInit => encodeEvents(events as Parameters<typeof encodeEvents>[0]) as BodyInit;
const CALL = bytesOf(callAdd('r1'));
const begun = (text: string) => [
  ...responseEvents({ id: 'r9', output: [{ type: 'text', text: 'Well, ' }], status: 'none' }),
  errorEvent({ code: 'server_error', message: text }),
];

/** Servers and platforms that repeat all they were sent, each in its own way. */
const ECHOES: Readonly<Record<string, (echo: string) => Response>> = {
  'an error status with JSON': (echo) =>
    Response.json({ error: { message: echo, code: echo.slice(0, 60), param: echo } }, { status: 400 }),
  'an error status with other JSON': (echo) =>
    Response.json({ detail: [{ msg: 'bad', input: echo }] }, { status: 422 }),
  'an error status with a page': (echo) => new Response(`<pre>${echo}</pre>`, { status: 500 }),
  'a 404': (echo) => Response.json({ message: echo }, { status: 404 }),
  'an error event': (echo) => new Response(bytesOf([errorEvent({ code: 'invalid_api_key', message: echo })])),
  'an error event after text': (echo) => new Response(bytesOf(begun(echo))),
  'a failed response': (echo) =>
    new Response(bytesOf(responseEvents({ status: 'failed', error: { code: 'x', message: echo } }))),
  'an error in JSON': (echo) => Response.json({ error: { message: echo } }),
  'a fetch that fails': (echo) => {
    throw new TypeError(`Failed to send ${echo}`, { cause: new Error(echo) });
  },
  'a fetch that fails with all it was given': (echo) => {
    const failure = new AggregateError([new Error(echo), { echo }], 'network down', { cause: { echo } });
    throw Object.assign(failure, { config: { echo } });
  },
  'a body that breaks': (echo) =>
    new Response(
      new ReadableStream({ pull: (controller) => controller.error(Object.assign(new TypeError(echo), { echo })) }),
    ),
  headers: (echo) =>
    Response.json({}, { status: 401, headers: { 'x-echo-authorization': echo.replaceAll(/[^\x20-\x7e]/g, ' ') } }),
};

function settingsWith({ key, header, query, field }: Secrets): ResponsesProviderSettings {
  return {
    baseURL: `https://relay.example.com/v1?token=${encodeURIComponent(query)}`,
    backend: 'openai',
    apiKey: key,
    headers: { 'x-gateway-token': header, cookie: `session=${header}` },
    query: { key: query },
    models: { '*': { body: { vendor: { api_key: [field], authorization: field, accessToken: { field } } } } },
    tools: ADD,
    retry: { maxRetries: 0 },
  };
}

function promptWith(origin: string, sealed: string): (typeof HELLO)['prompt'] {
  const reasoning = {
    type: 'reasoning',
    text: 'Hm.',
    providerOptions: { 'responses-loop': { reasoning: { kind: 'summary', encrypted: sealed, origin } } },
  } as const;
  const stock = {
    type: 'reasoning',
    text: 'Hm.',
    providerOptions: { openai: { itemId: 'rs_1', reasoningEncryptedContent: sealed } },
  } as const;
  return [
    ...HELLO.prompt,
    { role: 'assistant', content: [reasoning, stock, { type: 'text', text: 'A' }] },
    ...HELLO.prompt,
  ];
}

/** Runs a call against an echo, in its first or its second round, and prints all that came out of it besides content. */
async function printAll(
  given: Secrets,
  echo: (text: string) => Response,
  { round, generate }: { readonly round: 0 | 1; readonly generate: boolean },
): Promise<string> {
  const seen: unknown[] = [];
  let requests = 0;
  const fetch = async (url: unknown, init?: RequestInit): Promise<Response> => {
    requests += 1;
    if (requests === 1 && round === 1) return new Response(CALL);
    return echo(`${String(url)} ${JSON.stringify(init?.headers)} ${init?.body as string}`);
  };
  const onEvent = (event: ObserverEvent): void => void seen.push(event);
  const provider = createResponsesProvider({ ...settingsWith(given), fetch, onEvent });
  seen.push(provider.endpoint('m'));
  const options = {
    ...HELLO,
    prompt: promptWith('x.y.z', given.sealed),
    providerOptions: { openai: { nonsense: true } },
  };
  try {
    if (generate) seen.push((await provider('m').doGenerate(options)).warnings);
    else
      for await (const part of (await provider('m').doStream(options)).stream as AsyncIterable<unknown>)
        seen.push(part);
  } catch (error) {
    seen.push(error, (error as Error).stack, JSON.stringify(error));
  }
  expect(requests).toBe(round + 1);
  return inspect(seen, { depth: 20, maxStringLength: null, showHidden: true });
}

describe('secrets never come out', () => {
  it.each(Object.entries(ECHOES))('of errors, events, warnings and parts: %s', async (_name, echo) => {
    await fc.assert(
      fc.asyncProperty(
        secrets,
        fc.constantFrom(0 as const, 1 as const),
        fc.boolean(),
        async (given, round, generate) => {
          const printed = await printAll(given, echo, { round, generate });
          for (const [name, value] of Object.entries(given))
            for (const form of formsOf(value)) expect(printed.includes(form), `${name} came out`).toBe(false);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('of settings that are refused', () => {
    fc.assert(
      fc.property(
        secret,
        fc.constantFrom(
          (value: string) => ({ apiKey: `${value}\n${value}` }),
          (value: string) => ({ apiKey: [`${value} x`] }),
          (value: string) => ({ baseURL: `https://me:p${value}@relay.example.com` }),
          (value: string) => ({ baseURL: `https://me:p${value}@relay.example.com:99999/v1?key=${value}` }),
          (value: string) => ({ baseURL: `me:p${value}@relay:99999` }),
          (value: string) => ({ baseURL: `https:/me:/${value}@relay:99999/v1` }),
          (value: string) => ({ baseURL: `https://me:x${value}/${value}@relay` }),
          (value: string) => ({ headers: { authorization: `Bearer ${value}\n` } }),
          (value: string) => ({ headers: { authorization: `Bearer ${value}…` } }),
          (value: string) => ({ models: { '*': { headers: { 'api-key': `${value}\r` } } } }),
        ),
        (value, settings) => {
          try {
            createResponsesProvider(settings(value));
          } catch (error) {
            expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(value);
            return;
          }
          expect.unreachable('These settings should have been refused.');
        },
      ),
    );
  });
});
