import { streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import { createResponsesProvider as createV2 } from 'responses-loop';
import { createResponsesProvider as createV3 } from 'responses-loop/v3';
import { createResponsesProvider as createV4 } from 'responses-loop/v4';
import { responseEvents, type ScriptedEvent, type ScriptedStep } from 'responses-loop/testing';
import { brokenRules, finishOf, partsOf, streamParts, textOf } from '../acceptance/support/parts.js';
import { calls, reply, rig, rigOf, says } from '../acceptance/support/rig.js';
import { adder } from '../acceptance/support/tools.js';
import { outline, outputs } from '../acceptance/support/wire.js';
import { stream, textOf as textOfTalk } from '../provider/support/talk.js';
import { fallbackRig } from '../sdks/support/fallback.js';
import { rig as socketRig, waysOf } from '../transport/sockets/rig.js';

const ON = { retry: { maxContinuations: 1 } };
const ANSWER = 'Herons wait in the reeds.';

function half(id: string): ScriptedEvent[] {
  const events = responseEvents({ id, output: [{ type: 'text', text: ['Herons wait ', 'in the reeds.'] }] });
  return events.slice(
    0,
    events.findLastIndex(({ type }) => type === 'response.output_text.delta'),
  );
}

const broken: ScriptedStep = { events: half('resp_1'), ending: 'reset' };

describe('a text that broke off goes on', () => {
  it.each([
    ['V2', createV2],
    ['V3', createV3],
    ['V4', createV4],
  ])('in a %s model', async (_name, create) => {
    const { model } = await rigOf(create as typeof createV2, [broken, reply(says('resp_2', ANSWER))], ON);
    const parts = await streamParts(model);
    expect([brokenRules(parts), partsOf(parts, 'error'), textOf(parts)]).toEqual([[], [], ANSWER]);
    expect(partsOf(parts, 'text-start')).toHaveLength(2);
    expect(JSON.stringify(finishOf(parts).finishReason)).toContain('stop');
  });

  it('under the stock provider', async () => {
    const failed: ScriptedStep = [...half('resp_1'), { type: 'error', code: 'server_error', message: 'Down.' }];
    const { model, requests } = await fallbackRig([failed, reply(says('resp_2', ANSWER))], {
      useStock: true,
      settings: ON,
    });
    const result = streamText({ model, prompt: 'Go on.' });
    expect(await result.text).toBe(ANSWER);
    expect(outline(requests[1]).slice(0, 2)).toEqual(['user Go on.', 'says Herons wait ']);
  });

  it('over a socket that closed, with the whole conversation over another one', async () => {
    const model = (context: readonly Readonly<Record<string, unknown>>[]) => [
      {
        type: 'text' as const,
        text: context.some(({ role }) => role === 'assistant') ? ANSWER : ['Herons wait ', 'in'],
      },
    ];
    const breaks = ({ play, socket }: { play: (count: number) => void; socket: { terminate: () => void } }) => {
      play(5);
      setTimeout(() => socket.terminate(), 50);
    };
    await using talk = await socketRig({ model, faults: { 0: breaks } }, ON);
    expect(textOfTalk(await stream(talk))).toBe(ANSWER);
    expect(waysOf(talk)).toEqual(['socket whole', 'socket whole']);
  });

  it('with stored responses: what broke off is not continued by its id, and what came before it is', async () => {
    const steps: ScriptedStep[] = [
      reply(calls('resp_1', ['add', { a: 1, b: 2 }, 'call_1'])),
      { events: half('resp_2'), ending: 'reset' },
      reply({ ...calls('resp_3', ['add', { a: 2, b: 2 }, 'call_2']) }),
      reply(says('resp_4', 'Four.')),
    ];
    const { model, requests } = await rig(steps, { ...ON, backend: 'openai', tools: { add: adder().add } });
    const options = { providerOptions: { openai: { store: true, previousResponseId: 'resp_0' } } };
    expect(textOf(await streamParts(model, options))).toBe('Herons wait Four.');
    expect(requests.map(({ body }) => body['previous_response_id'])).toEqual(['resp_0', 'resp_1', 'resp_0', 'resp_3']);
    expect(outline(requests[2]).slice(0, 4)).toEqual(['user Hello', 'call add', 'output 3', 'says Herons wait ']);
    expect(outputs(requests[3])).toEqual([['call_2', '4']]);
  });

  it('in a later round, as the same round to prepareRound and steering', async () => {
    const seen: number[] = [];
    const steps: ScriptedStep[] = [
      reply(calls('resp_1', ['add', { a: 1, b: 2 }, 'call_1'])),
      { events: half('resp_2'), ending: 'reset' },
      reply(says('resp_3', ANSWER)),
    ];
    const { model, requests } = await rig(steps, {
      ...ON,
      tools: { add: adder().add },
      prepareRound: ({ roundNumber }) => {
        seen.push(roundNumber);
        return { addMessages: ['Hurry.'], activeTools: [] };
      },
    });
    expect(textOf(await streamParts(model))).toBe(ANSWER);
    expect(seen).toEqual([1]);
    expect(requests.map(({ body }) => body['tools'] !== undefined)).toEqual([true, false, false]);
    expect(outline(requests[2]).filter((item) => item === 'user Hurry.')).toHaveLength(1);
  });

  it('keeps a forced tool choice that broke off before its call', async () => {
    const { model, requests } = await rig(
      [broken, reply(calls('resp_2', ['add', { a: 1, b: 2 }, 'call_1'])), reply(says('resp_3', '3'))],
      { ...ON, tools: { add: adder().add } },
    );
    await streamParts(model, { toolChoice: { type: 'required' } });
    expect(requests.map(({ body }) => body['tool_choice'])).toEqual(['required', 'required', undefined]);
  });
});
