import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { generateText, jsonSchema, type ModelMessage, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { createResponsesProvider, type ObserverEvent, observers } from 'responses-loop';
import { recordEvents } from 'responses-loop/node';
import { errorReply, replayEvents, scriptedFetch } from 'responses-loop/testing';
import { calls, reply, says } from '../acceptance/support/rig.js';
import { adder, toolOf } from '../acceptance/support/tools.js';
import { outputs } from '../acceptance/support/wire.js';
import { BASE_URL, newFile, played, recorded } from './support/recording.js';

const ask = (prompt: string) => (provider: ReturnType<typeof createResponsesProvider>) =>
  generateText({ model: provider('m-1'), prompt, maxRetries: 0 });

const textsOf = (request: Parameters<typeof outputs>[0]) => outputs(request).map(([, output]) => output);
const add = (a: number, b: number) => ['add', { a, b }] as const;
const sum = () => [reply(calls('r1', add(2, 3))), reply(says('r2', 'It is 5.'))];

describe('replayEvents', () => {
  it('plays a run again with the recorded outputs, and finds no difference', async () => {
    const { add: adds, runs } = adder();
    const file = await recorded(sum(), { tools: { add: adds } }, ask('What is 2 + 3?'));
    const { replay, fetch } = await played(file, sum());
    expect(runs).toHaveLength(1);
    expect(textsOf(fetch.requests[1])).toEqual(['5']);
    expect(fetch.requests[0]?.body).toMatchObject({
      model: 'm-1',
      input: [{ role: 'user', content: [{ text: 'What is 2 + 3?' }] }],
      tools: [{ name: 'add', description: 'Adds two numbers.', parameters: { required: ['a', 'b'] } }],
    });
    expect(replay.calls).toMatchObject([
      {
        number: 1,
        recorded: { modelId: 'm-1', answer: 'It is 5.', rounds: 2, finishReason: 'stop' },
        replayed: { modelId: 'm-1', answer: 'It is 5.', rounds: 2, calls: [{ name: 'add' }] },
        notInRecord: [],
      },
    ]);
    expect(replay.calls[0]).not.toHaveProperty('difference');
    replay.assertSame();
  });

  it('tells another model that a call is not in the record, runs nothing, and names the first difference', async () => {
    const { add: adds, runs } = adder();
    const file = await recorded(sum(), { tools: { add: adds } }, ask('What is 2 + 3?'));
    const other = [reply(calls('r1', add(3, 3))), reply(says('r2', 'I do not know.'))];
    const { replay, fetch } = await played(file, other, { model: 'm-2' });
    expect(runs).toHaveLength(1);
    expect(fetch.requests[0]?.body).toMatchObject({ model: 'm-2' });
    expect(textsOf(fetch.requests[1])).toEqual([
      expect.stringMatching(/^Not in the recording: .*"add".*Nothing was run/),
    ]);
    expect(replay.calls[0]).toMatchObject({
      difference: {
        at: 'call',
        round: 0,
        recorded: { arguments: '{"a":2,"b":3}' },
        replayed: { arguments: '{"a":3,"b":3}' },
      },
      notInRecord: [{ name: 'add', arguments: '{"a":3,"b":3}' }],
      replayed: { modelId: 'm-2', answer: 'I do not know.' },
    });
    expect(() => replay.assertSame({ answers: 'any' })).toThrow(
      /call 1: round 1: add \{"a":3,"b":3\}, recorded add \{"a":2,"b":3\}/,
    );
  });

  it('takes arguments in any order of members, and calls of one round in any order', async () => {
    const { add: adds } = adder();
    const two = [reply(calls('r1', add(1, 1), add(2, 2))), reply(says('r2', 'Done.'))];
    const file = await recorded(two, { tools: { add: adds } }, ask('Go.'));
    const turned = [
      reply(calls('r1', ['add', '{"b": 2, "a": 2}'])),
      reply(calls('r2', ['add', '{"b":1,"a":1}'])),
      reply(says('r3', 'Done.')),
    ];
    const { replay, fetch } = await played(file, turned);
    expect(textsOf(fetch.requests[2])).toEqual(['4', '2']);
    replay.assertSame();
  });

  it('gives the outputs of equal calls in their order, and each of them once', async () => {
    let count = 0;
    const tools = { next: toolOf(() => String((count += 1))) };
    const thrice = (times: number) => [
      ...Array.from({ length: times }, (_, at) => reply(calls(`r${at}`, ['next', {}]))),
      reply(says('end', 'Done.')),
    ];
    const file = await recorded(thrice(2), { tools }, ask('Count.'));
    const { replay, fetch } = await played(file, thrice(3));
    expect(count).toBe(2);
    expect(textsOf(fetch.requests.at(-1))).toEqual(['1', '2', expect.stringContaining('Not in the recording')]);
    expect(replay.calls[0]).toMatchObject({ difference: { at: 'call', round: 2, replayed: { name: 'next' } } });
    expect(replay.calls[0]?.difference).not.toHaveProperty('recorded');
  });

  it('names a call that the other model leaves out', async () => {
    const file = await recorded(sum(), { tools: { add: adder().add } }, ask('What is 2 + 3?'));
    const { replay } = await played(file, [reply(says('r1', 'It is 5.'))]);
    expect(() => replay.assertSame()).toThrow('call 1: round 1: no call, recorded add {"a":2,"b":3}');
  });

  it('compares answers word for word, not at all, or by a function', async () => {
    const file = await recorded([reply(says('r1', 'Five.'))], {}, ask('?'));
    const { replay } = await played(file, [reply(says('r1', 'It is five.'))]);
    expect(() => replay.assertSame()).toThrow('another answer: "It is five.", recorded "Five."');
    replay.assertSame({ answers: 'any' });
    replay.assertSame({ answers: (before, after) => after.toLowerCase().includes(before.toLowerCase()) });
    expect(() => replay.assertSame({ answers: () => false })).toThrow(/judged to be another one: "It is five."/);
  });

  it('gives errors and files back as they were, and long outputs whole', async () => {
    const long = 'x'.repeat(30_000);
    const tools = {
      long: toolOf(() => long),
      fails: toolOf(() => {
        throw new Error('The disk is full.');
      }),
      picture: toolOf(() => ({
        content: [
          { type: 'text', text: 'Look:' },
          { type: 'image', data: 'iVBORw0K', mimeType: 'image/png' },
        ],
      })),
    };
    const steps = () => [reply(calls('r1', ['long', {}], ['fails', {}], ['picture', {}])), reply(says('r2', 'Seen.'))];
    const before = scriptedFetch(steps());
    const file = await recorded([], { tools, fetch: before }, ask('Go.'));
    const { replay, fetch } = await played(file, steps());
    expect(textsOf(fetch.requests[1])).toEqual(textsOf(before.requests[1]));
    expect(textsOf(fetch.requests[1])[0]).toBe(long);
    replay.assertSame();
  });

  it('leaves the output of a denied call as the model read it, and asks nobody', async () => {
    const { add: adds, runs } = adder();
    const file = await recorded(sum(), { tools: { add: adds }, approve: () => false }, ask('What is 2 + 3?'));
    const { replay, fetch } = await played(file, sum());
    expect(runs).toHaveLength(0);
    expect(textsOf(fetch.requests[1])).toEqual([expect.stringContaining('add')]);
    replay.assertSame();
  });

  it('sends again what the call was given: instructions, history, client tools, settings and format', async () => {
    const history: ModelMessage[] = [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See:' },
          { type: 'image', image: new Uint8Array([137, 80, 78, 71]), mediaType: 'image/png' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: { at: 1 } },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'c1', toolName: 'look', output: { type: 'text', value: 'A duck.' } },
        ],
      },
      { role: 'assistant', content: 'A duck.' },
      { role: 'user', content: 'And now?' },
    ];
    const before = scriptedFetch([reply(calls('r1', ['look', { at: 2 }]))]);
    const file = await recorded([], { fetch: before }, (provider) =>
      generateText({
        model: provider('m-1'),
        messages: history,
        tools: {
          look: tool({
            description: 'Looks.',
            inputSchema: jsonSchema({ type: 'object', properties: { at: { type: 'number' } } }),
          }),
        },
        toolChoice: 'required',
        temperature: 0.5,
        maxOutputTokens: 100,
        providerOptions: { openai: { reasoningEffort: 'low', parallelToolCalls: false } },
      }),
    );
    const { replay, fetch } = await played(file, [reply(calls('r1', ['look', { at: 2 }]))]);
    expect({ ...fetch.requests[0]?.body, stream: 0 }).toEqual({ ...before.requests[0]?.body, stream: 0 });
    replay.assertSame();
    expect(replay.calls[0]?.replayed.finishReason).toBe('tool-calls');
  });

  it('plays the calls of a file that are chosen, each with its own input', async () => {
    const steps = [...sum(), reply(says('r3', 'Bye.'))];
    const file = await recorded(steps, { tools: { add: adder().add } }, async (provider) => {
      await ask('What is 2 + 3?')(provider);
      await ask('Bye?')(provider);
    });
    const { replay, fetch } = await played(file, [reply(says('r1', 'Bye.'))], { calls: [2] });
    expect(fetch.requests[0]?.body).toMatchObject({ input: [{ content: [{ text: 'Bye?' }] }] });
    expect(replay.calls.map(({ number }) => number)).toEqual([2]);
    replay.assertSame();
    await expect(played(file, [], { calls: [3] })).rejects.toThrow(/has no call 3: its calls are numbered from 1 to 2/);
  });

  it('goes to the recorded server with the recorded profile, or to another one that decides for itself', async () => {
    const file = await recorded([reply(says('r1', 'Hi.'))], { backend: 'llamacpp' }, ask('Hi.'));
    const same = await played(file, [reply(says('r1', 'Hi.'))]);
    expect(same.settings[0]).toMatchObject({ baseURL: `${BASE_URL}/responses`, backend: 'llamacpp' });
    expect(same.fetch.requests[0]?.url).toBe('/v1/responses');
    const other = await played(file, [reply(says('r1', 'Hi.'))], { baseURL: 'http://localhost:81/v1' });
    expect(other.settings[0]).toMatchObject({ baseURL: 'http://localhost:81/v1' });
    expect(other.settings[0]).not.toHaveProperty('backend');
  });

  it('repeats the texts that came between the recorded rounds', async () => {
    const prepareRound = ({ roundNumber }: { readonly roundNumber: number }) =>
      roundNumber === 1 ? { addMessages: ['Be quick.'] } : undefined;
    const file = await recorded(sum(), { tools: { add: adder().add }, prepareRound }, ask('What is 2 + 3?'));
    const { replay, fetch } = await played(file, sum());
    expect(JSON.stringify(fetch.requests[1]?.input.at(-1))).toContain('Be quick.');
    replay.assertSame();
  });

  it('does not offer tools of the server again, and says so', async () => {
    const file = await recorded([reply(says('r1', 'Hi.'))], {}, (provider) =>
      generateText({
        model: provider('m-1'),
        prompt: 'Hi.',
        tools: {
          web_search: {
            type: 'provider-defined',
            id: 'openai.web_search',
            name: 'web_search',
            args: {},
            inputSchema: jsonSchema({}),
          },
        },
      }),
    );
    const { replay, fetch } = await played(file, [reply(says('r1', 'Hi.'))]);
    expect(fetch.requests[0]?.body).not.toHaveProperty('tools');
    expect(replay.calls[0]?.leftOut).toEqual(['web_search']);
  });

  it('throws the error of a server that does not answer', async () => {
    const file = await recorded([reply(says('r1', 'Hi.'))], {}, ask('Hi.'));
    await expect(played(file, [errorReply({ status: 401, message: 'No.' })])).rejects.toMatchObject({
      statusCode: 401,
    });
  });

  it('ends with the signal', async () => {
    const file = await recorded([reply(says('r1', 'Hi.'))], {}, ask('Hi.'));
    const controller = new AbortController();
    const provider = () =>
      createResponsesProvider({ baseURL: BASE_URL, apiKey: 'test', fetch: scriptedFetch([{ none: 'stall' }]) });
    const playing = replayEvents(file, {
      provider,
      signal: controller.signal,
      onCall: () => setImmediate(() => controller.abort()),
    });
    await expect(playing).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a file that cannot be played again', () => {
  it('was recorded without outputs in full: the error says what to do', async () => {
    const file = newFile();
    const record = recordEvents(file);
    const provider = createResponsesProvider({ apiKey: 'test', onEvent: record, fetch: scriptedFetch(['Hi.']) });
    await ask('Hi.')(provider);
    record.close();
    await expect(played(file, [])).rejects.toThrow(
      /was recorded without inputs and outputs in full: record with recordEvents\(path, \{ outputs: 'full' \}\)/,
    );
  });

  it('is missing, is none of ours, or is newer', async () => {
    const file = newFile();
    await expect(played(file, [])).rejects.toThrow(/The runs of ".*" cannot be read: ENOENT/);
    writeFileSync(file, 'nothing\n');
    await expect(played(file, [])).rejects.toThrow(/not written by recordEvents/);
    const good = await recorded([reply(says('r1', 'Hi.'))], {}, ask('Hi.'));
    writeFileSync(file, readFileSync(good, 'utf8').replace(/("type":"round-kept".*?"version":)1/, '$12'));
    await expect(played(file, [])).rejects.toThrow(/kept in version 2 of their form, and this is version 1/);
  });

  it('loses a call whose end is torn off, and no other', async () => {
    const file = await recorded([reply(says('r1', 'One.')), reply(says('r2', 'Two.'))], {}, async (provider) => {
      await ask('1')(provider);
      await ask('2')(provider);
    });
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.slice(0, text.lastIndexOf('"call-end"')));
    const { replay } = await played(file, [reply(says('r1', 'One.'))]);
    expect(replay).toMatchObject({
      calls: [{ number: 1 }],
      skipped: [{ number: 2, why: 'it has no end in the file' }],
      oddLines: 1,
    });
  });

  it('holds only a call whose conversation a server kept', async () => {
    const file = await recorded([reply(says('r1', 'Hi.'))], {}, (provider) =>
      generateText({
        model: provider('m'),
        prompt: 'Hi.',
        providerOptions: { openai: { previousResponseId: 'resp_0' } },
      }),
    );
    await expect(played(file, [])).rejects.toThrow(/No call of .* call 1: a server kept the beginning/);
  });

  it('says that a setting of the recorder is none', () => {
    expect(() => recordEvents(newFile(), { outputs: 'all' as never })).toThrow(
      `"outputs" is 'short' or 'full', not "all"`,
    );
  });
});

