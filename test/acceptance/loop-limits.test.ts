import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sumUsage } from '../../src/core/usage.js';
import type { Approve } from '../../src/index.js';
import { type OutputDescription, responseEvents, whole } from '../../src/testing.js';
import { brokenRules, finishOf, type Part, partsOf, roundsOf, streamParts, textOf } from './support/parts.js';
import { calls, reply, rig, says, splitBefore } from './support/rig.js';
import { adder, toolOf } from './support/tools.js';
import { itemsOfType, outline, outputs } from './support/wire.js';

const add = (n: number) => ['add', { a: n, b: n }, `call_${n}`] as const;
const NOT_RUN = 'Not run: the limit on tool calls was reached.';

function warningsOf(parts: readonly Part[]): readonly string[] {
  const own = finishOf(parts).providerMetadata?.['responses-loop'] as { readonly warnings?: readonly string[] };
  return own.warnings ?? [];
}

/** What becomes of a call where the limit lets it: one that never runs takes nothing from the limit. */
const OUTPUTS: Readonly<Record<string, string>> = {
  runs: '0',
  'runs, allowed late': '0',
  'is unreadable': 'not valid JSON',
  'is denied late': 'denied',
};

function callOfKind(kind: string, at: number): OutputDescription {
  const args = kind === 'is unreadable' ? '{"a":' : { a: 0, b: 0, kind };
  return { type: 'call', name: 'add', callId: `call_${at}`, arguments: args };
}

const approveByKind: Approve = async ({ arguments: { kind } }) => {
  if (typeof kind === 'string' && kind.endsWith('late')) await new Promise((resolve) => setTimeout(resolve, 4));
  return kind !== 'is denied late';
};

