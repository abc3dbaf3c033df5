import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import type { createResponsesProvider } from 'responses-loop';
import { type ResponseDescription, responseEvents, type ScriptedStep } from 'responses-loop/testing';
import { calls, reply, replyTo, says } from '../acceptance/support/rig.js';
import { adder, signalTower, toolOf } from '../acceptance/support/tools.js';
import { outputs } from '../acceptance/support/wire.js';
import { played, recorded } from './support/recording.js';

const ask = (provider: ReturnType<typeof createResponsesProvider>) =>
  generateText({ model: provider('m-1'), prompt: 'Go.', maxRetries: 0 });

type Output = NonNullable<ResponseDescription['output']>[number];

const slowCall: Output = {
  type: 'item',
  item: {
    id: 'fc_1',
    type: 'function_call',
    status: 'completed',
    call_id: 'call_slow',
    name: 'slow',
    arguments: '{}',
    async: true,
  },
};

describe('replayEvents, of a run with a function that ran on', () => {
  it('answers its call with the output that came some rounds later', async () => {
    const free = signalTower();
    const tools = { add: adder().add, slow: toolOf(() => free.reached.then(() => 'slow'), { async: true }) };
    const steps: ScriptedStep[] = [
      reply({ id: 'r1', output: [slowCall, { type: 'call', name: 'add', arguments: { a: 1, b: 2 } }] }),
      (request) => {
        free.reach();
        return replyTo(request, says('r2', 'I wait.'));
      },
      reply(says('r3', 'Done.')),
    ];
    const file = await recorded(steps, { backend: 'openai', tools }, ask);
    const again = [reply(calls('r1', ['slow', {}], ['add', { a: 1, b: 2 }])), reply(says('r2', 'Done.'))];
    const { replay, fetch } = await played(file, again);
    expect(outputs(fetch.requests[1]).map(([, output]) => output)).toEqual(['slow', '3']);
    replay.assertSame();
  });
});

const ANSWER = 'The lighthouse stands at the end of the pier, and its lamp is lit at dusk.';

/** The events of a response that breaks off behind a part of its text. */
function cutAt(length: number): ScriptedStep {
  const output: Output[] = [{ type: 'text', text: [ANSWER.slice(0, length), ANSWER.slice(length)] }];
  const events = responseEvents({ id: 'r1', output });
  const at = events.findLastIndex((event) => event.type === 'response.output_text.delta');
  return { events: events.slice(0, at), ending: 'reset' };
}

describe('replayEvents, of a run in which a stream broke off and the model went on', () => {
  const retry = { maxContinuations: 1 };

  it.each([
    ['the words that follow', ANSWER.slice(40)],
    ['the last words again', ANSWER.slice(20)],
  ])('compares the whole answer, and asks for no rest: %s', async (_, rest) => {
    const file = await recorded([cutAt(40), reply(says('r2', rest))], { retry }, ask);
    const { replay, fetch } = await played(file, [reply(says('r1', ANSWER))]);
    expect(fetch.requests).toHaveLength(1);
    expect(replay.calls[0]?.recorded).toMatchObject({ answer: ANSWER, rounds: 1 });
    replay.assertSame();
  });

  it('goes on with calls behind the break, and with what came before each round', async () => {
    const tools = { add: adder().add };
    const prepareRound = ({ roundNumber }: { roundNumber: number }) =>
      roundNumber === 0 ? undefined : { addMessages: ['Be brief.'] };
    const rest: Output[] = [
      { type: 'text', text: ANSWER.slice(40) },
      { type: 'call', name: 'add', arguments: { a: 1, b: 2 } },
    ];
    const steps = [cutAt(40), reply({ id: 'r2', output: rest }), reply(says('r3', 'Three.'))];
    const file = await recorded(steps, { retry, tools, prepareRound }, ask);
    const whole: Output[] = [
      { type: 'text', text: ANSWER },
      { type: 'call', name: 'add', arguments: { a: 1, b: 2 } },
    ];
    const { replay, fetch } = await played(file, [reply({ id: 'r1', output: whole }), reply(says('r2', 'Three.'))]);
    replay.assertSame();
    const brief = fetch.requests.map(({ input }) => JSON.stringify(input).includes('Be brief.'));
    expect(brief).toEqual([false, true]);
  });
});
