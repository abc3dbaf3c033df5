import { describe, expect, it } from 'vitest';
import type { ResponsesProviderSettings } from 'responses-loop';
import type { ScriptedStep } from 'responses-loop/testing';
import { everythingPath } from '../tools/support/servers.js';
import { type AnyPart, type Version, VERSIONS } from './support/any-version.js';
import { brokenRules, type CallOptions, userPrompt } from './support/parts.js';
import { calls, reply, rigOf, says } from './support/rig.js';
import { type LocalTool, signalTower, toolOf } from './support/tools.js';
import { outputs } from './support/wire.js';

const LATER = ['v3', 'v4'] as const;
const twoRounds = (...made: Parameters<typeof calls>[1][]): ScriptedStep[] => [
  reply(calls('resp_1', ...made)),
  reply(says('resp_2', 'There.')),
];

/** Yields each value once the reader of the stream has seen the one before, and then gives its result. */
function walker(values: readonly unknown[], options: Partial<LocalTool> = {}) {
  const towers = values.map(() => signalTower());
  const walk = toolOf(async function* walk() {
    for (const [at, value] of values.entries()) {
      yield value;
      await towers[at]?.reached;
    }
    yield 'done';
  }, options);
  let seen = 0;
  return { walk, see: () => towers[seen++]?.reach() };
}

async function play(
  version: Version,
  steps: ScriptedStep[],
  settings: ResponsesProviderSettings,
  see = (): void => {},
) {
  const played = await rigOf(VERSIONS[version], steps, { toolProgress: 'parts', ...settings });
  const { stream } = (await played.model.doStream({ prompt: userPrompt() })) as unknown as {
    stream: ReadableStream<AnyPart>;
  };
  const parts: AnyPart[] = [];
  for await (const part of stream) {
    parts.push(part);
    if (part['preliminary'] === true) see();
  }
  return { ...played, parts, results: parts.filter(({ type }) => type === 'tool-result') };
}

