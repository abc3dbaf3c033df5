import type { LanguageModelV2StreamPart } from '@ai-sdk/provider';
import { streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import { createResponsesProvider, type ObserverEvent } from 'responses-loop';
import { createGate, responseEvents, scriptedFetch, type ScriptedStep } from 'responses-loop/testing';
import { countingSignal } from './support/counting-signal.js';
import { readAll, streamParts, userPrompt } from './support/parts.js';
import { calls, reply, rig, says, splitBefore } from './support/rig.js';
import { adder, signalTower, toolOf } from './support/tools.js';

/** Text that begins and then hangs until the test ends. */
function hangingText(): ScriptedStep {
  const [begin, rest] = splitBefore(responseEvents(says('resp_1', 'One two three.')), 'response.output_text.done');
  return [...begin, createGate().released, ...rest];
}

const isText = (part: LanguageModelV2StreamPart): boolean => part.type === 'text-delta';

async function readUntil<T>(reader: ReadableStreamDefaultReader<T>, wanted: (part: T) => boolean): Promise<void> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Error('the stream ended too soon');
    if (wanted(value)) return;
  }
}

/** So many turns of the queue of microtasks later. */
async function later(turns: number, act: () => void): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
  act();
}

describe('abort', () => {
  it.each(['doStream', 'doGenerate'] as const)(
    'before the request nothing is sent, and %s rejects with an AbortError',
    async (method) => {
      const { model, requests } = await rig([]);
      const { signal, abort, listeners } = countingSignal();
      abort();
      await expect(model[method]({ prompt: userPrompt(), abortSignal: signal })).rejects.toMatchObject({
        name: 'AbortError',
      });
      expect([requests.length, listeners()]).toEqual([0, 0]);
    },
  );

  it('while the server keeps silent, doStream rejects and the server sees the client leave', async () => {
    const { model, server } = await rig([{ none: 'stall' }]);
    const { signal, abort } = countingSignal();
    const pending = model.doStream({ prompt: userPrompt(), abortSignal: signal });
    const request = await server.waitForRequest(0);
    abort();
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
    await request.closed;
    expect(request.aborted).toBe(true);
  });

  it('mid-stream the stream just ends, without finish or error, and the server sees it', async () => {
    const { model, server } = await rig([hangingText()]);
    const { signal, abort } = countingSignal();
    const { stream } = await model.doStream({ prompt: userPrompt(), abortSignal: signal });
    const reader = stream.getReader();
    await readUntil(reader, isText);
    abort();
    reader.releaseLock();
    const rest = await readAll(stream);
    expect(rest.filter((part) => part.type === 'finish' || part.type === 'error')).toEqual([]);
    const request = await server.waitForRequest(0);
    await request.closed;
    expect(request.aborted).toBe(true);
  });

  it('mid-stream streamText reports one abort and no error', async () => {
    const { model } = await rig([hangingText()]);
    const controller = new AbortController();
    const seen: string[] = [];
    const result = streamText({
      model,
      prompt: 'Hello',
      abortSignal: controller.signal,
      onError: () => void seen.push('error'),
      onAbort: () => void seen.push('abort'),
      onFinish: () => void seen.push('finish'),
    });
    for await (const part of result.fullStream) if (part.type === 'text-delta') controller.abort();
    expect(seen).toEqual(['abort']);
  });

  it('mid-answer doGenerate rejects with an AbortError', async () => {
    const { model, server } = await rig([hangingText()]);
    const { signal, abort, listeners } = countingSignal();
    const pending = model.doGenerate({ prompt: userPrompt(), abortSignal: signal });
    await server.waitForRequest(0);
    abort();
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
    expect(listeners()).toBe(0);
  });

  it.each(['doStream', 'doGenerate'] as const)(
    'during a tool that ignores its signal %s ends at once, and nothing more is asked',
    async (method) => {
      const { reached, reach } = signalTower();
      const signals: AbortSignal[] = [];
      const deaf = toolOf((_args, { abortSignal }) => {
        signals.push(abortSignal);
        reach();
        return new Promise<never>(() => {});
      });
      const { model, requests } = await rig([reply(calls('resp_1', ['deaf', {}]))], { tools: { deaf } });
      const { signal, abort } = countingSignal();
      const call = { prompt: userPrompt(), abortSignal: signal };
      const ended =
        method === 'doStream' ? model.doStream(call).then(({ stream }) => readAll(stream)) : model.doGenerate(call);
      await reached;
      abort();
      if (method === 'doGenerate') await expect(ended).rejects.toMatchObject({ name: 'AbortError' });
      else expect(((await ended) as LanguageModelV2StreamPart[]).map((part) => part.type)).not.toContain('finish');
      expect(signals.map((given) => given.aborted)).toEqual([true]);
      expect(requests).toHaveLength(1);
    },
  );

  it('a tool that listens is told at once, and tools that wait for their turn never start', async () => {
    const { reached, reach } = signalTower();
    const log: string[] = [];
    const first = toolOf((_args, { abortSignal }) => {
      reach();
      return new Promise((_resolve, reject) => {
        abortSignal.addEventListener('abort', () => {
          log.push('told');
          reject(new Error('stopped'));
        });
      });
    });
    const second = toolOf(() => log.push('second ran'));
    const { model } = await rig([reply(calls('resp_1', ['first', {}], ['second', {}]))], { tools: { first, second } });
    const { signal, abort } = countingSignal();
    const ended = streamParts(model, { abortSignal: signal });
    await reached;
    abort();
    await ended;
    await new Promise((resolve) => setImmediate(resolve));
    expect(log).toEqual(['told']);
  });

  it('a call that waits at the limit for the approval of another never starts', async () => {
    const { reached, reach } = signalTower();
    const log: string[] = [];
    const look = toolOf(() => log.push('ran'), { readOnly: true });
    const { model, requests } = await rig([reply(calls('resp_1', ['look', { n: 1 }], ['look', { n: 2 }]))], {
      tools: { look },
      maxToolCalls: 1,
      approve: () => {
        log.push('asked');
        reach();
        return new Promise<never>(() => {});
      },
    });
    const { signal, abort } = countingSignal();
    const ended = streamParts(model, { abortSignal: signal });
    await reached;
    abort();
    expect((await ended).map((part) => part.type)).not.toContain('finish');
    await new Promise((resolve) => setImmediate(resolve));
    expect(log).toEqual(['asked']);
    expect(requests).toHaveLength(1);
  });

  it('no request is announced after it, at whatever moment between two rounds it comes', async () => {
    for (let turns = 0; turns < 40; turns += 1) {
      const { add } = adder();
      const controller = new AbortController();
      const after: string[] = [];
      let round = 0;
      const provider = createResponsesProvider({
        apiKey: 'test',
        // The second is answered only where it was sent before the abort.
        fetch: scriptedFetch([reply(calls('resp_1', ['add', { a: 1, b: 1 }])), { none: 'stall' }]),
        tools: { add },
        transformRequest: () => {
          round += 1;
          if (round === 2) void later(turns, () => controller.abort());
        },
        onEvent: ({ type }) => void (controller.signal.aborted && after.push(type)),
      });
      await streamParts(provider('gpt-test'), { abortSignal: controller.signal });
      expect(after, `after ${turns} turns`).not.toContain('request');
    }
  });

  it('between rounds: a follow-up that is not answered yet is given up, and no further one is sent', async () => {
    const { add } = adder();
    const { model, server, requests } = await rig(
      [reply(calls('resp_1', ['add', { a: 1, b: 1 }])), { none: 'stall' }],
      { tools: { add } },
    );
    const { signal, abort } = countingSignal();
    const ended = streamParts(model, { abortSignal: signal });
    const followUp = await server.waitForRequest(1);
    abort();
    expect((await ended).map((part) => part.type)).not.toContain('finish');
    await followUp.closed;
    expect(followUp.aborted).toBe(true);
    expect(requests).toHaveLength(2);
  });

  it('between rounds: when the round is over but the next not yet asked for, it is not even prepared', async () => {
    const { add } = adder();
    const controller = new AbortController();
    const events: string[] = [];
    const { model, requests } = await rig([reply(calls('resp_1', ['add', { a: 1, b: 1 }]))], {
      tools: { add },
      onEvent: ({ type }) => {
        events.push(type);
        if (type === 'round-end') controller.abort();
      },
    });
    const parts = await streamParts(model, { abortSignal: controller.signal });
    expect(parts.map((part) => part.type)).not.toContain('finish');
    expect(events.slice(events.indexOf('round-end'))).toEqual(['round-end', 'call-end']);
    expect(requests).toHaveLength(1);
  });

  it('while a follow-up waits for its retry, nothing more is sent', async () => {
    const { add } = adder();
    const { reached, reach } = signalTower();
    const { model, requests } = await rig(
      [reply(calls('resp_1', ['add', { a: 1, b: 1 }])), { status: 503, json: { error: { message: 'Busy.' } } }],
      {
        tools: { add },
        onEvent: (event: ObserverEvent) => event.type === 'retry' && reach(),
      },
    );
    const { signal, abort, listeners } = countingSignal();
    const ended = streamParts(model, { abortSignal: signal });
    await reached;
    abort();
    await ended;
    expect([requests.length, listeners()]).toEqual([2, 0]);
  });
});