describe('recordEvents with outputs in full', () => {
  it('keeps no key, and no other observer gets what it gets', async () => {
    const seen: ObserverEvent[] = [];
    const file = newFile();
    const record = recordEvents(file, { outputs: 'full' });
    const key = 'sk-proj-0123456789abcdefghijkl';
    const tools = { leak: toolOf(() => `The key is ${key}.`) };
    const provider = createResponsesProvider({
      apiKey: key,
      tools,
      fetch: scriptedFetch([reply(calls('r1', ['leak', {}])), reply(says('r2', `It is ${key}.`))]),
      onEvent: observers((event) => seen.push(event), record),
    });
    await ask(`My key is ${key}.`)(provider);
    record.close();
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('round-kept');
    expect(text).not.toContain(key.slice(10, 20));
    expect(seen.map(({ type }) => type)).not.toContain('round-kept');
    expect(seen.map(({ type }) => type)).toContain('tool-end');
  });

  it('appends to a file that holds other runs', async () => {
    const file = await recorded([reply(says('r1', 'One.'))], {}, ask('1'));
    appendFileSync(file, readFileSync(await recorded([reply(says('r1', 'Two.'))], {}, ask('2')), 'utf8'));
    const { replay } = await played(file, [reply(says('r1', 'One.')), reply(says('r2', 'Two.'))]);
    replay.assertSame();
    expect(replay.calls).toHaveLength(2);
  });
});
