import { readFileSync } from 'node:fs';
import * as ai from 'ai';
import { generateText, hasToolCall, stepCountIs, streamText, type ToolSet } from 'ai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createResponsesProvider, type ResponsesProviderSettings } from 'responses-loop';
import { createScriptedServer, type ScriptedStep } from 'responses-loop/testing';
import { calls, reply, says } from '../acceptance/support/rig.js';
import { adder, type LocalTool, toolOf } from '../acceptance/support/tools.js';
import { offered, outline } from '../acceptance/support/wire.js';
import { fullPartsOf, type Loose, objectOf, sdk, spec, wantsObject } from './support/sdk.js';

type Way = 'model' | 'sdk';

const adds = reply(calls('resp_1', ['add', { a: 2, b: 3 }, 'call_1']));
const five = reply(says('resp_2', 'Five.'));
const script = [adds, five];

/** A provider whose tools are handed out in one of the two ways. How many requests come is what the checks look at. */
async function going(way: Way, settings: ResponsesProviderSettings, steps: readonly ScriptedStep[] = script) {
  const server = await createScriptedServer({ steps });
  const provider = createResponsesProvider({
    baseURL: server.baseURL,
    apiKey: 'test',
    backend: 'openai',
    retry: { maxRetries: 0 },
    ...settings,
  });
  onTestFinished(async () => {
    await provider.close();
    await server.close();
  });
  const tools: ToolSet = way === 'sdk' ? await provider.tools({ runBy: 'sdk' }) : await provider.tools();
  const call = { model: provider('gpt-test'), tools, prompt: 'Add.', stopWhen: stepCountIs(5), maxRetries: 0 };
  return { provider, call, requests: server.requests };
}

/** Members that `ai` 5 does not know. */
function later(options: object): object {
  return options;
}

/** A tool that ends with the call's or its own abort, or after some time, and tells which. */
function waiting(): { readonly wait: LocalTool; readonly ends: string[]; readonly started: Promise<void> } {
  const ends: string[] = [];
  let start = (): void => {};
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  const wait = toolOf(
    (_args, { abortSignal }) =>
      new Promise((resolve) => {
        start();
        const end = (how: string): void => {
          ends.push(how);
          clearTimeout(timer);
          resolve(how);
        };
        const timer = setTimeout(() => end('by itself'), 3_000);
        abortSignal.addEventListener('abort', () => end('aborted'));
      }),
  );
  return { wait, ends, started };
}

const waits = [reply(calls('resp_1', ['wait', {}, 'call_1'])), five];

/** Whether the tool is aborted by this timeout of the call. */
async function isEndedBy(way: Way, timeout: object): Promise<boolean> {
  const { wait, ends } = waiting();
  const { call } = await going(way, { tools: { wait } }, waits);
  const result = streamText({ ...call, ...later({ timeout }), onError: () => {} });
  await Promise.resolve(result.consumeStream()).catch(() => {});
  await expect.poll(() => ends.length).toBe(1);
  return ends[0] === 'aborted';
}