describe('nothing stays behind', () => {
  it.each(['doStream', 'doGenerate'] as const)(
    'a %s call that went well leaves no listener on the caller’s signal',
    async (method) => {
      const { add } = adder();
      const { model } = await rig([reply(calls('resp_1', ['add', { a: 1, b: 1 }])), reply(says('resp_2', 'Two.'))], {
        tools: { add },
      });
      const { signal, listeners } = countingSignal();
      const options = { prompt: userPrompt(), abortSignal: signal };
      if (method === 'doStream') await streamParts(model, options);
      else await model.doGenerate(options);
      expect(listeners()).toBe(0);
    },
  );

  it('a call that was refused leaves none either', async () => {
    const { model } = await rig([{ status: 401, json: { error: { message: 'No.' } } }]);
    const { signal, listeners } = countingSignal();
    await expect(model.doStream({ prompt: userPrompt(), abortSignal: signal })).rejects.toMatchObject({
      statusCode: 401,
    });
    expect(listeners()).toBe(0);
  });

  it('a consumer that cancels the stream ends the request, and leaves no listener', async () => {
    const { model, server } = await rig([hangingText()]);
    const { signal, listeners } = countingSignal();
    const { stream } = await model.doStream({ prompt: userPrompt(), abortSignal: signal });
    const reader = stream.getReader();
    await readUntil(reader, isText);
    await reader.cancel();
    const request = await server.waitForRequest(0);
    await request.closed;
    expect(request.aborted).toBe(true);
    await expect.poll(listeners).toBe(0);
  });

  it('a consumer that cancels without having read anything does so too', async () => {
    const { model, server } = await rig([hangingText()]);
    const { signal, listeners } = countingSignal();
    const { stream } = await model.doStream({ prompt: userPrompt(), abortSignal: signal });
    await stream.cancel();
    const request = await server.waitForRequest(0);
    await request.closed;
    expect(request.aborted).toBe(true);
    await expect.poll(listeners).toBe(0);
  });

  it('a consumer that cancels while a tool runs aborts the tool, and the end is announced', async () => {
    const { reached, reach } = signalTower();
    const signals: AbortSignal[] = [];
    const events: ObserverEvent[] = [];
    const deaf = toolOf((_args, { abortSignal }) => {
      signals.push(abortSignal);
      reach();
      return new Promise<never>(() => {});
    });
    const { model } = await rig([reply(calls('resp_1', ['deaf', {}]))], {
      tools: { deaf },
      onEvent: (event) => events.push(event),
    });
    const { stream } = await model.doStream({ prompt: userPrompt() });
    const reader = stream.getReader();
    const reading = readUntil(reader, () => false).catch(() => {});
    await reached;
    await reader.cancel();
    await reading;
    expect(signals.map((signal) => signal.aborted)).toEqual([true]);
    await expect
      .poll(() => events.filter((event) => event.type === 'call-end'))
      .toMatchObject([{ finishReason: 'aborted' }]);
  });
});
