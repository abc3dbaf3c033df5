import { generateText, stepCountIs, streamText, type ToolSet } from 'ai';
import { describe, expect, it } from 'vitest';
import type { ResponsesProviderSettings } from 'responses-loop';
import { calls, reply, type Rig, rig, says } from '../acceptance/support/rig.js';
import { adder, toolOf } from '../acceptance/support/tools.js';
import { offered } from '../acceptance/support/wire.js';
import { fullPartsOf, type Loose, sdk, showsAll } from './support/sdk.js';

const ROADS = ['stream', 'generate'] as const;

const rounds = [
  reply({
    id: 'resp_1',
    output: [
      { type: 'text', text: 'Adding.' },
      { type: 'call', name: 'add', arguments: { a: 2, b: 3 }, callId: 'call_1' },
    ],
  }),
  reply(says('resp_2', 'Five.')),
];

/** The parts of a turn on either road; what a stream reports besides. */
async function play(
  road: (typeof ROADS)[number],
  { model }: Rig,
  tools?: ToolSet,
): Promise<{ steps: number; text: string; finishReason: string; content: Loose[]; errors: unknown[] }> {
  const errors: unknown[] = [];
  // More steps are allowed: none may be taken because of a loop tool.
  const options = { model, prompt: 'Add.', stopWhen: stepCountIs(5), ...(tools === undefined ? {} : { tools }) };
  if (road === 'generate') {
    const { steps, text, finishReason } = await generateText(options);
    return { steps: steps.length, text, finishReason, content: toolParts(steps), errors };
  }
  const result = streamText({ ...options, onError: ({ error }) => void errors.push(error) });
  errors.push(...(await fullPartsOf(result)).filter((part) => part.type === 'error'));
  const steps = await result.steps;
  const [text, finishReason] = [await result.text, await result.finishReason];
  return { steps: steps.length, text, finishReason, content: toolParts(steps), errors };
}

function toolParts(steps: readonly { readonly content: readonly object[] }[]): Loose[] {
  return steps
    .flatMap(({ content }) => content as readonly Loose[])
    .filter(({ type }) => String(type).startsWith('tool-'));
}

const shown = [
  { type: 'tool-call', toolName: 'add', toolCallId: 'call_1', input: { a: 2, b: 3 }, providerExecuted: true },
  { type: 'tool-result', toolName: 'add', toolCallId: 'call_1', input: { a: 2, b: 3 }, output: '5' },
];

describe.each(ROADS)('loop tools on the %s road', (road) => {
  const withAdd = (settings: ResponsesProviderSettings = {}): Promise<Rig> => rig(rounds, settings);

  it('a loop tool that is not in `tools` makes no invalid call, no further step and no error', async () => {
    const { add, runs } = adder();
    const played = await withAdd({ tools: { add } });
    const { steps, text, finishReason, content, errors } = await play(road, played);
    expect([steps, text, finishReason, errors]).toEqual([1, 'Adding.Five.', 'stop', []]);
    expect([runs.length, played.requests.length]).toEqual([1, 2]);
    expect(content.filter((part) => part['invalid'] === true)).toEqual([]);
  });

  it('its call and result are shown with V3 and V4, as of a dynamic tool, and withheld with V2', async () => {
    const { content } = await play(road, await withAdd({ tools: { add: adder().add } }));
    expect(content).toMatchObject(showsAll ? shown : []);
    expect(content.map((part) => part['dynamic'])).toEqual(showsAll ? [true, true] : []);
  });

  // `ai` 5 takes a call of a tool it was not given for a mistake.
  it.runIf(sdk > 5)('toolParts all shows them with every specification', async () => {
    const { content, steps, errors } = await play(
      road,
      await withAdd({ tools: { add: adder().add }, toolParts: 'all' }),
    );
    expect(content).toMatchObject(shown);
    expect([steps, errors]).toEqual([1, []]);
  });

  it('toolParts none hides them with every specification', async () => {
    const { content, text } = await play(road, await withAdd({ tools: { add: adder().add }, toolParts: 'none' }));
    expect([content, text]).toEqual([[], 'Adding.Five.']);
  });

  it('provider.tools() as `tools` shows them everywhere, and offers each tool once', async () => {
    const { add, runs } = adder();
    const played = await withAdd({ tools: { add } });
    const { content, steps, errors } = await play(road, played, await played.provider.tools());
    expect(content).toMatchObject(shown);
    expect([steps, errors, runs.length]).toEqual([1, [], 1]);
    expect(played.requests.map(offered)).toEqual([['add'], ['add']]);
  });

  it('a subset of provider.tools(), or activeTools, offers those tools alone', async () => {
    const { add, runs } = adder();
    const played = await withAdd({ tools: { add, other: toolOf(() => 'x') } });
    const { add: stub } = await played.provider.tools();
    await play(road, played, { add: stub } as ToolSet);
    expect(played.requests.map(offered)).toEqual([['add'], ['add']]);
    const narrowed = await rig([reply(says('resp_1', 'Hi.'))], { tools: { add, other: toolOf(() => 'x') } });
    const tools: ToolSet = await narrowed.provider.tools();
    await generateText({ model: narrowed.model, tools, activeTools: ['other'], prompt: 'Hello.' });
    expect(narrowed.requests.map(offered)).toEqual([['other']]);
    expect(runs).toHaveLength(1);
  });

  it('parts tell server, title and annotations of their tool', async () => {
    const { add } = adder({ title: 'Add numbers', readOnly: true });
    const played = await withAdd({ tools: { add } });
    const { content } = await play(road, played, await played.provider.tools());
    const facts = { server: 'local', name: 'add', title: 'Add numbers', annotations: { readOnlyHint: true } };
    expect(content[0]?.['providerMetadata']).toMatchObject({ 'responses-loop': { tool: facts } });
    expect(content[0]?.['toolMetadata']).toEqual(sdk > 5 ? facts : undefined);
  });

  it('a loop tool that fails is a tool-error, with provider.tools() everywhere', async () => {
    const broken = toolOf(() => Promise.reject(new Error('disk full')));
    const played = await rig([reply(calls('resp_1', ['broken', {}, 'call_1'])), reply(says('resp_2', 'Sorry.'))], {
      tools: { broken },
    });
    const { content, steps, text } = await play(road, played, await played.provider.tools());
    expect(content).toMatchObject([
      { type: 'tool-call', toolName: 'broken', input: {} },
      { type: 'tool-error', toolName: 'broken', toolCallId: 'call_1', error: 'disk full', providerExecuted: true },
    ]);
    expect([steps, text]).toEqual([1, 'Sorry.']);
  });

  it('arguments that are no JSON make neither an invalid call nor a further step', async () => {
    const played = await rig([reply(calls('resp_1', ['add', '{"a":', 'call_1'])), reply(says('resp_2', 'Sorry.'))], {
      tools: { add: adder().add },
    });
    const { content, steps, errors } = await play(road, played, await played.provider.tools());
    expect(content.map((part) => [part['type'], part['invalid'] ?? false])).toEqual([
      ['tool-call', false],
      ['tool-error', false],
    ]);
    expect([steps, errors]).toEqual([1, []]);
  });

  it('a call of a tool nobody has is answered by the loop, and is no error of the SDK', async () => {
    const played = await rig([reply(calls('resp_1', ['nobody', {}, 'call_1'])), reply(says('resp_2', 'Sorry.'))], {
      tools: { add: adder().add },
    });
    const { steps, text, errors } = await play(road, played);
    expect([steps, text, errors]).toEqual([1, 'Sorry.', []]);
  });
});
