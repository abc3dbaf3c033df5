import { describe, expect, it } from 'vitest';
import type { ObserverEvent, OutputStore, ResponsesProviderSettings } from 'responses-loop';
import type { ScriptedRequest, ScriptedStep } from 'responses-loop/testing';
import { answer, EVERY_WAY, VERSIONS, user } from './support/any-version.js';
import { asMessages } from './support/go-back.js';
import { calls, reply, replyTo, rigOf, says } from './support/rig.js';
import { toolOf } from './support/tools.js';
import { offered, outputs } from './support/wire.js';

const LINES = Array.from({ length: 3_000 }, (_, at) => `line ${at}: ${'x'.repeat(88)}`);
LINES[1_777] = 'line 1777: the needle';
const LOG = LINES.join('\n');

const readLog = () => ({ readLog: toolOf(() => LOG, { readOnly: true }) });
const done = reply(says('resp_done', 'Done.'));

/** The mark in the last output of a request that has one. */
function markIn(request: ScriptedRequest): { readonly id: string; readonly from: number; readonly to: number } {
  const text = outputs(request)
    .map(([, output]) => output)
    .join('\n');
  const mark = /from (\d+) to (\d+); \w+\((\{"id":"out_\w+","from":\d+\})\) returns them\]/.exec(text);
  if (mark === null) throw new Error(`no mark in ${text.slice(0, 200)}`);
  return { id: (JSON.parse(mark[3] ?? '') as { id: string }).id, from: Number(mark[1]), to: Number(mark[2]) };
}

/** Calls `read_output` with the id of the mark. */
const reads =
  (callId: string, how: object): ScriptedStep =>
  (request) =>
    replyTo(request, calls(`resp_${callId}`, ['read_output', { id: markIn(request).id, ...how }, callId]));

const lastOutput = (request: ScriptedRequest | undefined): string => outputs(request).at(-1)?.[1] ?? '';

describe.each(EVERY_WAY)('a long output, with %s and %s', (version, method) => {
  const play = async (steps: ScriptedStep[], settings: ResponsesProviderSettings = {}) => {
    const played = await rigOf(VERSIONS[version], steps, { backend: 'openai', tools: readLog(), ...settings });
    return { ...played, parts: await answer(played.model, method, { prompt: [user('Read.')] }) };
  };

  it('is cut in the middle, and the model reads the rest in ranges, with a tool that is offered from then on', async () => {
    const { requests } = await play([
      reply(calls('resp_1', ['readLog', {}, 'call_1'])),
      reads('call_2', { from: 20_000, to: 25_000 }),
      reads('call_3', { search: 'NEEDLE' }),
      done,
    ]);
    expect(requests.map(offered)).toEqual([
      ['readLog'],
      ['readLog', 'read_output'],
      ['readLog', 'read_output'],
      ['readLog', 'read_output'],
    ]);
    const cut = lastOutput(requests[1]);
    expect(cut.startsWith(LOG.slice(0, 20_000))).toBe(true);
    expect(cut.endsWith(LOG.slice(-20_000))).toBe(true);
    expect(cut.length).toBeLessThan(40_300);
    expect(lastOutput(requests[2])).toBe(`[characters 20000 to 25000 of ${LOG.length}]\n${LOG.slice(20_000, 25_000)}`);
    expect(lastOutput(requests[3])).toContain(`${LOG.indexOf('the needle') + 4}: line 1777: the needle`);
  });

  it('can be read in the next turn too: the tool is offered from its start', async () => {
    const { model, parts, requests } = await play([
      reply(calls('resp_1', ['readLog', {}, 'call_1'])),
      done,
      reads('call_2', { from: 30_000, to: 30_010 }),
      done,
    ]);
    const prompt = [user('Read.'), ...asMessages(parts), user('And the middle?')];
    await answer(model, method, { prompt });
    expect(offered(requests[2])).toEqual(['readLog', 'read_output']);
    expect(lastOutput(requests[3])).toBe(`[characters 30000 to 30010 of ${LOG.length}]\n${LOG.slice(30_000, 30_010)}`);
  });
});

const V2 = 'v2';
const play = async (steps: ScriptedStep[], settings: ResponsesProviderSettings) => {
  const played = await rigOf(VERSIONS[V2], steps, { backend: 'openai', ...settings });
  return { ...played, parts: await answer(played.model, 'doStream', { prompt: [user('Read.')] }) };
};
const readsLog = reply(calls('resp_1', ['readLog', {}, 'call_1']));