/** Tells of each way whether the control reaches our tools, as its name says. */
const CHECKS: Record<string, (way: Way) => Promise<boolean>> = {
  async '`stopWhen` of the call'(way) {
    const { call, requests } = await going(way, { tools: { add: adder().add } });
    await generateText({ ...call, stopWhen: hasToolCall('add') });
    return requests.length === 1;
  },

  async prepareStep(way) {
    let asked = 0;
    const { call, requests } = await going(way, { tools: { add: adder().add } });
    await generateText({ ...call, prepareStep: () => ((asked += 1), {}) });
    return asked === requests.length;
  },

  async activeTools(way) {
    const { call, requests } = await going(way, { tools: { add: adder().add, b: toolOf(() => 'b') } }, [five]);
    await generateText({ ...call, activeTools: ['b'] });
    return offered(requests[0]).join() === 'b';
  },

  async 'activeTools: []'(way) {
    const { call, requests } = await going(way, { tools: { add: adder().add } }, [five]);
    await generateText({ ...call, activeTools: [] });
    return offered(requests[0]).length === 0;
  },

  async toolApproval(way) {
    const { add, runs } = adder();
    const { call } = await going(way, { tools: { add } });
    await generateText({ ...call, ...later({ toolApproval: { add: 'user-approval' } }) });
    return runs.length === 0;
  },

  async needsApproval(way) {
    const { add, runs } = adder();
    const { call } = await going(way, { tools: { add } });
    const asking = { add: { ...call.tools['add'], needsApproval: true } } as unknown as ToolSet;
    await generateText({ ...call, tools: asking });
    return runs.length === 0;
  },

  async 'approval requests (`approve` returns `ask`)'(way) {
    const { add, runs } = adder();
    const { call } = await going(way, { tools: { add }, approve: () => 'ask' });
    const { content } = await generateText(call);
    return runs.length === 0 && (content as readonly Loose[]).some(({ type }) => type === 'tool-approval-request');
  },

  'timeout.totalMs': (way) => isEndedBy(way, { totalMs: 2_000 }),

  'timeout.stepMs': async (way) => {
    const { wait, ends } = waiting();
    const { call, requests } = await going(way, { tools: { wait, add: adder().add } }, [adds, ...waits]);
    let steps = 0;
    const counted = { prepareStep: () => ((steps += 1), {}) };
    const result = streamText({ ...call, ...counted, ...later({ timeout: { stepMs: 2_000 } }), onError: () => {} });
    await Promise.resolve(result.consumeStream()).catch(() => {});
    await expect.poll(() => ends).toEqual(['aborted']);
    return steps === requests.length;
  },

  'timeout.chunkMs': async (way) => !(await isEndedBy(way, { chunkMs: 2_000 })),
  'timeout.toolMs': (way) => isEndedBy(way, { toolMs: 100 }),

  async abortSignal(way) {
    const { wait, ends, started } = waiting();
    const { call } = await going(way, { tools: { wait } }, waits);
    const controller = new AbortController();
    const done = generateText({ ...call, abortSignal: controller.signal }).catch(() => {});
    await started;
    controller.abort();
    await done;
    await expect.poll(() => ends.length).toBe(1);
    return ends[0] === 'aborted';
  },

  async 'onToolExecutionStart, onToolExecutionEnd'(way) {
    let heard = 0;
    const { call } = await going(way, { tools: { add: adder().add } });
    const names =
      sdk === 6
        ? ['experimental_onToolCallStart', 'experimental_onToolCallFinish']
        : ['onToolExecutionStart', 'onToolExecutionEnd'];
    await generateText({ ...call, ...Object.fromEntries(names.map((name) => [name, () => (heard += 1)])) });
    return heard === 2;
  },

  async 'onStepFinish, onStepEnd'(way) {
    let heard = 0;
    const { call, requests } = await going(way, { tools: { add: adder().add } });
    await generateText({ ...call, onStepFinish: () => void (heard += 1) });
    return heard === requests.length;
  },

  async experimental_steering(way) {
    const create = (ai as unknown as Record<string, () => { steer(text: string): unknown }>)[
      'experimental_createSteering'
    ];
    const steering = create?.();
    const add = adder({ execute: () => (steering?.steer('In words.'), '5') }).add;
    const { call, requests } = await going(way, { tools: { add } }, [...script, reply(says('resp_3', 'Five!'))]);
    await generateText({ ...call, ...later({ experimental_steering: steering }) });
    return outline(requests[1]).includes('user In words.');
  },

  async 'preliminary results'(way) {
    const walk = toolOf(async function* () {
      yield 'the gate';
      await new Promise((resolve) => setImmediate(resolve));
      yield 'the pond';
    });
    const { call } = await going(way, { tools: { walk } }, [reply(calls('resp_1', ['walk', {}, 'call_1'])), five]);
    const parts = await fullPartsOf(streamText(call));
    return parts.some((part) => part.type === 'tool-result' && part['preliminary'] === true);
  },

  async toolChoice(way) {
    const { call, requests } = await going(way, { tools: { add: adder().add } });
    await generateText({ ...call, toolChoice: 'required', stopWhen: stepCountIs(1) });
    return requests[0]?.body['tool_choice'] === 'required';
  },

  async experimental_repairToolCall(way) {
    const { add, runs } = adder();
    const { call } = await going(way, { tools: { add } }, [
      reply(calls('resp_1', ['plus', { a: 2, b: 3 }, 'call_1'])),
      five,
    ]);
    const repair = ({ toolCall }: { toolCall: object }): unknown => ({ ...toolCall, toolName: 'add' });
    await generateText({ ...call, experimental_repairToolCall: repair as never });
    return runs.length === 1;
  },

  async 'experimental_context, toolsContext'(way) {
    const seen: object[] = [];
    const add = adder({ execute: (_args, options) => (seen.push(options), '5') }).add;
    const { call } = await going(way, { tools: { add } });
    await generateText({
      ...call,
      ...later({ experimental_context: { user: 7 }, toolsContext: { add: { user: 7 } } }),
    });
    expect(seen).toHaveLength(1);
    return JSON.stringify(seen).includes('"user":7');
  },

  async 'output (`Output`)'(way) {
    const { call } = await going(way, { tools: { add: adder().add } }, [adds, reply(says('resp_2', '{"sum":5}'))]);
    const schema = ai.jsonSchema<object>({ type: 'object', properties: { sum: { type: 'number' } } });
    const result = await generateText({ ...call, ...wantsObject(schema) });
    return JSON.stringify(objectOf(result)) === '{"sum":5}';
  },

  async maxRetries(way) {
    const broken: ScriptedStep = { status: 500, headers: { 'retry-after-ms': '1' }, json: { error: { message: 'x' } } };
    const { call, requests } = await going(way, { tools: { add: adder().add } }, [adds, broken, five]);
    await generateText({ ...call, maxRetries: 1 }).catch(() => {});
    return requests.length === 3;
  },
};

