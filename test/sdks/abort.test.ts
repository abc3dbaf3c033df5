import { generateText, streamText, type ToolSet } from 'ai';
import { describe, expect, it } from 'vitest';
import { createGate, responseEvents, type ScriptedStep } from 'responses-loop/testing';
import { calls, reply, rig, says, splitBefore } from '../acceptance/support/rig.js';
import { adder, type LocalTool, signalTower, toolOf } from '../acceptance/support/tools.js';

/** Text that begins and then hangs until the test ends. */
function hangingText(): ScriptedStep {
  const [begin, rest] = splitBefore(responseEvents(says('resp_1', 'One two three.')), 'response.output_text.done');
  return [...begin, createGate().released, ...rest];
}

/** A tool that neither ends nor listens. */
function deafTool(): { readonly deaf: LocalTool; readonly reached: Promise<void>; readonly signals: AbortSignal[] } {
  const { reached, reach } = signalTower();
  const signals: AbortSignal[] = [];
  const deaf = toolOf((_args, { abortSignal }) => {
    signals.push(abortSignal);
    reach();
    return new Promise<never>(() => {});
  });
  return { deaf, reached, signals };
}

/** Reads a stream to its end and tells what the consumer and the callbacks were told. */
async function watch(
  options: Parameters<typeof streamText<ToolSet>>[0],
  onPart: (type: string) => void = () => {},
): Promise<{ told: string[]; parts: string[] }> {
  const told: string[] = [];
  const result = streamText({
    ...options,
    onError: () => void told.push('error'),
    onAbort: () => void told.push('abort'),
    onFinish: () => void told.push('finish'),
  });
  const parts: string[] = [];
  for await (const { type } of result.fullStream) {
    parts.push(type);
    onPart(type);
  }
  return { told, parts };
}

describe('abort', () => {
  it('in mid text: an abort part, onAbort and nothing else, and the server sees the client leave', async () => {
    const { model, server } = await rig([hangingText()]);
    const controller = new AbortController();
    const { told, parts } = await watch({ model, prompt: 'Hello', abortSignal: controller.signal }, (type) => {
      if (type === 'text-delta') controller.abort();
    });
    expect([told, parts.at(-1)]).toEqual([['abort'], 'abort']);
    expect(parts.filter((type) => ['error', 'finish', 'finish-step'].includes(type))).toEqual([]);
    const request = await server.waitForRequest(0);
    await request.closed;
    expect(request.aborted).toBe(true);
  });

  it('during a loop tool that ignores the signal: the stream ends at once, and nothing more is asked', async () => {
    const { deaf, reached, signals } = deafTool();
    const { model, requests } = await rig([reply(calls('resp_1', ['deaf', {}]))], { tools: { deaf } });
    const controller = new AbortController();
    const watched = watch({ model, prompt: 'Go.', abortSignal: controller.signal });
    await reached;
    controller.abort();
    const { told, parts } = await watched;
    expect([told, parts.at(-1)]).toEqual([['abort'], 'abort']);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(requests).toHaveLength(1);
  });

  it('between two rounds: the follow-up is given up', async () => {
    const { model, server, requests } = await rig(
      [reply(calls('resp_1', ['add', { a: 1, b: 1 }])), { none: 'stall' }],
      { tools: { add: adder().add } },
    );
    const controller = new AbortController();
    const watched = watch({ model, prompt: 'Go.', abortSignal: controller.signal });
    const followUp = await server.waitForRequest(1);
    controller.abort();
    expect((await watched).told).toEqual(['abort']);
    await followUp.closed;
    expect([followUp.aborted, requests.length]).toEqual([true, 2]);
  });

  it('before the start: nothing is sent, and nothing hangs', async () => {
    const { model, requests } = await rig([]);
    const { told, parts } = await watch({ model, prompt: 'Hello', abortSignal: AbortSignal.abort() });
    expect(told).toEqual(['abort']);
    expect(parts).toContain('abort');
    expect(requests).toHaveLength(0);
  });

  it('generateText rejects with an AbortError: before the start, in mid answer, and during a deaf tool', async () => {
    const isAborted = { name: 'AbortError' };
    const before = await rig([]);
    const gone = generateText({ model: before.model, prompt: 'Hello', abortSignal: AbortSignal.abort() });
    await expect(gone).rejects.toMatchObject(isAborted);

    const silent = await rig([{ none: 'stall' }]);
    const first = new AbortController();
    const answered = generateText({ model: silent.model, prompt: 'Hello', abortSignal: first.signal });
    const request = await silent.server.waitForRequest(0);
    first.abort();
    await expect(answered).rejects.toMatchObject(isAborted);
    await request.closed;
    expect(request.aborted).toBe(true);

    const { deaf, reached } = deafTool();
    const { model } = await rig([reply(calls('resp_1', ['deaf', {}]))], { tools: { deaf } });
    const second = new AbortController();
    const running = generateText({ model, prompt: 'Go.', abortSignal: second.signal });
    await Promise.all([expect(running).rejects.toMatchObject(isAborted), reached.then(() => second.abort())]);
  });
});