describe('an output that is cut', () => {
  it('is kept by the functions of the app, which another process reads', async () => {
    const kept = new Map<string, string>();
    const outputsOfApp: OutputStore = {
      put: async (id, text) => void kept.set(id, text),
      get: async (id) => kept.get(id),
    };
    const first = await play([readsLog, done], { tools: readLog(), outputs: outputsOfApp });
    expect([...kept.values()]).toEqual([LOG]);
    // Nothing of the first provider is left but what the app keeps, and the chat.
    const second = await rigOf(VERSIONS[V2], [reads('call_2', { to: 4 }), done], {
      tools: readLog(),
      outputs: outputsOfApp,
    });
    await answer(second.model, 'doStream', { prompt: [user('Read.'), ...asMessages(first.parts), user('More.')] });
    expect(lastOutput(second.requests[1])).toBe(`[characters 0 to 4 of ${LOG.length}]\nline`);
  });

  it('that no store has any more gets an error that tells what to do', async () => {
    const first = await play([readsLog, done], { tools: readLog() });
    const second = await rigOf(VERSIONS[V2], [reads('call_2', {}), done], { tools: readLog() });
    await answer(second.model, 'doStream', { prompt: [user('Read.'), ...asMessages(first.parts), user('More.')] });
    expect(lastOutput(second.requests[1])).toMatch(
      /^No output is kept under the id "out_\w+"\. Run its tool again only if that is safe/,
    );
  });

  it('is sent all the same if the store fails, and an observer is told', async () => {
    const events: ObserverEvent[] = [];
    const { requests } = await play([readsLog, done], {
      tools: readLog(),
      outputs: {
        put() {
          throw new Error('disk full');
        },
        get: () => undefined,
      },
      onEvent: (event) => void events.push(event),
    });
    expect(lastOutput(requests[1])).toContain('characters left out, which could not be kept]');
    expect(offered(requests[1])).toEqual(['readLog']);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'warning', message: 'An output of a tool could not be kept: disk full.' }),
    );
  });

  it('is kept as the model may see it, after redactToolOutput', async () => {
    const kept = new Map<string, string>();
    await play([readsLog, done], {
      tools: readLog(),
      outputs: { put: (id, text) => kept.set(id, text), get: (id) => kept.get(id) },
      redactToolOutput: (output) => ({
        ...output,
        content: output.content.map((part) =>
          part.type === 'text' ? { ...part, text: part.text.replaceAll('needle', '[gone]') } : part,
        ),
      }),
    });
    expect([...kept.values()].join('')).toContain('[gone]');
    expect([...kept.values()].join('')).not.toContain('needle');
  });

  it('is read without asking anybody, though every other call is asked about', async () => {
    const asked: string[] = [];
    const { requests } = await play([readsLog, reads('call_2', { to: 4 }), done], {
      tools: readLog(),
      approve: ({ tool }) => {
        asked.push(tool);
        return true;
      },
    });
    expect(asked).toEqual(['readLog']);
    expect(lastOutput(requests[2])).toContain('line');
  });

  it('leaves the name read_output to a tool of the app', async () => {
    const { requests } = await play([readsLog, done], {
      tools: { ...readLog(), read_output: toolOf(() => 'of the app') },
    });
    expect(offered(requests[1])).toEqual(['readLog', 'read_output', 'responses_loop__read_output']);
    expect(lastOutput(requests[1])).toContain('responses_loop__read_output({"id":"out_');
  });

  it('has a budget of its own for a tool and for a server, and an error keeps more of its end', async () => {
    const { requests } = await play(
      [reply(calls('resp_1', ['readLog', {}, 'call_1'], ['fails', {}, 'call_2'])), done],
      {
        tools: {
          readLog: toolOf(() => LOG, { maxOutputChars: 100 }),
          fails: toolOf(() => {
            throw new Error(`${'trace '.repeat(2_000)}the cause`);
          }),
        },
      },
    );
    const [short = '', failed = ''] = outputs(requests[1]).map(([, text]) => text);
    expect(short.length).toBeLessThan(400);
    expect(failed.endsWith('the cause')).toBe(true);
    expect(failed.indexOf('[output cut')).toBeLessThan(1_100);
  });

  it('is as whole as before if the budget is taken away', async () => {
    const { requests } = await play([readsLog, done], { tools: readLog(), maxToolOutputChars: Infinity });
    expect(lastOutput(requests[1])).toBe(LOG);
    expect(offered(requests[1])).toEqual(['readLog']);
  });

  it('is offered to be read beside the tools that prepareRound chooses, and in a turn whose start only the server has', async () => {
    const { model, requests } = await play([readsLog, reads('call_2', { to: 4 }), done, done], {
      tools: { ...readLog(), other: toolOf(() => 'x') },
      prepareRound: () => ({ activeTools: ['readLog'] }),
    });
    expect(requests.map(offered)).toEqual([
      ['readLog', 'other'],
      ['readLog', 'read_output'],
      ['readLog', 'read_output'],
    ]);
    const providerOptions = { openai: { previousResponseId: 'resp_done' } };
    await answer(model, 'doStream', { prompt: [user('More.')], providerOptions });
    expect(offered(requests[3])).toEqual(['readLog', 'other', 'read_output']);
  });

  it('whose store fails to answer gives the model no word of the store', async () => {
    const events: ObserverEvent[] = [];
    const { requests } = await play([readsLog, reads('call_2', { to: 4 }), done], {
      tools: readLog(),
      outputs: {
        put: () => undefined,
        get() {
          throw new Error('redis://user:password@host is down');
        },
      },
      onEvent: (event) => void events.push(event),
    });
    expect(lastOutput(requests[2])).toBe('The output could not be read, because its store failed.');
    expect(events).toContainEqual(expect.objectContaining({ type: 'warning' }));
  });
});
