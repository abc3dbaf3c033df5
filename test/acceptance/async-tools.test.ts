import { describe, expect, it, vi } from 'vitest';
import type { ObserverEvent, ResponsesProviderSettings } from 'responses-loop';
import { errorReply, type ResponseDescription, type ScriptedStep } from 'responses-loop/testing';
import { PROFILES } from '../../src/request/profiles.js';
import { answer, type AnyPart, EVERY_WAY, VERSIONS, user } from './support/any-version.js';
import { asMessages, brokenPairs } from './support/go-back.js';
import { reply, replyTo, rigOf, says } from './support/rig.js';
import { type LocalTool, signalTower, toolOf } from './support/tools.js';
import { outline, outputs } from './support/wire.js';

type Output = NonNullable<ResponseDescription['output']>[number];

/** A call that the server marks as asynchronous. */
const open = (name: string, callId: string, args = '{}'): Output => ({
  type: 'item',
  item: {
    id: `fc_${callId}`,
    type: 'function_call',
    status: 'completed',
    call_id: callId,
    name,
    arguments: args,
    async: true,
  },
});
const plain = (name: string, callId: string): Output => ({ type: 'call', name, arguments: {}, callId });
const text = (said: string): Output => ({ type: 'text', text: said });
const round = (id: string, ...output: Output[]): ScriptedStep => reply({ id, output });

/** A function that ends when the test says so, and tells when it has begun and when the loop has its output. */
function held(options: Partial<LocalTool> = {}) {
  const [begun, free, over] = [signalTower(), signalTower(), signalTower()];
  const slow = toolOf(
    async (_, { abortSignal }) => {
      begun.reach();
      await Promise.race([free.reached, aborted(abortSignal)]);
      return 'slow';
    },
    { async: true, ...options },
  );
  const onEvent = (event: ObserverEvent): void => {
    if (event.type === 'tool-end' && event.tool === 'slow') over.reach();
  };
  return { slow, onEvent, begun: begun.reached, free: free.reach, over: over.reached };
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
}

/** Outputs without the quotes of the histories here, which have all results as JSON. */
const unquoted = (all: readonly [string, string][]) =>
  all.map(([id, output]) => [id, output.replaceAll('"', '')] as const);

/** Three rounds; the function of the first ends while the model answers the second. */
const endsInSecondRound = (free: () => void, over: Promise<void>): ScriptedStep[] => [
  round('resp_1', open('slow', 'call_slow'), plain('quick', 'call_1')),
  async (request) => {
    free();
    await over;
    return replyTo(request, { id: 'resp_2', output: [plain('quick', 'call_2')] });
  },
  reply(says('resp_3', 'Done.')),
];

const quick = () => toolOf((_, { toolCallId }) => `quick ${toolCallId}`);
const results = (parts: readonly AnyPart[]) => parts.filter(({ type }) => type === 'tool-result');