describe.each(LATER)('the progress of a tool, with %s', (version) => {
  it('is a preliminary result for each value that a generator yields, and the result stands last', async () => {
    const { walk, see } = walker([{ at: 1 }, 'half', { at: 3 }]);
    const { parts, results, requests } = await play(
      version,
      twoRounds(['walk', {}, 'call_1']),
      { tools: { walk } },
      see,
    );
    expect(brokenRules(parts as never)).toEqual([]);
    expect(results.map(({ result, preliminary }) => [result, preliminary])).toEqual([
      [{ at: 1 }, true],
      ['half', true],
      [{ at: 3 }, true],
      ['done', undefined],
    ]);
    expect(results.map(({ toolCallId, toolName, dynamic }) => [toolCallId, toolName, dynamic])).toEqual(
      Array.from({ length: 4 }, () => ['call_1', 'walk', true]),
    );
    // The model reads the result alone.
    expect(outputs(requests[1])).toEqual([['call_1', 'done']]);
  });

  it('is what an MCP server tells of it', async () => {
    const mcpServers = { s: { command: process.execPath, args: [everythingPath] } };
    const call = ['trigger-long-running-operation', { duration: 1, steps: 4 }, 'call_1'] as const;
    const { results } = await play(version, twoRounds(call), { mcpServers });
    expect(results.length).toBeGreaterThan(1);
    expect(results[0]).toMatchObject({ preliminary: true, result: { progress: 1, total: 4 } });
    expect(results.filter(({ preliminary }) => preliminary !== true)).toHaveLength(1);
    expect(results.at(-1)).not.toHaveProperty('preliminary');
  });

  it('of several runs is shown for each', async () => {
    const one = walker(['one']);
    const two = walker(['two']);
    const readOnly = { readOnly: true };
    const { results } = await play(
      version,
      twoRounds(['one', {}, 'call_1'], ['two', {}, 'call_2']),
      { tools: { one: { ...one.walk, ...readOnly }, two: { ...two.walk, ...readOnly } } },
      () => (one.see(), two.see()),
    );
    const byCall = (id: string) => results.filter(({ toolCallId }) => toolCallId === id).map(({ result }) => result);
    expect(byCall('call_1').at(-1)).toBe('done');
    expect(byCall('call_2').at(-1)).toBe('done');
    expect(results.some(({ result }) => result === 'one' || result === 'two')).toBe(true);
  });

  it('is not shown of a generated result, of a tool that is not shown, nor where nothing asks for it', async () => {
    const { walk } = walker([]);
    const chatty = toolOf(async function* chatty() {
      for (let at = 0; at < 50; at += 1) yield { at };
    });
    const tools = { walk, chatty };
    const call = ['chatty', {}, 'call_1'] as const;
    for (const settings of [{ toolProgress: 'events' }, { toolProgress: undefined }] as const) {
      const { results } = await play(version, twoRounds(call), { tools, ...settings });
      expect(results.map(({ result }) => result)).toEqual([{ at: 49 }]);
    }
    const hidden = await play(version, twoRounds(call), { tools, toolParts: 'none' });
    expect(hidden.results).toEqual([]);
    const { model } = await rigOf(VERSIONS[version], twoRounds(call), { tools, toolProgress: 'parts' });
    const { content } = await model.doGenerate({ prompt: userPrompt() });
    const generated = (content as unknown as AnyPart[]).filter(({ type }) => type === 'tool-result');
    expect(generated.map(({ result }) => result)).toEqual([{ at: 49 }]);
  });

  it('is not shown where outputs are redacted, since a tool may tell on its way what is taken out of them', async () => {
    const { walk } = walker([]);
    const tell = toolOf(async function* tell() {
      yield 'card 4711';
      yield 'done';
    });
    const { parts } = await play(version, twoRounds(['tell', {}, 'call_1']), {
      tools: { walk, tell },
      redactToolOutput: (output) => output,
    });
    expect(JSON.stringify(parts)).not.toContain('4711');
  });

  it('is shown of a call that the user has allowed, before the model is asked again', async () => {
    const { walk, see } = walker([{ at: 1 }]);
    const { model } = await rigOf(VERSIONS[version], twoRounds(['walk', {}, 'call_1']), {
      tools: { walk },
      toolProgress: 'parts',
      approve: () => 'ask',
    });
    const partsOf = async (prompt: CallOptions['prompt']) => {
      const asked = await model.doStream({ prompt });
      const parts: AnyPart[] = [];
      for await (const part of asked.stream as unknown as ReadableStream<AnyPart>) {
        parts.push(part);
        if (part['preliminary'] === true) see();
      }
      return parts;
    };
    const asked = await partsOf(userPrompt());
    const request = asked.find(({ type }) => type === 'tool-approval-request');
    const call = { type: 'tool-call', toolCallId: 'call_1', toolName: 'walk', input: {}, providerExecuted: true };
    const approvalId = request?.['approvalId'];
    const parts = await partsOf([
      ...userPrompt(),
      { role: 'assistant', content: [call] },
      { role: 'tool', content: [{ type: 'tool-approval-response', approvalId, approved: true }] },
    ]);
    const results = parts.filter(({ type }) => type === 'tool-result');
    expect(results.map(({ result, preliminary }) => [result, preliminary])).toEqual([
      [{ at: 1 }, true],
      ['done', undefined],
    ]);
  });

  it('does not flood: ten thousand steps at once are a few parts', async () => {
    const chatty = toolOf(async function* chatty() {
      for (let at = 0; at < 10_000; at += 1) yield { at };
    });
    const { results } = await play(version, twoRounds(['chatty', {}, 'call_1']), { tools: { chatty } });
    expect(results.length).toBeLessThan(50);
    expect(results.at(-1)?.['result']).toEqual({ at: 9_999 });
  });

  it('is in no carrier: the metadata of the text has the result alone', async () => {
    const { walk, see } = walker([{ secretly: 'halfway' }]);
    const { parts } = await play(version, twoRounds(['walk', {}, 'call_1']), { tools: { walk } }, see);
    const others = parts.filter((part) => part['preliminary'] !== true);
    expect(JSON.stringify(others)).not.toContain('halfway');
  });
});

it('a V2 model shows nothing of it', async () => {
  const { walk } = walker([]);
  const { results } = await play('v2', twoRounds(['walk', {}, 'call_1']), { tools: { walk }, toolParts: 'all' });
  expect(results.map(({ result }) => result)).toEqual(['done']);
});
