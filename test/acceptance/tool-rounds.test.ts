import { generateText, streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import type { ObserverEvent } from 'responses-loop';
import { responseEvents } from 'responses-loop/testing';
import { brokenRules, finishOf, partsOf, roundsOf, streamParts, textOf } from './support/parts.js';
import { calls, reply, rig, says } from './support/rig.js';
import { adder, toolOf } from './support/tools.js';
import { itemsOfType, outline, outputs } from './support/wire.js';

describe('several calls in one round', () => {
  it('calls whose argument deltas interleave are gathered apart and answered together in output order', async () => {
    const { add, runs } = adder();
    const first = calls(
      'resp_1',
      ['add', { a: 1, b: 1 }, 'call_a'],
      ['add', { a: 20, b: 22 }, 'call_b'],
      ['add', { a: 300, b: 3 }, 'call_c'],
    );
    const { model, requests } = await rig(
      [responseEvents({ ...first, interleaveCalls: true }), reply(says('resp_2', 'Done.'))],
      { tools: { add } },
    );
    expect(await streamText({ model, prompt: 'Add.' }).text).toBe('Done.');
    expect(runs).toEqual([
      { a: 1, b: 1 },
      { a: 20, b: 22 },
      { a: 300, b: 3 },
    ]);
    expect(outputs(requests[1])).toEqual([
      ['call_a', '2'],
      ['call_b', '42'],
      ['call_c', '303'],
    ]);
  });

  it('argument deltas that name only their item find its call', async () => {
    const { add } = adder();
    const events = responseEvents({
      ...calls('resp_1', ['add', { a: 1, b: 2 }, 'call_a'], ['add', { a: 3, b: 4 }, 'call_b']),
      interleaveCalls: true,
      status: 'none',
    });
    const nameless = events.map(({ output_index: index, ...event }) =>
      event.type.includes('arguments') ? event : { ...event, ...(index === undefined ? {} : { output_index: index }) },
    );
    const completed = responseEvents(
      calls('resp_1', ['add', { a: 1, b: 2 }, 'call_a'], ['add', { a: 3, b: 4 }, 'call_b']),
    ).at(-1);
    const { model, requests } = await rig(
      [[...nameless, ...(completed === undefined ? [] : [completed])], reply(says('resp_2', 'Done.'))],
      { tools: { add } },
    );
    await streamText({ model, prompt: 'Add.' }).text;
    expect(outputs(requests[1])).toEqual([
      ['call_a', '3'],
      ['call_b', '7'],
    ]);
  });

  it('calls run in output order even when the server finishes them in another', async () => {
    const { add, runs } = adder();
    const events = responseEvents({
      ...calls('resp_1', ['add', { a: 1, b: 1 }, 'call_a'], ['add', { a: 2, b: 2 }, 'call_b']),
      interleaveCalls: true,
    });
    const closesFirst = events.filter((event) => event['output_index'] === 0 && event.type.endsWith('.done'));
    const rest = events.filter((event) => !closesFirst.includes(event));
    const swapped = [...rest.slice(0, -1), ...closesFirst, ...rest.slice(-1)];
    const { model, requests } = await rig([swapped, reply(says('resp_2', 'Done.'))], { tools: { add } });
    await streamText({ model, prompt: 'Add.' }).text;
    expect(runs).toEqual([
      { a: 1, b: 1 },
      { a: 2, b: 2 },
    ]);
    expect(outputs(requests[1]).map(([callId]) => callId)).toEqual(['call_a', 'call_b']);
  });

  it('outputs stand in output order even when a later tool is done first', async () => {
    const order: string[] = [];
    let finishSlow = (): void => {};
    const slowMayEnd = new Promise<void>((resolve) => (finishSlow = resolve));
    const slow = toolOf(
      async () => {
        await slowMayEnd;
        order.push('slow');
        return 'slow result';
      },
      { readOnly: true },
    );
    const fast = toolOf(
      () => {
        order.push('fast');
        finishSlow();
        return 'fast result';
      },
      { readOnly: true },
    );
    const { model, requests } = await rig(
      [reply(calls('resp_1', ['slow', {}, 'call_1'], ['fast', {}, 'call_2'])), reply(says('resp_2', 'Done.'))],
      { tools: { slow, fast } },
    );
    await generateText({ model, prompt: 'Go.' });
    expect(order).toEqual(['fast', 'slow']);
    expect(outputs(requests[1])).toEqual([
      ['call_1', 'slow result'],
      ['call_2', 'fast result'],
    ]);
  });

  it('a tool gets the arguments of the done event, not of lossy deltas', async () => {
    const { add, runs } = adder();
    const events = responseEvents(calls('resp_1', ['add', { a: 12_345, b: 67_890 }]));
    const lossy = events.filter((event, at) => event.type !== 'response.function_call_arguments.delta' || at % 2 === 0);
    const { model } = await rig([lossy, reply(says('resp_2', '80235.'))], { tools: { add } });
    await streamText({ model, prompt: 'Add.' }).text;
    expect(runs).toEqual([{ a: 12_345, b: 67_890 }]);
  });
});

describe('several rounds', () => {
  it('calls in each of several rounds: every request holds all calls and outputs so far, in order', async () => {
    const { add } = adder();
    const { model, requests } = await rig(
      [
        reply(calls('resp_1', ['add', { a: 1, b: 1 }], ['add', { a: 2, b: 2 }])),
        reply(calls('resp_2', ['add', { a: 3, b: 3 }])),
        reply(calls('resp_3', ['add', { a: 4, b: 4 }], ['add', { a: 5, b: 5 }])),
        reply(says('resp_4', 'Done.')),
      ],
      { tools: { add } },
    );
    expect(await streamText({ model, prompt: 'Add.' }).text).toBe('Done.');
    expect(outputs(requests[3]).map(([, output]) => output)).toEqual(['2', '4', '6', '8', '10']);
    expect(itemsOfType(requests[3], 'function_call')).toHaveLength(5);
    for (const [at, request] of requests.entries()) {
      expect(JSON.stringify(request.input)).toContain(
        JSON.stringify(requests[Math.max(0, at - 1)]?.input).slice(1, -1),
      );
    }
  });

  it('text before a call does not end the loop; the text of all rounds is one stream', async () => {
    const { add } = adder();
    const { model } = await rig(
      [
        reply({
          id: 'resp_1',
          output: [
            { type: 'text', text: 'Let me add. ' },
            { type: 'call', name: 'add', arguments: { a: 1, b: 1 } },
          ],
        }),
        reply({
          id: 'resp_2',
          output: [
            { type: 'text', text: 'Once more. ' },
            { type: 'call', name: 'add', arguments: { a: 2, b: 2 } },
          ],
        }),
        reply(says('resp_3', 'Two and four.')),
      ],
      { tools: { add } },
    );
    const parts = await streamParts(model);
    expect(textOf(parts)).toBe('Let me add. Once more. Two and four.');
    expect(brokenRules(parts)).toEqual([]);
    expect(new Set(partsOf(parts, 'text-start').map((part) => part.id)).size).toBe(3);
  });

  it('a call counts although the server said that the response is about something else', async () => {
    const { add, runs } = adder();
    const events = responseEvents(calls('resp_1', ['add', { a: 1, b: 1 }])).map((event) =>
      event.type === 'response.completed'
        ? { ...event, response: { ...(event['response'] as object), status: 'in_progress', output: [] } }
        : event,
    );
    const { model } = await rig([events, reply(says('resp_2', 'Two.'))], { tools: { add } });
    expect(await streamText({ model, prompt: 'Add.' }).text).toBe('Two.');
    expect(runs).toHaveLength(1);
  });

  it('a conversation of 25 rounds loses nothing and stalls nowhere', async () => {
    const { add, runs } = adder();
    const rounds = Array.from({ length: 25 }, (_, at) => reply(calls(`resp_${at}`, ['add', { a: at, b: 0 }])));
    const { model, requests } = await rig([...rounds, reply(says('resp_end', 'All added.'))], {
      tools: { add },
      maxRounds: 30,
    });
    const parts = await streamParts(model);
    expect(textOf(parts)).toBe('All added.');
    expect(runs).toHaveLength(25);
    expect(outputs(requests[25]).map(([, output]) => output)).toEqual(
      Array.from({ length: 25 }, (_, at) => String(at)),
    );
    expect(finishOf(parts).usage).toMatchObject({ inputTokens: 260, outputTokens: 130, totalTokens: 390 });
    expect(roundsOf(parts)).toHaveLength(26);
  });
});

describe('the limit', () => {
  it('at maxRounds exactly one closing request forbids tools, keeps them in place, and its answer is the answer', async () => {
    const { add, runs } = adder();
    const { model, requests } = await rig(
      [
        reply(calls('resp_1', ['add', { a: 1, b: 1 }])),
        reply(calls('resp_2', ['add', { a: 2, b: 2 }])),
        reply(says('resp_3', 'So far: 4.')),
      ],
      { tools: { add }, maxRounds: 2 },
    );
    const parts = await streamParts(model);
    expect(textOf(parts)).toBe('So far: 4.');
    expect(runs).toHaveLength(2);
    expect(requests.map((request) => request.body['tool_choice'])).toEqual([undefined, undefined, 'none']);
    expect(requests[2]?.body['tools']).toEqual(requests[0]?.body['tools']);
    expect(finishOf(parts).finishReason).toBe('stop');
    expect(finishOf(parts).providerMetadata?.['responses-loop']?.['warnings']).toEqual([
      expect.stringContaining('maxRounds (2)'),
    ]);
  });

  it('by default the twenty-first request is the closing one', async () => {
    const { add, runs } = adder();
    const rounds = Array.from({ length: 20 }, (_, at) => reply(calls(`resp_${at}`, ['add', { a: at, b: 0 }])));
    const { model, requests } = await rig([...rounds, reply(says('resp_end', 'Enough.'))], { tools: { add } });
    expect((await generateText({ model, prompt: 'Add.' })).text).toBe('Enough.');
    expect(runs).toHaveLength(20);
    expect(requests.filter((request) => request.body['tool_choice'] === 'none')).toHaveLength(1);
  });

  it('where the back end wants it so, the closing request comes without tools', async () => {
    const { add } = adder();
    const { model, requests } = await rig(
      [reply(calls('resp_1', ['add', { a: 1, b: 1 }])), reply(says('resp_2', 'Two.'))],
      {
        tools: { add },
        maxRounds: 1,
        backend: 'ollama',
      },
    );
    await streamParts(model);
    expect(requests[0]?.body['tools']).toHaveLength(1);
    expect(requests[1]?.body).not.toHaveProperty('tools');
    expect(requests[1]?.body).not.toHaveProperty('tool_choice');
  });

  it('a model that calls all the same in the closing round is not obeyed and not asked again', async () => {
    const { add, runs } = adder();
    const { model } = await rig(
      [reply(calls('resp_1', ['add', { a: 1, b: 1 }])), reply(calls('resp_2', ['add', { a: 2, b: 2 }]))],
      {
        tools: { add },
        maxRounds: 1,
        toolParts: 'all',
      },
    );
    const parts = await streamParts(model);
    expect(runs).toEqual([{ a: 1, b: 1 }]);
    expect(brokenRules(parts)).toEqual([]);
    expect(partsOf(parts, 'tool-result').map((part) => [part.result, part.isError ?? false])).toEqual([
      ['2', false],
      ['Not run: the model was asked to answer without tools.', true],
    ]);
    expect(finishOf(parts).finishReason).toBe('other');
  });

  it('a limit is told as a warning event, and the answer has a time of its own', async () => {
    const events: ObserverEvent[] = [];
    const slow = toolOf(() => new Promise((resolve) => setTimeout(() => resolve('late'), 60)));
    const { model } = await rig([reply(calls('resp_1', ['slow', {}])), reply(says('resp_2', 'Enough.'))], {
      tools: { slow },
      maxRounds: 1,
      onEvent: (event) => events.push(event),
    });
    await streamParts(model);
    expect(events.filter(({ type }) => type === 'warning' || type === 'call-end')).toMatchObject([
      { type: 'warning', message: expect.stringContaining('reached maxRounds (1)') as string },
      { type: 'call-end', rounds: 2 },
    ]);
    const round = events.find((event) => event.type === 'round-end');
    expect((round?.durationMs ?? 0) - (round?.answerMs ?? Infinity)).toBeGreaterThan(50);
  });

  it('maxToolCalls closes the call too, after the round that reached it', async () => {
    const { add, runs } = adder();
    const { model, requests } = await rig(
      [reply(calls('resp_1', ['add', { a: 1, b: 1 }], ['add', { a: 2, b: 2 }])), reply(says('resp_2', 'Enough.'))],
      { tools: { add }, maxToolCalls: 2 },
    );
    await streamParts(model);
    expect(runs).toHaveLength(2);
    expect(requests[1]?.body['tool_choice']).toBe('none');
    expect(outline(requests[1]).slice(1)).toEqual(['call add', 'call add', 'output 2', 'output 4']);
  });
});
