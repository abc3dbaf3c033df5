import { generateText, stepCountIs, streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import type { ResponseDescription } from 'responses-loop/testing';
import { reply, type Rig, rig, says } from '../acceptance/support/rig.js';
import { adder } from '../acceptance/support/tools.js';
import { fullPartsOf, type Loose, showsAll, tokensOf } from './support/sdk.js';

const add = (a: number, callId: string) => ({ type: 'call', name: 'add', arguments: { a, b: 1 }, callId }) as const;
const text = (said: string) => ({ type: 'text', text: said }) as const;

const threeRounds: readonly ResponseDescription[] = [
  {
    id: 'resp_1',
    output: [{ type: 'reasoning', summary: ['I add.'], encrypted: 'sealed' }, text('First. '), add(1, 'call_1')],
  },
  { id: 'resp_2', output: [text('Second. '), add(2, 'call_2')] },
  says('resp_3', 'Done.'),
];

/** Servers that count their ids anew in every response. */
const sameIds: readonly ResponseDescription[] = [
  { id: 'resp_0', output: [{ ...text('First. '), id: 'msg_0' }, add(1, 'call_0')] },
  { id: 'resp_0', output: [{ ...text('Second. '), id: 'msg_0' }, add(2, 'call_0')] },
  { id: 'resp_0', output: [{ ...text('Done.'), id: 'msg_0' }] },
];

const play = (rounds: readonly ResponseDescription[]): Promise<Rig> =>
  rig(rounds.map(reply), { tools: { add: adder().add } });

/** Types in order, deltas left out. */
const shape = (parts: readonly { readonly type: string }[]): string[] =>
  parts.map(({ type }) => type).filter((type) => !type.endsWith('-delta'));

/** Order is told without the ends of texts: what a round withheld travels on one, so it waits for the round's calls. */
const order = (parts: readonly { readonly type: string }[]): string[] =>
  shape(parts).filter((type) => type !== 'text-end');

const toolSpan = showsAll ? ['tool-input-start', 'tool-input-end', 'tool-call', 'tool-result'] : [];

describe('the parts of a call of several rounds', () => {
  it('come in order: one start, each text before the calls of its round, each result after its call, one finish', async () => {
    const { model } = await play(threeRounds);
    const parts = await fullPartsOf(streamText({ model, prompt: 'Add.' }));
    expect(order(parts)).toEqual([
      'start',
      'start-step',
      'reasoning-start',
      'reasoning-end',
      'text-start',
      ...toolSpan,
      'text-start',
      ...toolSpan,
      'text-start',
      'finish-step',
      'finish',
    ]);
  });

  it('never have two texts open, and no result comes before the text of its round is closed', async () => {
    const { model } = await play(threeRounds);
    const seen = shape(await fullPartsOf(streamText({ model, prompt: 'Add.' })));
    const spans = seen.filter((type) => ['text-start', 'text-end', 'tool-result'].includes(type));
    const result = showsAll ? ['tool-result'] : [];
    const said = ['text-start', 'text-end'];
    expect(spans).toEqual([...said, ...result, ...said, ...result, ...said]);
  });

  it('make one step: text in order, usage of all rounds, id of the last response', async () => {
    for (const road of ['stream', 'generate'] as const) {
      const { model, requests } = await play(threeRounds);
      const finished: string[] = [];
      const onStepFinish = ({ text: said }: { text: string }): void => void finished.push(said);
      const options = { model, prompt: 'Add.', stopWhen: stepCountIs(5), onStepFinish };
      const result = road === 'stream' ? streamText(options) : await generateText(options);
      const steps = await result.steps;
      expect(steps).toHaveLength(1);
      expect(steps[0]?.text).toBe('First. Second. Done.');
      expect(steps[0]?.reasoningText).toBe('I add.');
      expect(await result.text).toBe('First. Second. Done.');
      expect(tokensOf(await result.usage)).toMatchObject({ input: 30, output: 15, total: 45 });
      expect((await result.response).id).toBe('resp_3');
      expect([finished, requests.length]).toEqual([['First. Second. Done.'], 3]);
    }
  });

  it('tell each round in the metadata, and the last response as the stock provider would', async () => {
    const { model } = await play(threeRounds);
    const { providerMetadata } = await generateText({ model, prompt: 'Add.' });
    expect(providerMetadata).toMatchObject({
      openai: { responseId: 'resp_3' },
      'responses-loop': {
        rounds: [
          { responseId: 'resp_1', calls: [{ callId: 'call_1', name: 'add' }] },
          { responseId: 'resp_2', calls: [{ callId: 'call_2', name: 'add' }] },
          { responseId: 'resp_3', calls: [] },
        ],
      },
    });
  });

  it.each([
    ['ids of their own', threeRounds],
    ['the same ids in every response', sameIds],
  ])('have ids of which none comes twice: %s', async (_name, rounds) => {
    const { model } = await play(rounds);
    const parts = await fullPartsOf(streamText({ model, prompt: 'Add.' }));
    const started = parts.filter(({ type }) => type === 'text-start').map((part) => part['id']);
    const called = parts.filter(({ type }) => type === 'tool-call').map((part) => part['toolCallId']);
    expect(started).toHaveLength(3);
    expect(new Set(started).size).toBe(3);
    expect(called).toHaveLength(showsAll ? 2 : 0);
    expect(new Set(called).size).toBe(called.length);
    expect(parts.filter(({ type }) => type === 'error')).toEqual([]);
  });

  it('are the same on both roads', async () => {
    const streamed = await play(threeRounds);
    const generated = await play(threeRounds);
    const inStream = await streamText({ model: streamed.model, prompt: 'Add.' }).content;
    const { content } = await generateText({ model: generated.model, prompt: 'Add.' });
    const plain = (parts: readonly object[]): unknown =>
      (parts as readonly Loose[]).map(({ type, text: said, input, output }) => ({ type, said, input, output }));
    expect(plain(content)).toEqual(plain(inStream));
  });
});