describe.each(EVERY_WAY)('an async function, with %s and %s', (version, method) => {
  const start = (steps: ScriptedStep[], settings: ResponsesProviderSettings) =>
    rigOf(VERSIONS[version], steps, { backend: 'openai', ...settings });
  const play = async (steps: ScriptedStep[], settings: ResponsesProviderSettings, options: object = {}) => {
    const played = await start(steps, settings);
    return { ...played, parts: await answer(played.model, method, { prompt: [user('Go.')], ...options }) };
  };
  const shows = version === 'v2' ? 0 : 1;

  it('runs on while the model calls others, and its output comes with a later round under its own id', async () => {
    const { slow, onEvent, free, over } = held();
    const { requests, parts } = await play(endsInSecondRound(free, over), { tools: { slow, quick: quick() }, onEvent });
    const first = ['user Go.', 'call slow', 'call quick', 'output quick call_1'];
    expect(requests.map(outline)).toEqual([
      ['user Go.'],
      first,
      [...first, 'call quick', 'output quick call_2', 'output slow'],
    ]);
    expect(outputs(requests[2]).at(-1)).toEqual(['call_slow', 'slow']);
    expect(results(parts).map(({ toolCallId, result }) => [toolCallId, result])).toEqual(
      shows
        ? [
            ['call_1', 'quick call_1'],
            ['call_2', 'quick call_2'],
            ['call_slow', 'slow'],
          ]
        : [],
    );
  });

  it('is waited for when the model has ended its answer, which goes on in one more round', async () => {
    const { slow, onEvent, free } = held();
    const { requests, parts } = await play(
      [
        (request) => {
          setTimeout(free, 20);
          return replyTo(request, { id: 'resp_1', output: [open('slow', 'call_slow'), text('Meanwhile.')] });
        },
        reply(says('resp_2', 'Done.')),
      ],
      { tools: { slow }, onEvent },
    );
    expect(outline(requests[1])).toEqual(['user Go.', 'call slow', 'output slow', 'says Meanwhile.']);
    expect(results(parts)).toHaveLength(shows);
  });

  it('is read by the next turn like any other call, hidden or shown', async () => {
    const { slow, onEvent, free, over } = held();
    const { model, requests, parts } = await play(
      [
        round('resp_1', open('slow', 'call_slow'), plain('quick', 'call_1')),
        async (request) => {
          free();
          await over;
          return replyTo(request, { id: 'resp_2', output: [text('Half.'), plain('quick', 'call_2')] });
        },
        reply(says('resp_3', 'Done.')),
        reply(says('resp_4', 'Again.')),
      ],
      { tools: { slow, quick: quick() }, onEvent },
    );
    await answer(model, method, { prompt: [user('Go.'), ...asMessages(parts), user('More.')] });
    expect(brokenPairs(requests[3]?.input ?? [])).toEqual([]);
    expect(new Map(unquoted(outputs(requests[3])))).toEqual(
      new Map([
        ['call_slow', 'slow'],
        ['call_1', 'quick call_1'],
        ['call_2', 'quick call_2'],
      ]),
    );
    expect(outline(requests[3]).slice(-2)).toEqual(['says Done.', 'user More.']);
  });

  it('outlasts its call if that waits no longer, and the turn after it was done brings its result', async () => {
    const { slow, onEvent, free, over } = held();
    const { model, requests, parts } = await play(
      [
        round('resp_1', open('slow', 'call_slow'), text('Meanwhile.')),
        reply(says('resp_2', 'Not yet.')),
        reply(says('resp_3', 'Here.')),
      ],
      { tools: { slow }, onEvent, asyncToolWaitMs: 10 },
    );
    expect(results(parts)).toHaveLength(shows);
    const first = [user('Go.'), ...asMessages(parts), user('And?')];
    const second = await answer(model, method, { prompt: first });
    expect(outputs(requests[1])).toEqual([['call_slow', expect.stringMatching(/^"?This call is still running; /)]]);
    free();
    await over;
    await answer(model, method, { prompt: [...first, ...asMessages(second), user('Now?')] });
    expect(outputs(requests[2])).toEqual([['call_slow', 'slow']]);
    expect(requests.map(({ input }) => brokenPairs(input))).toEqual([[], [], []]);
  });

  it('has the output that says so before another model is asked, and its result in the next turn', async () => {
    const { slow, onEvent, free, over } = held();
    const { model, requests } = await start(
      [
        round('resp_1', open('slow', 'call_slow'), plain('quick', 'call_1')),
        reply(says('resp_2', 'Done.')),
        reply(says('resp_3', 'Here.')),
      ],
      {
        tools: { slow, quick: quick() },
        onEvent,
        asyncToolWaitMs: 10,
        prepareRound: ({ roundNumber }) => (roundNumber === 1 ? { model: 'gpt-4.1' } : undefined),
      },
    );
    const first = [user('Go.'), ...asMessages(await answer(model, method, { prompt: [user('Go.')] }))];
    expect(requests[1]?.body).toMatchObject({ model: 'gpt-4.1' });
    expect(outputs(requests[1])).toContainEqual([
      'call_slow',
      expect.stringMatching(/^"?This call is still running; /),
    ]);
    free();
    await over;
    await answer(model, method, { prompt: [...first, user('Now?')] });
    expect(unquoted(outputs(requests[2]))).toContainEqual(['call_slow', 'slow']);
    expect(requests.map(({ input }) => brokenPairs(input))).toEqual([[], [], []]);
  });

  it('keeps a result that comes behind its call where the app keeps outputs, for any process', async () => {
    const kept = new Map<string, string>();
    const store = { put: (id: string, value: string) => kept.set(id, value), get: (id: string) => kept.get(id) };
    const { slow, onEvent, free, over } = held();
    const { parts } = await play([round('resp_1', open('slow', 'call_slow'), text('Meanwhile.'))], {
      tools: { slow },
      onEvent,
      asyncToolWaitMs: 10,
      outputs: store,
    });
    free();
    await over;
    await vi.waitFor(() => expect(kept.size).toBe(1));
    const other = await start([reply(says('resp_2', 'Here.'))], { tools: { slow: held().slow }, outputs: store });
    await answer(other.model, method, { prompt: [user('Go.'), ...asMessages(parts), user('Now?')] });
    expect(outputs(other.requests[0])).toEqual([['call_slow', 'slow']]);
  });

  it('is aborted by a stop, and the history stays whole', async () => {
    const { slow, onEvent, begun, over } = held();
    const stop = new AbortController();
    const { model, requests } = await start(
      [round('resp_1', open('slow', 'call_slow'), text('Meanwhile.')), reply(says('resp_2', 'Fine.'))],
      { tools: { slow }, onEvent },
    );
    const running = answer(model, method, { prompt: [user('Go.')], abortSignal: stop.signal });
    await begun;
    await new Promise((resolve) => setTimeout(resolve, 20));
    stop.abort();
    const parts = await running.catch(() => []);
    await over;
    expect(results(parts)).toEqual([]);
    await answer(model, method, { prompt: [user('Go.'), ...asMessages(parts), user('And?')] });
    expect(brokenPairs(requests[1]?.input ?? [])).toEqual([]);
  });

  it('has acted when a later request fails, so nobody tries the call again', async () => {
    const { slow, onEvent } = held();
    const { parts, error } = await play(
      [round('resp_1', open('slow', 'call_slow'), plain('nosuch', 'call_1')), errorReply({ status: 503 })],
      { tools: { slow }, onEvent, retry: { maxRetries: 0 } },
    ).then(
      ({ parts: shown }) => ({ parts: shown, error: undefined }),
      (thrown: unknown) => ({ parts: [], error: thrown }),
    );
    const failure = error ?? parts.find(({ type }) => type === 'error')?.['error'];
    expect(failure).toMatchObject({ isRetryable: false, completedCalls: [{ callId: 'call_slow' }] });
  });

  it('is in the next turn, if the loop is stopped behind the round in which it ended', async () => {
    const { slow, onEvent, free, over } = held();
    const { model, requests, parts } = await play(
      [
        async (request) => {
          setTimeout(free, 5);
          return replyTo(request, { id: 'resp_1', output: [open('slow', 'call_slow'), plain('quick', 'call_1')] });
        },
        reply(says('resp_2', 'Again.')),
      ],
      { tools: { slow, quick: toolOf(() => over.then(() => 'quick')) }, onEvent, stopWhen: () => 'now' },
    );
    await answer(model, method, { prompt: [user('Go.'), ...asMessages(parts), user('More.')] });
    expect(brokenPairs(requests[1]?.input ?? [])).toEqual([]);
    expect(unquoted(outputs(requests[1]))).toContainEqual(['call_slow', 'slow']);
  });

  it('is stopped when the call to the model fails, and has an output', async () => {
    const { slow, onEvent, over } = held();
    const { model, requests, parts } = await play(
      [
        round('resp_1', open('slow', 'call_slow'), plain('quick', 'call_1')),
        errorReply({ status: 400 }),
        ...(method === 'doStream' ? [reply(says('resp_3', 'Fine.'))] : []),
      ],
      { tools: { slow, quick: quick() }, onEvent },
    ).catch(async (error: unknown) => {
      // `doGenerate` rejects, and the app has no history of it.
      expect(error).toMatchObject({ completedCalls: [{ callId: 'call_1' }, { callId: 'call_slow' }] });
      return { model: undefined, requests: [], parts: [] };
    });
    await over;
    if (model === undefined) return;
    await answer(model, method, { prompt: [user('Go.'), ...asMessages(parts), user('And?')] });
    expect(brokenPairs(requests[2]?.input ?? [])).toEqual([]);
    expect(outputs(requests[2])).toContainEqual(['call_slow', expect.stringMatching(/^"?Stopped: /)]);
  });

  it('is waited for before the last round of a call, which has all outputs', async () => {
    const { slow, onEvent, free } = held();
    const { requests } = await play(
      [
        (request) => {
          setTimeout(free, 20);
          return replyTo(request, {
            id: 'resp_1',
            output: [open('slow', 'call_slow'), plain('quick', 'call_1')],
          });
        },
        reply(says('resp_2', 'Done.')),
      ],
      { tools: { slow, quick: quick() }, onEvent, maxRounds: 1 },
    );
    expect(outputs(requests[1]).map(([callId]) => callId)).toEqual(['call_slow', 'call_1']);
  });

  it('has its result before the call ends for the client', async () => {
    const { slow, onEvent, free } = held();
    const { parts } = await play(
      [
        (request) => {
          setTimeout(free, 20);
          return replyTo(request, { id: 'resp_1', output: [open('slow', 'call_slow'), plain('mine', 'call_mine')] });
        },
      ],
      { tools: { slow }, onEvent },
      { tools: [{ type: 'function', name: 'mine', inputSchema: { type: 'object', properties: {} } }] },
    );
    const shown = parts.filter(({ type }) => type === 'tool-call').map(({ toolCallId }) => toolCallId);
    expect(shown).toEqual(version === 'v2' ? ['call_mine'] : ['call_slow', 'call_mine']);
    expect(results(parts)).toHaveLength(shows);
    expect(JSON.stringify(parts)).toContain('slow');
  });

  it('is answered under the id of the server where that keeps the conversation', async () => {
    const { slow, onEvent, free, over } = held();
    const { requests } = await play(
      endsInSecondRound(free, over),
      { tools: { slow, quick: quick() }, onEvent },
      { providerOptions: { openai: { store: true } } },
    );
    expect(requests.slice(1).map((request) => [request.body['previous_response_id'], outputs(request)])).toEqual([
      ['resp_1', [['call_1', 'quick call_1']]],
      [
        'resp_2',
        [
          ['call_2', 'quick call_2'],
          ['call_slow', 'slow'],
        ],
      ],
    ]);
  });
});

describe('an async function', () => {
  const play = async (steps: ScriptedStep[], settings: ResponsesProviderSettings) => {
    const played = await rigOf(VERSIONS.v4, steps, settings);
    return { ...played, parts: await answer(played.model, 'doStream', { prompt: [user('Go.')] }) };
  };

  it('is waited for at a server that takes no such calls, and by one that does not mark the call', async () => {
    for (const [backend, call] of [
      ['generic', open('slow', 'call_slow')],
      ['openai', plain('slow', 'call_slow')],
    ] as const) {
      const { requests } = await play(
        [round('resp_1', call, plain('quick', 'call_1')), reply(says('resp_2', 'Done.'))],
        {
          backend,
          tools: {
            slow: toolOf(() => new Promise((end) => setTimeout(end, 20, 'slow')), { async: true }),
            quick: quick(),
          },
        },
      );
      expect(outputs(requests[1]).map(([, output]) => output)).toEqual(['slow', 'quick call_1']);
    }
  });

  it('is sent to a server of which the profile says so', async () => {
    const { slow, onEvent, free, over } = held();
    const { requests } = await play(
      [
        round('resp_1', open('slow', 'call_slow'), plain('quick', 'call_1')),
        async (request) => {
          free();
          await over;
          return replyTo(request, says('resp_2', 'One.'));
        },
        reply(says('resp_3', 'Done.')),
      ],
      { backend: { ...PROFILES.generic, asyncTools: true }, tools: { slow, quick: quick() }, onEvent },
    );
    expect(requests[0]?.body['tools']).toMatchObject([{ name: 'slow', async: true }, { name: 'quick' }]);
    expect(requests.map((request) => outputs(request).length)).toEqual([0, 1, 2]);
  });

  it('is approved before it starts, and denied in its own round', async () => {
    const { requests } = await play(
      [round('resp_1', open('slow', 'call_slow'), plain('quick', 'call_1')), reply(says('resp_2', 'Done.'))],
      {
        backend: 'openai',
        tools: { slow: held().slow, quick: quick() },
        approve: ({ tool }) => tool !== 'slow',
      },
    );
    expect(outputs(requests[1])[0]?.[1]).toMatch(/no/);
  });

  it('keeps its place where a number of tools may run at once', async () => {
    const log: string[] = [];
    const { reached: ended, reach } = signalTower();
    const onEvent = (event: ObserverEvent): void => {
      if (event.type === 'tool-end' && event.callId === 'call_c') reach();
    };
    const slow = toolOf(
      async (_, { toolCallId }) => {
        log.push(`begin ${toolCallId}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
        log.push(`end ${toolCallId}`);
        return toolCallId;
      },
      { async: true },
    );
    await play(
      [
        round('resp_1', open('slow', 'call_a'), open('slow', 'call_b'), open('slow', 'call_c')),
        async (request) => {
          await ended;
          return replyTo(request, says('resp_2', 'On.'));
        },
        reply(says('resp_3', 'Done.')),
      ],
      { backend: 'openai', tools: { slow }, onEvent, toolConcurrency: 1 },
    );
    expect(log).toEqual(['begin call_a', 'end call_a', 'begin call_b', 'end call_b', 'begin call_c', 'end call_c']);
  });

  it('ends with the provider if it outlasts its call', async () => {
    const { slow, onEvent, over } = held();
    const { provider } = await play([round('resp_1', open('slow', 'call_slow'), text('Meanwhile.'))], {
      backend: 'openai',
      tools: { slow },
      onEvent,
      asyncToolWaitMs: 0,
    });
    await provider.close();
    await over;
  });
});
