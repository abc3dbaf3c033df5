import { generateText, stepCountIs } from 'ai';
import { describe, expect, it } from 'vitest';
import type { ScriptedStep } from 'responses-loop/testing';
import { calls, reply, replyTo, rig, says } from '../acceptance/support/rig.js';
import { signalTower, toolOf } from '../acceptance/support/tools.js';
import { outputs } from '../acceptance/support/wire.js';
import { fallbackRig } from './support/fallback.js';

const report = () => toolOf(() => 'the report', { async: true });
const ask = { prompt: 'Write it.', maxRetries: 0, stopWhen: stepCountIs(5) };

/** A call that the server marks as one that may stay open. */
const marked: ScriptedStep = reply({
  id: 'resp_1',
  output: [
    {
      type: 'item',
      item: {
        id: 'fc_1',
        type: 'function_call',
        status: 'completed',
        call_id: 'call_1',
        name: 'report',
        arguments: '{}',
        async: true,
      },
    },
    { type: 'call', name: 'clock', arguments: {}, callId: 'call_2' },
  ],
});
const clock = () => toolOf(() => 'noon');

describe('an async function', () => {
  it('runs on inside the model while this AI SDK sees one step with the last answer', async () => {
    const [free, over] = [signalTower(), signalTower()];
    const { model, requests } = await rig(
      [
        marked,
        async (request) => {
          free.reach();
          await over.reached;
          return replyTo(request, calls('resp_2', ['clock', {}, 'call_3']));
        },
        reply(says('resp_3', 'Done.')),
      ],
      {
        backend: 'openai',
        tools: { report: toolOf(() => free.reached.then(() => 'the report'), { async: true }), clock: clock() },
        onEvent: (event) => {
          if (event.type === 'tool-end' && event.tool === 'report') over.reach();
        },
      },
    );
    const { text, steps } = await generateText({ model, ...ask });
    expect([text, steps.length]).toEqual(['Done.', 1]);
    expect(requests.map(outputs)).toEqual([
      [],
      [['call_2', 'noon']],
      [
        ['call_2', 'noon'],
        ['call_3', 'noon'],
        ['call_1', 'the report'],
      ],
    ]);
  });

  it('is waited for by the AI SDK if that runs the tools', async () => {
    const { model, provider, requests } = await rig([marked, reply(says('resp_2', 'Done.'))], {
      backend: 'openai',
      tools: { report: report(), clock: clock() },
    });
    const tools = await provider.tools({ runBy: 'sdk' });
    const { text, steps } = await generateText({ model, tools, ...ask });
    expect([text, steps.length]).toEqual(['Done.', 2]);
    expect(new Map(outputs(requests[1]))).toEqual(
      new Map([
        ['call_1', 'the report'],
        ['call_2', 'noon'],
      ]),
    );
  });

  it('is waited for by the round under the stock provider', async () => {
    const steps = [
      reply(calls('resp_1', ['report', {}, 'call_1'], ['clock', {}, 'call_2'])),
      reply(says('resp_2', 'Done.')),
    ];
    const { model, useStock, requests } = await fallbackRig(steps, {
      settings: { tools: { report: report(), clock: clock() } },
    });
    useStock(true);
    expect((await generateText({ model, ...ask })).text).toBe('Done.');
    expect(outputs(requests[1])).toEqual([
      ['call_1', 'the report'],
      ['call_2', 'noon'],
    ]);
  });
});
