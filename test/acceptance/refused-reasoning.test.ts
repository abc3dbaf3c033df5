import type { LanguageModelV2CallOptions } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import type { ScriptedReply, ScriptedStep } from '../../src/testing.js';
import { finishOf, streamParts, textOf } from './support/parts.js';
import { reply, rig, says } from './support/rig.js';
import { adder } from './support/tools.js';
import { itemsOfType, outline } from './support/wire.js';
import { failureOf } from '../provider/support/talk.js';

const REFUSED: ScriptedReply = {
  status: 400,
  json: { error: { message: 'The encrypted content could not be verified.', code: 'invalid_encrypted_content' } },
};

function thinksAndCalls(id: string, sealed: string): ScriptedStep {
  return reply({
    id,
    output: [
      { type: 'reasoning', summary: [], encrypted: sealed },
      { type: 'call', name: 'add', arguments: { a: 1, b: 1 }, callId: `call_${id}` },
    ],
  });
}

/** A conversation with sealed reasoning of an earlier turn. */
const prompt: LanguageModelV2CallOptions['prompt'] = [
  { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
  {
    role: 'assistant',
    content: [
      {
        type: 'reasoning',
        text: '',
        providerOptions: { 'responses-loop': { reasoning: { kind: 'summary', encrypted: 'sealed-old' } } },
      },
      { type: 'text', text: 'Hello.' },
    ],
  },
  { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
];

const sealedIn = (request: Parameters<typeof itemsOfType>[0]): unknown[] =>
  itemsOfType(request, 'reasoning').map((item) => item['encrypted_content']);

describe('reasoning that a server will not take back', () => {
  it('is left out of this call, but not what the model thinks from now on', async () => {
    const { model, requests } = await rig(
      [
        REFUSED,
        thinksAndCalls('resp_1', 'sealed-1'),
        thinksAndCalls('resp_2', 'sealed-2'),
        reply(says('resp_3', 'Ok.')),
      ],
      { backend: 'openai', tools: { add: adder().add } },
    );
    const parts = await streamParts(model, { prompt });
    expect(textOf(parts)).toBe('Ok.');
    // One request more than rounds: nothing is refused twice.
    expect(requests.map(sealedIn)).toEqual([['sealed-old'], [], ['sealed-1'], ['sealed-1', 'sealed-2']]);
    expect(outline(requests[1])).toEqual(['user Hi', 'says Hello.', 'user Go.']);
    expect(finishOf(parts).providerMetadata?.['responses-loop']).toMatchObject({
      warnings: ['The server refuses the reasoning of earlier turns, so it was not sent.'],
    });
  });

  it('is sent again in the next call: it is a matter of the conversation', async () => {
    const hello = reply(says('resp_1', 'Hello.'));
    const { model, requests } = await rig([REFUSED, hello, hello], { backend: 'openai' });
    await streamParts(model, { prompt });
    await streamParts(model, { prompt });
    expect(requests.map(sealedIn)).toEqual([['sealed-old'], [], ['sealed-old']]);
  });

  it('is refused once a call: what the server then refuses of its own is left out as well, and no more', async () => {
    const { model, requests } = await rig(
      [REFUSED, thinksAndCalls('resp_1', 'sealed-1'), REFUSED, reply(says('resp_2', 'Ok.'))],
      { backend: 'openai', tools: { add: adder().add } },
    );
    expect(textOf(await streamParts(model, { prompt }))).toBe('Ok.');
    expect(requests.map(sealedIn)).toEqual([['sealed-old'], [], ['sealed-1'], []]);
  });

  it('is an error when there is none in the request', async () => {
    const { model, requests } = await rig([REFUSED], { backend: 'openai' });
    expect(await failureOf(model.doStream({ prompt: prompt.slice(0, 1) }))).toMatchObject({ statusCode: 400 });
    expect(requests).toHaveLength(1);
  });
});
