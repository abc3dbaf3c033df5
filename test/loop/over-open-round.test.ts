import { describe, expect, it } from 'vitest';
import type { Call } from '../../src/core/call.js';
import { DEFAULT_LIMITS } from '../../src/core/limits.js';
import type { CallPart, RoundPart, RoundResult } from '../../src/core/part.js';
import type { OpenRound, RoundRequest } from '../../src/core/round.js';
import type { LoopOptions } from '../../src/loop/loop-options.js';
import { ApprovalSigner } from '../../src/loop/approval-signer.js';
import { startCall } from '../../src/loop/run-call.js';
import type { Toolset } from '../../src/tools/loop-tool.js';
import { narrowToolset } from '../../src/tools/narrow-toolset.js';
import { createToolRegistry } from '../../src/tools/create-tool-registry.js';
import { adder } from '../acceptance/support/tools.js';

const call: Call = {
  modelId: 'm',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Add.' }] }],
  clientTools: [],
  hostedTools: [],
  declaredLoopTools: [],
  sdkRunTools: [],
  lateTools: [],
  toolChoice: { type: 'auto' },
  settings: {},
  responseFormat: { type: 'text' },
  options: {},
  headers: {},
  includeRaw: false,
  stream: true,
};

/** A round as anything may give it: a server, another language model, this test. */
function round(result: Partial<RoundResult>, ...parts: readonly RoundPart[]): readonly RoundPart[] {
  const whole: RoundResult = {
    outcome: 'completed',
    finishReason: 'stop',
    usage: { inputTokens: 1, outputTokens: 1 },
    content: [],
    answeredCallIds: [],
    warnings: [],
    ...result,
  };
  return [...parts, { type: 'round-end', result: whole }];
}

const addCall = { type: 'tool-call', callId: 'call_1', name: 'add', arguments: '{"a":1,"b":2}' } as const;
const calling = round({ responseId: 'one', content: [addCall] }, addCall);
const answering = round(
  { responseId: 'two', content: [{ type: 'text', text: 'Three.' }] },
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'Three.' },
  { type: 'text-end', id: 't' },
);

async function play(
  rounds: readonly (readonly RoundPart[])[],
  options: Partial<LoopOptions> = {},
): Promise<{ parts: CallPart[]; requests: RoundRequest[] }> {
  const requests: RoundRequest[] = [];
  const openRound: OpenRound = async (request) => {
    const batch = rounds[requests.push(request) - 1];
    if (batch === undefined) throw new Error('a round too many');
    return {
      batches: (async function* () {
        // One part per batch: where batches end must not matter.
        for (const part of batch) yield [part];
      })(),
    };
  };
  const registry = createToolRegistry({ tools: { add: adder().add } });
  const { signal } = new AbortController();
  const { run } = await startCall({
    call,
    toolset: await registry.toolset({ clientNames: [], nameClash: 'rename' }),
    openRound,
    limits: {
      ...DEFAULT_LIMITS,
      maxRounds: 20,
      maxToolCalls: Number.POSITIVE_INFINITY,
      maxRepeatedRounds: 5,
      toolConcurrency: 'auto',
    },
    isVisible: () => true,
    carrier: 'metadata',
    canAskUser: false,
    signer: new ApprovalSigner(),
    callNumber: 1,
    signal,
    ends: signal,
    now: () => 0,
    ...options,
  });
  const parts: CallPart[] = [];
  await run((batch) => void parts.push(...batch));
  return { parts, requests };
}

