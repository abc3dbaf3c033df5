import { describe, expect, it } from 'vitest';
import { createGate, responseEvents, type ScriptedEvent } from 'responses-loop/testing';
import { brokenRules, partsOf, readAll, streamParts, textOf, userPrompt } from '../acceptance/support/parts.js';
import { calls, reply, rig, says } from '../acceptance/support/rig.js';
import { signalTower, toolOf } from '../acceptance/support/tools.js';
import { outputs } from '../acceptance/support/wire.js';

/** The stream of two calls, cut behind the first of them. */
function twoCalls(first: string, second: string): [ScriptedEvent[], ScriptedEvent[]] {
  const events = responseEvents(calls('resp_1', [first, {}, 'call_1'], [second, {}, 'call_2']));
  const at = events.findIndex((event) => event.type === 'response.output_item.added' && event['output_index'] === 1);
  return [events.slice(0, at), events.slice(at)];
}

describe('when tools start', () => {
  it('a read-only tool starts while the model still streams: the server goes on only after it has', async () => {
    const { reached, reach } = signalTower();
    const look = toolOf(
      () => {
        reach();
        return 'seen';
      },
      { readOnly: true },
    );
    const [begin, rest] = twoCalls('look', 'look');
    const { model, requests } = await rig([[...begin, reached, ...rest], reply(says('resp_2', 'Done.'))], {
      tools: { look },
    });
    expect(textOf(await streamParts(model))).toBe('Done.');
    expect(outputs(requests[1])).toEqual([
      ['call_1', 'seen'],
      ['call_2', 'seen'],
    ]);
  });

  it('any other tool waits for the terminal event', async () => {
    let started = false;
    const gate = createGate();
    const write = toolOf(() => {
      started = true;
      return 'written';
    });
    const events = responseEvents(calls('resp_1', ['write', {}, 'call_1']));
    const { model } = await rig(
      [[...events.slice(0, -1), gate.released, ...events.slice(-1)], reply(says('resp_2', 'Done.'))],
      {
        tools: { write },
        toolParts: 'all',
      },
    );
    const { stream } = await model.doStream({ prompt: userPrompt() });
    const reader = stream.getReader();
    for (;;) {
      const { value } = await reader.read();
      if (value?.type === 'tool-call') break;
    }
    // The call is complete and has been shown; only the terminal event is missing.
    await new Promise((resolve) => setImmediate(resolve));
    expect(started).toBe(false);
    gate.release();
    reader.releaseLock();
    await readAll(stream);
    expect(started).toBe(true);
  });

  it('a read-only tool behind another kind of tool waits too, since the other may change what it reads', async () => {
    const log: string[] = [];
    const write = toolOf(() => log.push('write'));
    const look = toolOf(() => log.push('look'), { readOnly: true });
    const gate = createGate();
    const events = responseEvents(calls('resp_1', ['write', {}], ['look', {}]));
    const { model, server } = await rig(
      [[...events.slice(0, -1), gate.released, ...events.slice(-1)], reply(says('resp_2', 'Done.'))],
      {
        tools: { write, look },
        onEvent: (event) => event.type === 'round-end' && log.push('round over'),
      },
    );
    const done = streamParts(model);
    await server.waitForRequest(0);
    gate.release();
    await done;
    expect(log).toEqual(['write', 'look', 'round over', 'round over']);
  });

  it('a call behind a wrapper of several calls waits until it is known what is inside', async () => {
    const log: string[] = [];
    const write = toolOf(() => log.push('write'));
    const look = toolOf(() => log.push('look'), { readOnly: true });
    const uses = { tool_uses: [{ recipient_name: 'functions.write', parameters: {} }] };
    const events = responseEvents(calls('resp_1', ['parallel', uses], ['look', {}]));
    const of = (index: number) => events.filter((event) => event['output_index'] === index);
    const [begun, ...rest] = of(0);
    const others = events.filter((event) => event['output_index'] === undefined);
    const mixed = [
      ...others.slice(0, -1),
      ...(begun === undefined ? [] : [begun]),
      ...of(1),
      ...rest,
      ...others.slice(-1),
    ];
    const { model } = await rig([mixed, reply(says('resp_2', 'Done.'))], { tools: { write, look } });
    expect(textOf(await streamParts(model))).toBe('Done.');
    expect(log).toEqual(['write', 'look']);
  });

  it('the stream forwards text without waiting for a tool', async () => {
    const { reached, reach } = signalTower();
    const gate = createGate();
    const look = toolOf(
      () => {
        reach();
        return gate.released.then(() => 'seen');
      },
      { readOnly: true },
    );
    const events = responseEvents({
      id: 'resp_1',
      output: [
        { type: 'call', name: 'look', arguments: {} },
        { type: 'text', text: 'Meanwhile I talk.' },
      ],
    });
    const { model } = await rig([events, reply(says('resp_2', ' Done.'))], { tools: { look } });
    const { stream } = await model.doStream({ prompt: userPrompt() });
    const reader = stream.getReader();
    let text = '';
    while (text !== 'Meanwhile I talk.') {
      const { value } = await reader.read();
      if (value?.type === 'text-delta') text += value.delta;
    }
    await reached;
    gate.release();
    reader.releaseLock();
    expect(textOf(await readAll(stream))).toBe(' Done.');
  });

  it('results are shown as they come, though the model gets them in order', async () => {
    const { reached, reach } = signalTower();
    const slow = toolOf(() => reached.then(() => 'slow'), { readOnly: true });
    const fast = toolOf(
      () => {
        setImmediate(reach);
        return 'fast';
      },
      { readOnly: true },
    );
    const { model, requests } = await rig(
      [reply(calls('resp_1', ['slow', {}, 'call_1'], ['fast', {}, 'call_2'])), reply(says('resp_2', 'Done.'))],
      {
        tools: { slow, fast },
        toolParts: 'all',
      },
    );
    const parts = await streamParts(model);
    expect(partsOf(parts, 'tool-result').map((part) => part.result)).toEqual(['fast', 'slow']);
    expect(outputs(requests[1]).map(([, output]) => output)).toEqual(['slow', 'fast']);
    expect(brokenRules(parts)).toEqual([]);
  });

  it.each(['has ended', 'still runs'])(
    'a read-only tool that was started and %s when the response brings its output is not used, and nothing is asked again',
    async (state) => {
      const { reached, reach } = signalTower();
      const look = toolOf(
        () => {
          reach();
          return state === 'has ended' ? 'mine' : new Promise<never>(() => {});
        },
        { readOnly: true },
      );
      const events = responseEvents({
        id: 'resp_1',
        output: [
          { type: 'call', name: 'look', arguments: {}, callId: 'call_1' },
          { type: 'item', item: { type: 'function_call_output', id: 'fco_1', call_id: 'call_1', output: 'theirs' } },
          { type: 'text', text: 'I saw theirs.' },
        ],
      });
      const at = events.findIndex(
        (event) => event.type === 'response.output_item.added' && event['output_index'] === 1,
      );
      const { model } = await rig([[...events.slice(0, at), reached, ...events.slice(at)]], {
        tools: { look },
        toolParts: 'all',
      });
      const parts = await streamParts(model);
      expect(textOf(parts)).toBe('I saw theirs.');
      expect(partsOf(parts, 'tool-result').map((part) => [part.result, part.isError ?? false])).toEqual([
        ['theirs', false],
      ]);
      expect(brokenRules(parts)).toEqual([]);
    },
  );

  it('an early start counts against maxToolCalls', async () => {
    const ran: string[] = [];
    const tool = (name: string, readOnly = false) => toolOf(() => void ran.push(name), { readOnly });
    const round = calls('resp_1', ['look', {}, 'c1'], ['one', {}, 'c2'], ['two', {}, 'c3']);
    const { model, requests } = await rig([reply(round), reply(says('resp_2', 'Done.'))], {
      tools: { one: tool('one'), two: tool('two'), look: tool('look', true) },
      maxToolCalls: 2,
    });
    await streamParts(model);
    expect(ran).toEqual(['look', 'one']);
    expect(outputs(requests[1])[2]).toEqual(['c3', 'Not run: the limit on tool calls was reached.']);
  });

  it('a call that was denied leaves its place to others', async () => {
    const ran: string[] = [];
    const round = calls('resp_1', ['one', {}, 'c1'], ['two', {}, 'c2']);
    const { model } = await rig([reply(round), reply(says('resp_2', 'Done.'))], {
      tools: { one: toolOf(() => void ran.push('one')), two: toolOf(() => void ran.push('two')) },
      maxToolCalls: 1,
      approve: ({ tool }) => tool === 'two',
    });
    await streamParts(model);
    expect(ran).toEqual(['two']);
  });

  it('a read waits for a write that the model began before it, whichever is complete first', async () => {
    const ran: string[] = [];
    const events = responseEvents({
      ...calls('resp_1', ['write', {}, 'c1'], ['look', {}, 'c2']),
      interleaveCalls: true,
    });
    const ofWrite = events.filter((event) => event['output_index'] === 0 && event.type.endsWith('.done'));
    const others = events.filter((event) => !ofWrite.includes(event));
    const { model } = await rig(
      [[...others.slice(0, -1), ...ofWrite, ...others.slice(-1)], reply(says('resp_2', 'Done.'))],
      {
        tools: {
          write: toolOf(() => void ran.push('write')),
          look: toolOf(() => void ran.push('look'), { readOnly: true }),
        },
      },
    );
    await streamParts(model);
    expect(ran).toEqual(['write', 'look']);
  });

  it.each(['approve', 'retry'] as const)(
    'a call that the response itself answers is not run any more, nor waited for (%s)',
    async (waiting) => {
      const runs: unknown[] = [];
      let dialog: AbortSignal | undefined;
      const events = responseEvents(calls('resp_1', ['look', { q: 1 }, 'c1']));
      const answered = { type: 'function_call_output', id: 'fco', call_id: 'c1', output: 'by the server' };
      const withAnswer = [
        ...events.slice(0, -1),
        { type: 'response.output_item.done', output_index: 1, item: answered },
        ...events.slice(-1),
      ];
      const look = toolOf(
        (args) => {
          runs.push(args);
          throw new Error('not yet');
        },
        { readOnly: true },
      );
      const { model } = await rig([withAnswer], {
        tools: { look },
        ...(waiting === 'retry'
          ? { retry: { maxToolRetries: 5 } }
          : {
              approve: ({ signal }) => {
                dialog = signal;
                return new Promise<boolean>(() => {});
              },
            }),
      });
      await streamParts(model);
      expect(runs).toHaveLength(waiting === 'retry' ? 1 : 0);
      if (waiting === 'approve') expect(dialog?.aborted).toBe(true);
    },
  );

  it('wrappers inside a wrapper are opened, and each call in them has its output', async () => {
    const inner = { tool_uses: [{ recipient_name: 'functions.write', parameters: { n: 1 } }] };
    const outer = { tool_uses: [{ recipient_name: 'multi_tool_use.parallel', parameters: inner }] };
    const runs: unknown[] = [];
    const { model, requests } = await rig(
      [reply(calls('resp_1', ['multi_tool_use.parallel', outer, 'c1'])), reply(says('resp_2', 'Done.'))],
      { tools: { write: toolOf((args) => void runs.push(args)) } },
    );
    await streamParts(model);
    expect(runs).toEqual([{ n: 1 }]);
    expect(outputs(requests[1])).toEqual([[expect.any(String), '(no output)']]);
  });
});
