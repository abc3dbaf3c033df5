import { describe, expect, it } from 'vitest';
import type { LanguageModelV2Content } from '@ai-sdk/provider';
import { finishOf, type Part, partsOf, streamParts, textOf, userPrompt } from '../acceptance/support/parts.js';
import { calls, reply, rig, says } from '../acceptance/support/rig.js';
import { adder } from '../acceptance/support/tools.js';
import { bodyWithoutStream } from '../acceptance/support/wire.js';
import type { ScriptedStep } from 'responses-loop/testing';

const CONVERSATIONS: Record<string, readonly ScriptedStep[]> = {
  'a text': [reply(says('resp_1', 'Hello there.'))],
  'reasoning and text': [
    reply({
      output: [
        { type: 'reasoning', summary: ['One.', 'Two.'], encrypted: 'sealed' },
        { type: 'text', text: 'Hello.' },
      ],
    }),
  ],
  'a call': [reply(calls('resp_1', ['add', { a: 1, b: 2 }])), reply(says('resp_2', 'Three.'))],
  'talk, calls, more calls': [
    reply({
      id: 'resp_1',
      output: [
        { type: 'text', text: 'Let me see.' },
        { type: 'call', name: 'add', arguments: { a: 1, b: 2 } },
        { type: 'call', name: 'nope', arguments: '{' },
      ],
    }),
    reply(calls('resp_2', ['add', { a: 3, b: 4 }])),
    reply(says('resp_3', 'Seven.')),
  ],
  citations: [
    reply({
      output: [
        {
          type: 'text',
          text: 'See ducks.',
          annotations: [
            { type: 'url_citation', url: 'https://ducks.test', title: 'Ducks', start_index: 0, end_index: 3 },
          ],
        },
      ],
    }),
  ],
  'a refusal': [reply({ output: [{ type: 'refusal', text: 'I will not.' }] })],
  'an incomplete text': [reply({ ...says('resp_1', 'Half a'), status: 'incomplete' })],
};

/** What a reader of the stream puts together. */
function contentOf(parts: readonly Part[]): LanguageModelV2Content[] {
  const spoken = new Map<string, string>();
  for (const part of parts)
    if (part.type === 'text-delta' || part.type === 'reasoning-delta')
      spoken.set(part.id, (spoken.get(part.id) ?? '') + part.delta);
  return parts.flatMap((part): LanguageModelV2Content[] => {
    if (part.type === 'text-end' || part.type === 'reasoning-end') {
      const { id, type, ...rest } = part;
      return [{ type: type === 'text-end' ? 'text' : 'reasoning', text: spoken.get(id) ?? '', ...rest }];
    }
    return part.type === 'source' || part.type === 'tool-call' || part.type === 'tool-result' ? [part] : [];
  });
}

/** Whose reasoning it is hangs on the URL, and each server of a test has a port of its own. */
function withoutOrigin(content: readonly LanguageModelV2Content[]): Set<unknown> {
  return new Set(
    content.map((part): unknown => JSON.parse(JSON.stringify(part).replace(/"origin":"[^"]+"/, '"origin":"this"'))),
  );
}

describe.each(Object.entries(CONVERSATIONS))('generating %s', (_name, steps) => {
  it('gives what streaming it gives: content, usage, finish reason, metadata', async () => {
    const settings = { tools: { add: adder().add }, toolParts: 'all' } as const;
    const streamed = await rig(steps, settings);
    const generated = await rig(steps, settings);
    const parts = await streamParts(streamed.model);
    const result = await generated.model.doGenerate({ prompt: userPrompt() });
    const finish = finishOf(parts);
    expect(withoutOrigin(result.content)).toEqual(withoutOrigin(contentOf(parts)));
    expect(result.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')).toBe(textOf(parts));
    expect(result).toMatchObject({
      finishReason: finish.finishReason,
      usage: finish.usage,
      providerMetadata: finish.providerMetadata,
    });
    const { type: _type, ...response } = partsOf(parts, 'response-metadata').at(-1) ?? { type: '' };
    expect(result.response).toMatchObject(response);
  });

  it('asks for the same, but for the stream flag', async () => {
    const settings = { tools: { add: adder().add } };
    const streamed = await rig(steps, settings);
    const generated = await rig(steps, settings);
    await streamParts(streamed.model);
    await generated.model.doGenerate({ prompt: userPrompt() });
    expect(generated.requests.map(bodyWithoutStream)).toEqual(streamed.requests.map(bodyWithoutStream));
    expect(generated.requests.map((request) => request.body['stream'])).toEqual(steps.map(() => false));
  });
});
