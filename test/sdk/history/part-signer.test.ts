import { describe, expect, it } from 'vitest';
import { createResponsesProvider } from 'responses-loop/v3';
import { HistorySeal, PartSigner } from '../../../src/sdk/history/part-signer.js';
import { HmacKey } from '../../../src/util/hash.js';
import { streamParts, userPrompt } from '../../acceptance/support/parts.js';
import { calls, reply, rigOf, says } from '../../acceptance/support/rig.js';
import { adder } from '../../acceptance/support/tools.js';

const historySecret = 'a secret of sixteen';
const own = (members: object) => ({ providerMetadata: { 'responses-loop': members } });

describe('parts on their way out, with a secret', () => {
  it('wait for nothing but where there is something to sign', async () => {
    const signer = new PartSigner(new HistorySeal(new HmacKey(historySecret)));
    const plain = [
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'Hi' },
      { type: 'tool-call', toolCallId: 'c', toolName: 'n', input: '{}', ...own({ phase: 'commentary' }) },
    ];
    expect(signer.sign(plain)).toEqual(plain);
    const signed = signer.sign([{ type: 'text-end', id: 't', ...own({ itemId: 'm' }) }]);
    expect(signed).toBeInstanceOf(Promise);
    expect(await signed).toMatchObject([own({ itemId: 'm', sig: expect.stringMatching(/^[\da-f]{64}$/) })]);
  });

  it.each(['all', 'none'] as const)(
    'are the same and in the same order as without it, but for signatures (%s)',
    async (toolParts) => {
      const parts = async (settings: object) => {
        const { add } = adder();
        const steps = [calls('resp_1', ['add', { a: 1, b: 2 }, 'call_1']), says('resp_2', 'Three.')].map(reply);
        const { model } = await rigOf(createResponsesProvider, steps, { tools: { add }, toolParts, ...settings });
        return streamParts(model, { prompt: userPrompt() });
      };
      const signed = await parts({ historySecret });
      const text = JSON.stringify(signed);
      expect(text.match(/"sig":"[\da-f]{64}"/g)?.length).toBeGreaterThan(0);
      const isStart = ({ type }: { type: string }): boolean => type.endsWith('-start') && type !== 'stream-start';
      const shapes = (all: readonly { type: string }[]): unknown =>
        JSON.parse(
          JSON.stringify(all.map((part) => (isStart(part) ? { type: part.type } : part))).replaceAll(
            /,?"sig":"[\da-f]{64}"/g,
            '',
          ),
        );
      expect(shapes(signed)).toEqual(shapes(await parts({})));
    },
  );

  it('have the signature of the whole text where a stream was cut into many deltas', async () => {
    const seal = new HistorySeal(new HmacKey(historySecret));
    const signer = new PartSigner(seal);
    const parts = [
      { type: 'text-start', id: 't', ...own({ itemId: 'm' }) },
      ...['Three', ' words', ' here'].map((delta) => ({ type: 'text-delta', id: 't', delta })),
      { type: 'text-end', id: 't', ...own({ itemId: 'm' }) },
    ];
    const [start, ...rest] = (await signer.sign(parts)) as typeof parts;
    expect(start).toEqual({ type: 'text-start', id: 't' });
    const end = rest.at(-1) as { providerMetadata?: object };
    const part = { type: 'text', text: 'Three words here', providerOptions: end.providerMetadata };
    const moved = { ...part, text: 'Other words' };
    const found = await seal.signedParts([{ role: 'assistant', content: [part, moved] }]);
    expect([found.has(part), found.has(moved)]).toEqual([true, false]);
  });

  it('a history too deep to be ours is looked at no further', async () => {
    const seal = new HistorySeal(new HmacKey(historySecret));
    const deep = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`) as object;
    const part = {
      type: 'text',
      text: 'x',
      providerOptions: { 'responses-loop': { carrier: deep, sig: '0'.repeat(64) } },
    };
    const deepText = { type: 'text', text: deep, providerOptions: { 'responses-loop': { sig: '0'.repeat(64) } } };
    const deepStock = {
      type: 'custom',
      kind: 'openai.compaction',
      providerOptions: { 'responses-loop': { sig: '0'.repeat(64) }, openai: { encryptedContent: deep } },
    };
    const content = [part, deepText, deepStock];
    expect((await seal.signedParts([{ role: 'assistant', content }])).size).toBe(0);
  });

  it.each(['azure', 'xai'])(
    'a summary under %s does not count with the signature of another beside it',
    async (name) => {
      const seal = new HistorySeal(new HmacKey(historySecret));
      const part = { type: 'custom', kind: 'openai.compaction' };
      const genuine = await seal.sign(part, {
        [name]: { encryptedContent: 'genuine' },
        'responses-loop': { itemId: 'c' },
      });
      const forged = { ...genuine, [name]: { encryptedContent: 'forged' }, openai: { encryptedContent: 'genuine' } };
      const [first, second] = [genuine, forged].map((providerOptions) => ({ ...part, providerOptions }));
      const found = await seal.signedParts([{ role: 'assistant', content: [first, second] }]);
      expect([...found]).toEqual([first]);
    },
  );
});