interface Row {
  readonly control: string;
  readonly since: number;
  readonly cells: Readonly<Record<Way, string>>;
}

const page = readFileSync(new URL('../../docs/two-ways.md', import.meta.url), 'utf8');
const ROWS: readonly Row[] = page
  .split('\n')
  .filter((line) => /^\| .+ \| (?:\*\*)?(yes|no)\b/.test(line))
  .map((line) => {
    const [, control = '', model = '', sdkRun = '', since = ''] = line.split(' | ').join('|').split('|');
    const name = control.trim();
    const plain = /^`[^`]+`$|^(`[^`]+`, )+`[^`]+`$/.test(name) ? name.replaceAll('`', '') : name;
    return { control: plain, since: Number.parseInt(since, 10), cells: { model: model.trim(), sdk: sdkRun.trim() } };
  });

describe('the page on the two ways', () => {
  it('has a row for each check, and a check for each row', () => {
    expect(ROWS.map(({ control }) => control).toSorted()).toEqual(Object.keys(CHECKS).toSorted());
    expect(ROWS.filter(({ since }) => ![5, 6, 7].includes(since))).toEqual([]);
  });

  const tries = ROWS.flatMap((row) =>
    (['model', 'sdk'] as const).map((way) => [row.control, way, row] as const),
  ).filter(([, way, { since, cells }]) => sdk >= since && !(spec === 'v2' && cells[way].includes('own import')));

  it.each(tries)('is right about %s with tools run by the %s', async (control, way, { cells }) => {
    const works = await CHECKS[control]?.(way);
    expect(cells[way]).toMatch(works === true ? /^yes\b/ : /^(?:\*\*)?no\b/);
  });
});
