import { generateText, streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import { responseEvents } from 'responses-loop/testing';
import { finishOf, partsOf, streamParts, textOf } from './support/parts.js';
import { calls, reply, rig, says } from './support/rig.js';
import { adder, type LocalTool, toolOf } from './support/tools.js';
import { outputs } from './support/wire.js';

const never = new Promise<never>(() => {});

/** Every way a call can go wrong, what the model is told, and the call that provokes it. */
const FAILURES: readonly (readonly [string, Record<string, LocalTool>, readonly [string, string | object], RegExp])[] =
  [
    [
      'a tool that throws',
      {
        broken: toolOf(() => {
          throw new Error('disk full');
        }),
      },
      ['broken', {}],
      /^disk full$/,
    ],
    [
      'a tool that rejects',
      { broken: toolOf(() => Promise.reject(new Error('no route'))) },
      ['broken', {}],
      /^no route$/,
    ],
    [
      'a tool that throws no Error',
      { broken: toolOf(() => Promise.reject('just a text')) },
      ['broken', {}],
      /^just a text$/,
    ],
    [
      'a tool that takes too long',
      { slow: toolOf(() => never, { timeoutMs: 20 }) },
      ['slow', {}],
      /"slow" timed out.*20 ms/,
    ],
    [
      'a tool that says isError itself',
      { sad: toolOf(() => ({ isError: true, content: [{ type: 'text', text: 'not found' }] })) },
      ['sad', {}],
      /^not found$/,
    ],
    ['a tool nobody has', { add: adder().add }, ['subtract', { a: 1 }], /no tool named "subtract".*add/],
    [
      'arguments that are no JSON',
      { add: adder().add },
      ['add', '{"a": 2, "b"'],
      /not valid JSON.*Received: \{"a": 2, "b"/s,
    ],
    ['arguments that are no object', { add: adder().add }, ['add', '[1, 2]'], /JSON object, but an array came/],
  ];

describe.each(FAILURES)('%s', (_name, tools, [name, args], message) => {
  const made = (): ReturnType<typeof calls> => calls('resp_1', [name, args as Record<string, never>, 'call_1']);

  it('is told to the model once, and the loop goes on to an answer', async () => {
    const { model, requests } = await rig([reply(made()), reply(says('resp_2', 'I could not.'))], { tools });
    const result = streamText({ model, prompt: 'Try.' });
    expect(await result.text).toBe('I could not.');
    expect(outputs(requests[1])).toEqual([['call_1', expect.stringMatching(message)]]);
    expect(await result.finishReason).toBe('stop');
  });

  it('the text is the same on the JSON road, and the round is marked as failed in the metadata', async () => {
    const { model, requests } = await rig([reply(made()), reply(says('resp_2', 'I could not.'))], { tools });
    const result = await generateText({ model, prompt: 'Try.' });
    expect(result.text).toBe('I could not.');
    expect(outputs(requests[1])).toEqual([['call_1', expect.stringMatching(message)]]);
    expect(result.providerMetadata?.['responses-loop']?.['rounds']).toMatchObject([
      { calls: [{ name, origin: 'loop', isError: true }] },
      { calls: [] },
    ]);
  });
});

describe('failures among others', () => {
  it('a failing call between good ones changes neither their outputs nor their order', async () => {
    const { add } = adder();
    const broken = toolOf(() => {
      throw new Error('disk full');
    });
    const { model, requests } = await rig(
      [
        reply(
          calls(
            'resp_1',
            ['add', { a: 1, b: 1 }, 'call_1'],
            ['broken', {}, 'call_2'],
            ['nobody', {}, 'call_3'],
            ['add', '{', 'call_4'],
            ['add', { a: 2, b: 2 }, 'call_5'],
          ),
        ),
        reply(says('resp_2', 'Mixed.')),
      ],
      { tools: { add, broken } },
    );
    expect(await streamText({ model, prompt: 'Try.' }).text).toBe('Mixed.');
    const [one, two, three, four, five] = outputs(requests[1]);
    expect([one, two, five]).toEqual([
      ['call_1', '2'],
      ['call_2', 'disk full'],
      ['call_5', '4'],
    ]);
    expect(three?.[1]).toContain('no tool named "nobody"');
    expect(four?.[1]).toContain('not valid JSON');
  });

  it('invalid arguments never become {}: the tool does not run, and the model is told what it wrote', async () => {
    const { add, runs } = adder();
    const { model, requests } = await rig(
      [reply(calls('resp_1', ['add', '{"a":1,', 'call_1'])), reply(says('resp_2', 'Sorry.'))],
      { tools: { add } },
    );
    await streamText({ model, prompt: 'Try.' }).text;
    expect(runs).toEqual([]);
    expect(outputs(requests[1])[0]?.[1]).toContain('Received: {"a":1,');
  });

  it('a tool is given a signal, and an empty text means no arguments', async () => {
    const seen: unknown[] = [];
    const look = toolOf((args, { abortSignal, toolCallId }) => {
      seen.push(args, abortSignal.aborted, toolCallId);
      return 'seen';
    });
    const { model } = await rig([reply(calls('resp_1', ['look', '', 'call_1'])), reply(says('resp_2', 'Seen.'))], {
      tools: { look },
    });
    await streamText({ model, prompt: 'Look.' }).text;
    expect(seen).toEqual([{}, false, 'call_1']);
  });
});

describe('a tool runs at most once', () => {
  it('although the server announces and finishes its call over and over', async () => {
    const { add, runs } = adder();
    const events = responseEvents(calls('resp_1', ['add', { a: 1, b: 1 }, 'call_1']));
    const repeated = events.flatMap((event) =>
      /arguments\.done|output_item/.test(event.type) ? [event, event] : [event],
    );
    const { model, requests } = await rig([repeated, reply(says('resp_2', 'Two.'))], { tools: { add } });
    await streamText({ model, prompt: 'Add.' }).text;
    expect(runs).toHaveLength(1);
    expect(outputs(requests[1])).toEqual([['call_1', '2']]);
  });

  it('although the follow-up fails and is asked again', async () => {
    const { add, runs } = adder();
    const { model, requests } = await rig(
      [
        reply(calls('resp_1', ['add', { a: 1, b: 1 }, 'call_1'])),
        { status: 503, json: { error: { message: 'Busy.' } } },
        reply(says('resp_2', 'Two.')),
      ],
      { tools: { add } },
    );
    expect(await streamText({ model, prompt: 'Add.' }).text).toBe('Two.');
    expect(runs).toHaveLength(1);
    expect(requests[2]?.text).toBe(requests[1]?.text);
  });

  it.each([
    ['failed', 'error', /failed/],
    ['incomplete', 'length', /cut off \(max_output_tokens\)/],
  ] as const)('e: I8 a call of a response that %s is not run', async (status, finishReason, refusal) => {
    const { add, runs } = adder();
    const { model } = await rig([responseEvents({ ...calls('resp_1', ['add', { a: 1, b: 1 }]), status })], {
      tools: { add },
      toolParts: 'all',
    });
    const parts = await streamParts(model);
    expect(runs).toEqual([]);
    expect(finishOf(parts).finishReason).toBe(finishReason);
    expect(partsOf(parts, 'tool-result').map((part) => part.result)).toEqual([expect.stringMatching(refusal)]);
  });

  it('a call whose output the response already holds is not run, and nothing is asked again', async () => {
    const { add, runs } = adder();
    const { model } = await rig(
      [
        reply({
          id: 'resp_1',
          output: [
            { type: 'call', name: 'add', arguments: { a: 1, b: 1 }, callId: 'call_1' },
            { type: 'item', item: { type: 'function_call_output', id: 'fco_1', call_id: 'call_1', output: '2' } },
            { type: 'text', text: 'Two.' },
          ],
        }),
      ],
      { tools: { add } },
    );
    const parts = await streamParts(model);
    expect(runs).toEqual([]);
    expect(textOf(parts)).toBe('Two.');
    expect(finishOf(parts).finishReason).toBe('stop');
  });
});