describe('the loop over its one seam, openRound', () => {
  it('runs without any server: it asks for rounds, runs tools, and ends with one finish', async () => {
    const { parts } = await play([calling, answering]);
    expect(parts.map((part) => part.type)).toEqual([
      'tool-call',
      'tool-result',
      'text-start',
      'text-delta',
      'text-end',
      'finish',
    ]);
    expect(parts.at(-1)).toMatchObject({
      finishReason: 'stop',
      usage: { inputTokens: 2, outputTokens: 2 },
      rounds: [{ responseId: 'one' }, { responseId: 'two' }],
    });
  });

  it('hands every round the same prompt and what was added so far, which only grows', async () => {
    const second = { ...addCall, callId: 'call_2' };
    const { requests } = await play([calling, round({ content: [second] }, second), answering]);
    expect(requests.map((request) => [request.index, request.closing, request.added.length])).toEqual([
      [0, false, 0],
      [1, false, 1],
      [2, false, 2],
    ]);
    for (const request of requests) expect(request.prompt).toBe(requests[0]?.prompt);
    expect(requests[0]?.prompt).toEqual(call.messages);
    expect(requests[2]?.added.slice(0, 1)).toEqual(requests[1]?.added);
    const output = { isError: false, content: [{ type: 'text', text: '3' }] };
    expect(requests[1]?.added).toMatchObject([
      [{ role: 'assistant', entries: [{ type: 'call', call: addCall, output }] }],
    ]);
  });

  it('offers what calls open from the next round on, behind the tools of the caller', async () => {
    const all = await createToolRegistry({ tools: { add: adder().add, sum: adder().add } }).toolset({
      clientNames: [],
      nameClash: 'rename',
    });
    const [add, sum] = all.tools;
    const toolset: Toolset = {
      ...narrowToolset(all, (name) => name === 'add'),
      opens: async (calls) => (sum !== undefined && calls.some(({ call: { name } }) => name === 'add') ? [sum] : []),
    };
    const mine = { name: 'mine', inputSchema: { type: 'object' } } as const;
    const sumCall = { ...addCall, callId: 'call_2', name: 'sum' } as const;
    const { requests, parts } = await play([calling, round({ content: [sumCall] }, sumCall), answering], {
      toolset,
      call: { ...call, clientTools: [mine] },
    });
    expect(requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
      ['add', 'mine'],
      ['add', 'mine', 'sum'],
      ['add', 'mine', 'sum'],
    ]);
    expect(add?.declaration).toBe(requests[0]?.tools[0]);
    expect(parts.filter(({ type }) => type === 'tool-result')).toMatchObject([{ name: 'add' }, { name: 'sum' }]);
  });

  it('does not go by the finish reason that a round claims', async () => {
    const { requests } = await play([
      round({ finishReason: 'length', content: [addCall] }, addCall),
      round({ finishReason: 'tool-calls' }),
    ]);
    expect(requests).toHaveLength(2);
  });

  it('offers fresh names for each attempt at a round, so that a failed one leaves none behind', async () => {
    const { requests } = await play([answering]);
    const claim = (): string | undefined => requests[0]?.newIds().claimCallId('call_9', 'one', '0');
    expect([claim(), claim()]).toEqual(['call_9', 'call_9']);
  });

  it('takes a round without an end for an error, never for an answer', async () => {
    const { parts } = await play([[]]);
    expect(parts.map((part) => part.type)).toEqual(['error', 'finish']);
    expect(parts.at(-1)).toMatchObject({ finishReason: 'error' });
  });

  it('tells an error of the second round as a part, since the first one has acted', async () => {
    const { parts } = await play([calling]);
    expect(parts.map((part) => part.type)).toEqual(['tool-call', 'tool-result', 'error', 'finish']);
    expect(parts.at(-2)).toMatchObject({
      error: { message: 'a round too many', isRetryable: false, completedCalls: [{ callId: 'call_1' }] },
    });
  });

  it('closes what a round opened that breaks with an error of its own, and tells the error', async () => {
    const openRound: OpenRound = async () => ({
      batches: (async function* () {
        yield [
          { type: 'reasoning-start', id: 'r' },
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: 'Half' },
        ] as const;
        throw new Error('the other model broke');
      })(),
    });
    const { parts } = await play([], { openRound });
    expect(parts.map((part) => part.type)).toEqual([
      'reasoning-start',
      'text-start',
      'text-delta',
      'reasoning-end',
      'text-end',
      'error',
      'finish',
    ]);
    expect(parts.at(-2)).toMatchObject({ error: { message: 'the other model broke' } });
    expect(parts.at(-1)).toMatchObject({ finishReason: 'error' });
  });
});
