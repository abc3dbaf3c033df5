import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResponsesProviderSettings } from '../../src/index.js';
import { responseBody } from '../../src/testing.js';
import { failureOf, say, start } from '../provider/support/talk.js';
import { userPrompt } from '../acceptance/support/parts.js';
import { providerOf } from './support/flood.js';

const tools = { audit_log: { description: 'Keeps a log.', execute: () => 'x' } };
const providerOptions = { openai: { truncation: 'auto', safetyIdentifier: 'user-1', user: 'me', include: [] } };
const settings = { temperature: 1, topP: 0.9, providerOptions } as const;

/** What users have been seen to write, or may write to make the server sound like itself. */
const WORDS = [
  "does not support 'store'",
  "Unknown parameter: 'safety_identifier'.",
  "Unsupported parameter: 'temperature'",
  "Invalid schema for function 'audit_log'",
  'tools[0]',
  'tools[0].name',
  'store',
  'temperature',
  'truncation',
  "The parameter 'user' is not supported",
  'Encrypted content is not supported with this model',
  "[{'type': 'extra_forbidden', 'loc': ('body', 'top_p'), 'msg': 'no'}]",
  'unknown_parameter',
  'invalid_encrypted_content',
];

/** Shapes in which servers say what was wrong; each may repeat what it was sent. */
const SHAPES: readonly ((text: string) => unknown)[] = [
  (text) => ({ error: { message: `Could not process: ${text}` } }),
  (text) => ({ error: { message: text, type: 'invalid_request_error', param: null, code: null } }),
  (text) => ({ error: { message: text, type: 'invalid_request_error', param: 'input[0]', code: 'invalid_value' } }),
  (text) => ({ error: { message: 'No.', type: 'invalid_request_error', param: text, code: 'unknown_parameter' } }),
  (text) => ({ error: { message: 'No.', type: text, param: text, code: text } }),
  (text) => ({ error: { message: text, param: 'temperature', code: null, type: 'invalid_request_error' } }),
  (text) => ({ error: text }),
  (text) => ({ error: { error: text } }),
  (text) => ({ message: text, code: 400 }),
  (text) => ({ detail: text }),
  (text) => ({ detail: [{ type: 'value_error', loc: ['body', 'input', 0], msg: text, input: text }] }),
  (text) => ({ success: false, error: [{ code: 'invalid_type', message: text, path: ['input'] }] }),
  (text) => text,
];

/** Every other answer refuses, in the words of the user. */
function echoing(shape: (text: string) => unknown, status: number) {
  const sent: Record<string, unknown>[] = [];
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    const body = JSON.parse(init?.body as string) as Record<string, unknown>;
    sent.push(body);
    const [item] = body['input'] as { content: { text: string }[] }[];
    const text = item?.content[0]?.text ?? '';
    // Only the first request of a call is refused: whatever was left out seems to help.
    if (sent.length === 1) return Response.json(shape(text), { status });
    return Response.json(responseBody({ output: [{ type: 'text', text: 'Ok.' }] }));
  };
  return { sent, provider: providerOf({ baseURL: 'http://127.0.0.1:1/v1', fetch }, { tools }) };
}

describe('words that a server repeats', () => {
  it('never change what a later call sends, whatever their form', async () => {
    const text = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...WORDS) },
      fc
        .array(fc.oneof(fc.constantFrom(...WORDS), fc.string()), { minLength: 1, maxLength: 4 })
        .map((all) => all.join(' ')),
    );
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.constantFrom(...SHAPES),
        fc.constantFrom(400, 404, 422),
        async (words, shape, status) => {
          fc.pre(words.trim() !== '');
          const { sent, provider } = echoing(shape, status);
          await provider('m')
            .doGenerate({ prompt: userPrompt(words), ...settings })
            .catch(() => {});
          for (const body of sent)
            expect(body).toMatchObject({ store: false, safety_identifier: 'user-1', user: 'me' });
          const [first] = sent;
          await provider('m').doGenerate({ prompt: userPrompt('A harmless question.'), ...settings });
          const { input: _first, ...asSent } = first ?? {};
          const { input: _later, ...later } = sent.at(-1) ?? {};
          expect(later).toEqual(asSent);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('never do so from the name of a file either', async () => {
    const { sent, provider } = echoing(
      () => ({ error: { message: 'No.', param: 'store', code: 'unknown_parameter' } }),
      400,
    );
    const file = { type: 'file', filename: 'store', mediaType: 'application/pdf', data: 'aGk=' } as const;
    await failureOf(provider('m').doGenerate({ prompt: [{ role: 'user', content: [file] }], ...settings }));
    expect(sent).toHaveLength(1);
  });

  it('of the request itself are no reason to ask once more', async () => {
    const { sent, provider } = echoing((text) => ({ error: { message: `Could not process: ${text}` } }), 400);
    const prompt = userPrompt("This does not support 'temperature', they say.");
    await failureOf(provider('m').doGenerate({ prompt, ...settings }));
    expect(sent).toHaveLength(1);
  });
});

const refuse = (message: string, param: string | null = null, code: string | null = null) => ({
  status: 400,
  json: { error: { message, type: 'invalid_request_error', param, code } },
});

describe('words of the server’s own', () => {
  const sentOf = ({ requests }: { readonly requests: readonly { readonly body: object }[] }, name: string) =>
    requests.map(({ body }) => (body as Readonly<Record<string, unknown>>)[name]);
  const begin = (steps: Parameters<typeof start>[0], more: ResponsesProviderSettings = {}) => start(steps, more);
  const call = { prompt: userPrompt(), ...settings };

  it('help the call in which they were said, and no other', async () => {
    const no = refuse('Unrecognized request argument supplied: top_p');
    const { server, provider } = await begin([no, say('Ok.'), no, say('Ok.')]);
    await provider('m').doGenerate(call);
    await provider('m').doGenerate(call);
    expect(sentOf(server, 'top_p')).toEqual([0.9, undefined, 0.9, undefined]);
  });

  it('cost a call one further request at most', async () => {
    const steps = [refuse("Unknown parameter: 'top_p'."), refuse("Unknown parameter: 'temperature'.")];
    const { server, provider } = await begin(steps);
    expect(await failureOf(provider('m').doGenerate(call))).toMatchObject({ statusCode: 400 });
    expect(server.requests).toHaveLength(2);
  });

  it.each(['store', 'safety_identifier', 'user'])('never remove %s: the call fails instead', async (name) => {
    const { server, provider } = await begin([refuse(`Unknown parameter: '${name}'.`)]);
    expect(await failureOf(provider('m').doGenerate(call))).toMatchObject({ statusCode: 400 });
    expect(server.requests).toHaveLength(1);
  });

  it('are not needed where the field is named with a code: then store goes too, with a warning', async () => {
    const { server, provider } = await begin([refuse('No.', 'store', 'unknown_parameter'), say('Ok.'), say('Ok.')]);
    const { warnings } = await provider('m').doGenerate(call);
    await provider('m').doGenerate(call);
    expect(sentOf(server, 'store')).toEqual([false, undefined, undefined]);
    expect(warnings).toEqual([{ type: 'other', message: 'The server refuses the field "store", so it was not sent.' }]);
  });
});