describe('how many tools run', () => {
  it.each([Number.POSITIVE_INFINITY, 2, 1])('all of them with toolConcurrency %s', async (toolConcurrency) => {
    const { add: tool, runs } = adder();
    const { model, requests } = await rig([reply(calls('resp_1', add(1), add(2), add(3))), reply(says('r', 'Ok.'))], {
      tools: { add: tool },
      toolConcurrency,
    });
    expect(textOf(await streamParts(model))).toBe('Ok.');
    expect(runs).toHaveLength(3);
    expect(outputs(requests[1])).toEqual([
      ['call_1', '2'],
      ['call_2', '4'],
      ['call_3', '6'],
    ]);
  });

  it.each([true, false])(
    'none in the closing round, though the server calls one all the same (read-only: %s)',
    async (readOnly) => {
      const { add: tool, runs } = adder({ readOnly });
      const steps = [reply(calls('resp_1', add(1))), reply(calls('resp_2', add(2), add(3)))];
      const { model, requests } = await rig(steps, { tools: { add: tool }, maxRounds: 1, toolParts: 'all' });
      const parts = await streamParts(model);
      expect(requests[1]?.body['tool_choice']).toBe('none');
      expect(runs).toHaveLength(1);
      expect(brokenRules(parts)).toEqual([]);
      expect(finishOf(parts).finishReason).toBe('other');
      const results = partsOf(parts, 'tool-result').map(({ toolCallId, isError }) => [toolCallId, isError === true]);
      expect(results).toEqual([
        ['call_1', false],
        ['call_2', true],
        ['call_3', true],
      ]);
    },
  );

  it.each([true, false])('maxToolCalls of them, also in one round of many (read-only: %s)', async (readOnly) => {
    const { add: tool, runs } = adder({ readOnly });
    const steps = [reply(calls('resp_1', add(1), add(2), add(3), add(4))), reply(says('resp_2', 'Ok.'))];
    const { model, requests } = await rig(steps, { tools: { add: tool }, maxToolCalls: 2 });
    const parts = await streamParts(model);
    expect(runs).toEqual([
      { a: 1, b: 1 },
      { a: 2, b: 2 },
    ]);
    expect(outputs(requests[1]).map(([, output]) => output)).toEqual([
      '2',
      '4',
      expect.stringContaining(NOT_RUN),
      expect.stringContaining(NOT_RUN),
    ]);
    expect(requests[1]?.body['tool_choice']).toBe('none');
    expect(warningsOf(parts)).toContainEqual(expect.stringContaining('maxToolCalls (2)'));
  });

  it('maxToolCalls of them over the rounds of a call', async () => {
    const { add: tool, runs } = adder();
    const steps = [
      reply(calls('resp_1', add(1), add(2))),
      reply(calls('resp_2', add(3), add(4))),
      reply(says('resp_3', 'Ok.')),
    ];
    const { model, requests } = await rig(steps, { tools: { add: tool }, maxToolCalls: 3, toolConcurrency: 4 });
    await streamParts(model);
    expect(runs).toHaveLength(3);
    expect(outputs(requests[2]).at(-1)).toEqual(['call_4', expect.stringContaining(NOT_RUN)]);
  });

  it('the first of those that can run, however the bytes were cut and however long an approval takes', async () => {
    const kinds = fc.array(fc.constantFrom(...Object.keys(OUTPUTS)), { minLength: 1, maxLength: 6 });
    const how = fc.record({
      limit: fc.integer({ min: 1, max: 3 }),
      atOnce: fc.boolean(),
      readOnly: fc.boolean(),
      toolConcurrency: fc.constantFrom('auto' as const, 1, 2, 4),
    });
    const property = fc.asyncProperty(kinds, how, async (made, { limit, atOnce, readOnly, ...settings }) => {
      const { add: tool, runs } = adder({ readOnly });
      const events = responseEvents({ id: 'resp_1', output: made.map(callOfKind) });
      const { model, requests } = await rig(
        [{ events, ...(atOnce ? { rechunk: whole } : { delayMs: 1 }) }, reply(says('resp_2', 'Ok.'))],
        { tools: { add: tool }, maxToolCalls: limit, approve: approveByKind, ...settings },
      );
      await streamParts(model);
      const canRun = made.map((kind) => kind.startsWith('runs'));
      const before = made.map((_kind, at) => canRun.slice(0, at).filter(Boolean).length);
      expect(outputs(requests[1]).map(([, output]) => output)).toEqual(
        made.map((kind, at) => expect.stringContaining((before[at] ?? 0) < limit ? (OUTPUTS[kind] ?? '') : NOT_RUN)),
      );
      expect(runs).toHaveLength(Math.min(canRun.filter(Boolean).length, limit));
    });
    await fc.assert(property, { numRuns: 40 });
  });
});

describe('a stream that breaks after a tool has acted', () => {
  it('is gone on from, and the caller is told that something is missing', async () => {
    const { add: tool, runs } = adder({ readOnly: true });
    const complete = responseEvents({
      id: 'resp_1',
      output: [...(calls('x', add(1)).output ?? []), { type: 'text', text: 'And' }],
    });
    const [begun] = splitBefore(complete, 'response.output_text.done');
    const { model, requests } = await rig([{ events: begun, ending: 'reset' }, reply(says('resp_2', 'Two.'))], {
      tools: { add: tool },
      retry: { maxRetries: 0 },
    });
    const parts = await streamParts(model);
    expect(runs).toHaveLength(1);
    expect(outputs(requests[1])).toEqual([['call_1', '2']]);
    expect(finishOf(parts).finishReason).toBe('stop');
    expect(partsOf(parts, 'error')).toEqual([]);
    expect(warningsOf(parts)).toEqual([expect.stringMatching(/broke off/)]);
  });

  it('is gone on from also where a call before it could not run, at the limit of tool calls', async () => {
    const { add: tool, runs } = adder({ readOnly: true });
    const output = [
      { type: 'call', name: 'add', arguments: '{"a":', callId: 'call_0' },
      { type: 'call', name: 'add', arguments: { a: 1, b: 1 }, callId: 'call_1' },
      { type: 'text', text: 'And' },
    ] as const;
    const [begun] = splitBefore(responseEvents({ id: 'resp_1', output }), 'response.output_text.done');
    const { model, requests } = await rig([{ events: begun, rechunk: whole }, reply(says('resp_2', 'Two.'))], {
      tools: { add: tool },
      maxToolCalls: 1,
    });
    expect(textOf(await streamParts(model))).toBe('AndTwo.');
    expect(runs).toHaveLength(1);
    expect(outputs(requests[1]).at(-1)).toEqual(['call_1', '2']);
  });
});

