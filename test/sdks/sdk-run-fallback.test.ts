import { generateText, stepCountIs, streamText, type ToolSet } from 'ai';
import { describe, expect, it } from 'vitest';
import type { ScriptedRequest, ScriptedStep } from 'responses-loop/testing';
import { calls, reply, says } from '../acceptance/support/rig.js';
import { adder, toolOf } from '../acceptance/support/tools.js';
import { offered, outline, outputs } from '../acceptance/support/wire.js';
import { add, asksUser, CHATS } from './support/approvals.js';
import { choicesIn, type FallbackRig, fallbackRig, type FallbackRigSettings } from './support/fallback.js';
import { fullPartsOf } from './support/sdk.js';

const down: ScriptedStep = { status: 500, json: { error: { message: 'down', code: 'server_error' } } };
const adds = reply(calls('resp_1', add(4, 'call_1')));
const five = reply(says('resp_2', 'Five.'));
const bye = reply(says('resp_3', 'Bye.'));
const once = { prompt: 'Add.', maxRetries: 0, stopWhen: stepCountIs(5) };

async function falling(
  steps: readonly ScriptedStep[],
  { settings, ...fallback }: FallbackRigSettings = {},
): Promise<FallbackRig & { readonly tools: ToolSet; readonly runs: unknown[] }> {
  const { add: own, runs } = adder();
  const ours = { add: own, clock: toolOf(() => 'noon') };
  const how: FallbackRigSettings = { useStock: false, fallOver: true, ...fallback };
  const played = await fallbackRig(steps, { settings: { tools: ours, ...settings }, ...how });
  return { ...played, tools: await played.provider.tools({ runBy: 'sdk' }), runs };
}

/** Names and forms of the tools as the server reads them, without what the two providers write differently. */
function functionsOf(request: ScriptedRequest | undefined): unknown[] {
  const tools = (request?.body['tools'] ?? []) as readonly Record<string, unknown>[];
  return tools.map(({ type, name, description, parameters }) => ({ type, name, description, parameters }));
}

describe('tools that the AI SDK runs, as the primary falls over', () => {
  it('are plain functions at the stock provider, run once, and the answer arrives', async () => {
    const { model, tools, runs, requests, events } = await falling([down, adds, five]);
    const { text, steps } = await generateText({ model, tools, ...once });
    expect([text, steps.length, runs]).toEqual(['Five.', 2, [{ a: 4, b: 1 }]]);
    expect(requests.map(offered)).toEqual([
      ['add', 'clock'],
      ['add', 'clock'],
      ['add', 'clock'],
    ]);
    expect(functionsOf(requests[1])).toEqual(functionsOf(requests[0]));
    expect(outline(requests[2])).toEqual(['user Add.', 'call add', 'output 5']);
    // The primary answers again from the second step on.
    expect(choicesIn(events)).toEqual(['primary: flag', 'stock: failure', 'primary: flag']);
  });

  it('run once, if it fails in the middle of the steps', async () => {
    const { model, tools, runs, requests, events } = await falling([adds, down, five]);
    const { text } = await generateText({ model, tools, ...once });
    expect([text, runs]).toEqual(['Five.', [{ a: 4, b: 1 }]]);
    expect(choicesIn(events)).toEqual(['primary: flag', 'primary: flag', 'stock: failure']);
    expect(outputs(requests[2])).toEqual([['call_1', '5']]);
    expect(outline(requests[2])).toEqual(outline(requests[1]));
  });

  it('show the same parts in a stream as without a failure', async () => {
    const told = await Promise.all(
      [
        [adds, five],
        [down, adds, five],
        [adds, down, five],
      ].map(async (steps) => {
        const { model, tools } = await falling(steps);
        const parts = await fullPartsOf(streamText({ model, tools, ...once }));
        return parts
          .filter(({ type }) => /^(tool-(call|result|error)|finish-step|error)$/.test(type))
          .map(({ type, toolName, input, output, dynamic }) => ({ type, toolName, input, output, dynamic }));
      }),
    );
    expect(told[0]?.map(({ type }) => type)).toContain('tool-result');
    expect(told[1]).toEqual(told[0]);
    expect(told[2]).toEqual(told[0]);
  });

  it('go to the stock provider at once, while the circuit is open', async () => {
    const fallOver = { failures: 1, restMs: 3_600_000 };
    const { model, tools, runs, requests, events } = await falling([down, adds, five], { fallOver });
    const { text } = await generateText({ model, tools, ...once });
    expect([text, runs, requests.length]).toEqual(['Five.', [{ a: 4, b: 1 }], 3]);
    expect(choicesIn(events)).toEqual(['primary: flag', 'stock: failure', 'stock: circuit']);
  });

  it('are narrowed for the stock provider as for the primary', async () => {
    const { model, tools, requests } = await falling([down, five, down, bye]);
    await generateText({ model, tools, activeTools: ['clock'], ...once });
    await generateText({ model, tools, activeTools: [], ...once });
    expect(requests.map(offered)).toEqual([['clock'], ['clock'], [], []]);
  });

  it.each(['model', 'sdk'] as const)('are run by the AI SDK alone, with runTools %s', async (runTools) => {
    const { model, tools, runs, requests } = await falling([down, adds, five, down, bye], { settings: { runTools } });
    const { steps } = await generateText({ model, tools, ...once });
    expect([steps.length, runs.length]).toEqual([2, 1]);
    // A call that brings none has those of the loop, unless they are the AI SDK's for good.
    await generateText({ model, ...once });
    const loop = runTools === 'model' ? ['add', 'clock'] : [];
    expect(requests.slice(3).map(offered)).toEqual([loop, loop]);
  });
});

describe.runIf(asksUser).each(Object.entries(CHATS))('an approval of such a tool, kept in %s', (_kept, road) => {
  it.each([
    ['by the primary, answered as it falls over', [adds, down, five]],
    ['as it falls over, answered by the primary', [down, adds, five]],
    ['and answered as it falls over', [down, adds, down, five]],
  ])('asked for %s, runs the call once', async (_name, steps) => {
    const played = await falling(steps, { settings: { approve: () => 'ask' } });
    const { tools, runs, requests } = played;
    const chat = road(played);
    expect(await chat.send({ tools, maxRetries: 0 })).toMatchObject({ asked: ['call_1'] });
    expect(runs).toEqual([]);
    chat.answer('call_1', { approved: true });
    expect(await chat.send({ tools, maxRetries: 0 })).toMatchObject({ text: 'Five.' });
    expect(runs).toEqual([{ a: 4, b: 1 }]);
    expect(outputs(requests.at(-1))).toEqual([['call_1', '5']]);
  });
});
