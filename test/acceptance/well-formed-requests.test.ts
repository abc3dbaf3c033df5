import { createOpenAI } from '@ai-sdk/openai';
import { generateText, stepCountIs } from 'ai';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createResponsesProvider, withStockFallback, type ResponsesProviderSettings } from 'responses-loop';
import { scriptedFetch } from 'responses-loop/testing';
import { calls, reply, says } from './support/rig.js';
import { toolOf } from './support/tools.js';

/** Texts with halves of surrogate pairs, whole ones, and what looks like their escapes. */
const text = fc
  .array(fc.constantFrom('a', 'é', '😀', '\ud83d', '\ude00', '\udfff', '\\', '\\ud800', '"'), {
    minLength: 1,
    maxLength: 6,
  })
  .map((pieces) => pieces.join(''));

/** The bodies that go out in a call whose every text is `words`. */
async function bodiesOf(words: string, useStock: boolean): Promise<string[]> {
  const bodies: string[] = [];
  const script = scriptedFetch([reply(calls('r1', ['look', { words }, 'c1'])), reply(says('r2', words))]);
  const fetch: typeof globalThis.fetch = (url, init) => {
    if (typeof init?.body === 'string') bodies.push(init.body);
    return script(url, init);
  };
  const settings: ResponsesProviderSettings = {
    apiKey: 'test',
    baseURL: 'http://model.test/v1',
    fetch,
    tools: {
      look: toolOf(() => `${words}!`, {
        description: words,
        inputSchema: { type: 'object', properties: { words: { type: 'string', description: words } } },
      }),
    },
    models: { '*': { body: { [words]: words } } },
  };
  const primary = createResponsesProvider(settings);
  const stock = createOpenAI({ apiKey: 'test', baseURL: 'http://model.test/v1', fetch });
  const provider = withStockFallback({ primary, stock, useStock });
  await generateText({
    model: provider('gpt-test'),
    system: words,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: words },
          { type: 'file', data: new Uint8Array([1]), mediaType: 'image/png' },
        ],
      },
      { role: 'assistant', content: words },
      { role: 'user', content: words },
    ],
    providerOptions: { openai: { instructions: words, metadata: { topic: words } } },
    stopWhen: stepCountIs(1),
  });
  await provider.close();
  return bodies;
}

describe('a text with half a surrogate pair', () => {
  it.each([
    ['us', false],
    ['the stock provider', true],
  ])(
    'is never sent by %s, whether it is in the prompt, tools, outputs, options or overrides',
    async (_name, useStock) => {
      await fc.assert(
        fc.asyncProperty(text, async (words) => {
          const bodies = await bodiesOf(words, useStock);
          expect(bodies).toHaveLength(2);
          for (const body of bodies) {
            // It would stand there as an escape, which survives being encoded.
            expect(/\\ud[89a-f]/.test(JSON.stringify(JSON.parse(body)).replaceAll('\\\\', ''))).toBe(false);
          }
          expect(bodies[1]).toContain(JSON.stringify(`${words.replaceAll(/\p{Surrogate}/gu, '\ufffd')}!`));
        }),
        { numRuns: 60 },
      );
    },
  );
});