describe('the tokens of a call', () => {
  const round = (id: string, usage: Record<string, number> | null) => ({ ...calls(id, add(1)), usage });

  it('are a total of the server’s only where every round has one', async () => {
    const steps = [
      reply(round('resp_1', { input_tokens: 10, output_tokens: 5, total_tokens: 100 })),
      reply({ ...says('resp_2', 'Ok.'), usage: { input_tokens: 20, output_tokens: 7 } }),
    ];
    const { model } = await rig(steps, { tools: { add: adder().add } });
    expect(finishOf(await streamParts(model)).usage).toEqual({ inputTokens: 30, outputTokens: 12, totalTokens: 42 });
  });

  it('are the server’s totals where it has them', async () => {
    const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 100 };
    const steps = [reply(round('resp_1', usage)), reply({ ...says('resp_2', 'Ok.'), usage })];
    const { model } = await rig(steps, { tools: { add: adder().add } });
    expect(finishOf(await streamParts(model)).usage).toMatchObject({ totalTokens: 200 });
  });

  it('have no total when a round told nothing', () => {
    const known = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
    expect(sumUsage([{ usage: known }, { usage: {} }])).toEqual({ inputTokens: 10, outputTokens: 5 });
    expect(sumUsage([{ usage: known }, { usage: known }])).toMatchObject({ totalTokens: 30 });
  });
});

describe('calls in a wrapper', () => {
  const use = (name: string, n: number) => ({ recipient_name: `functions.${name}`, parameters: { a: n, b: n } });

  it.each(['parallel', 'multi_tool_use.parallel'])('are run and told one by one (%s)', async (wrapper) => {
    const { add: tool, runs } = adder();
    const made = calls('resp_1', [wrapper, { tool_uses: [use('add', 1), use('add', 2)] }, 'call_w']);
    const settings = { tools: { add: tool }, toolParts: 'all' } as const;
    const { model, requests } = await rig([reply(made), reply(says('resp_2', 'Ok.'))], settings);
    const parts = await streamParts(model);
    expect(runs).toHaveLength(2);
    expect(brokenRules(parts)).toEqual([]);
    expect(partsOf(parts, 'tool-call').map(({ toolName }) => toolName)).toEqual(['add', 'add']);
    expect(partsOf(parts, 'tool-input-start').map(({ toolName }) => toolName)).not.toContain(wrapper);
    expect(outline(requests[1])).toEqual([`user Hello`, 'call add', 'call add', 'output 2', 'output 4']);
    const callIds = itemsOfType(requests[1], 'function_call').map((item) => item['call_id']);
    expect(outputs(requests[1]).map(([callId]) => callId)).toEqual(callIds);
    expect(roundsOf(parts)[0]?.calls.map(({ name }) => name)).toEqual(['add', 'add']);
  });

  it('are a tool’s of that name, if there is one', async () => {
    const seen: unknown[] = [];
    const tools = { parallel: toolOf((args) => (seen.push(args), 'ran')) };
    const made = calls('resp_1', ['parallel', { tool_uses: [use('add', 1)] }, 'call_w']);
    const { model, requests } = await rig([reply(made), reply(says('resp_2', 'Ok.'))], { tools });
    await streamParts(model);
    expect(seen).toHaveLength(1);
    expect(outputs(requests[1])).toEqual([['call_w', 'ran']]);
  });
});
