import { createOpenAI } from '@ai-sdk/openai';
import { describe, expect, it } from 'vitest';
import {
  createKelivoResponsesProvider,
  type LoopSettings,
  type ResponsesProviderSettings,
  withStockFallback,
} from '../../src/index.js';
import type { ObserverEvent } from '../../src/observe/event.js';
import { ADD, callAdd, HELLO, say, start, type Talk } from '../provider/support/talk.js';

const MUL = { mul: { inputSchema: { type: 'object', properties: {} }, execute: () => 6 } };
const BOTH = { ...ADD, ...MUL };

/** A call of a model with settings, and an option `loop` of the call. */
async function ask(
  { provider }: Pick<Talk, 'provider'>,
  own?: LoopSettings,
  loop?: unknown,
  key = 'responses-loop',
): Promise<{ readonly warnings: string[]; readonly types: string[] }> {
  const options = loop === undefined ? {} : { providerOptions: { [key]: { loop } } };
  const { stream } = await provider('m', own).doStream({ ...HELLO, ...(options as object) });
  const warnings: string[] = [];
  const types: string[] = [];
  for await (const part of stream as AsyncIterable<{ type: string; warnings?: unknown[] }>) {
    types.push(part.type);
    warnings.push(...(part.warnings ?? []).map((warning) => JSON.stringify(warning)));
  }
  return { warnings, types };
}

interface SentBody {
  readonly tools?: readonly { readonly name: string }[];
  readonly tool_choice?: unknown;
}
const bodyOf = ({ server }: Talk, index: number): SentBody => server.requests[index]?.body ?? {};
const toolsOf = (talk: Talk, index = 0): unknown => bodyOf(talk, index).tools?.map(({ name }) => name);
const choiceOf = (talk: Talk, index: number): unknown => bodyOf(talk, index).tool_choice;

const begin = (settings: ResponsesProviderSettings = {}): Promise<Talk> =>
  start([callAdd('r1'), callAdd('r2'), callAdd('r3'), say('5')], { tools: BOTH, ...settings });

describe('numbers of the loop', () => {
  /** The request that asks for the closing answer is the first after as many rounds as are allowed. */
  const closesAfter = async (settings: ResponsesProviderSettings, own?: LoopSettings, loop?: unknown) => {
    const talk = await begin(settings);
    await ask(talk, own, loop);
    return talk.server.requests.findIndex((_, index) => choiceOf(talk, index) === 'none');
  };

  it.each<[number, ResponsesProviderSettings, LoopSettings | undefined, unknown]>([
    [3, { maxRounds: 3 }, undefined, undefined],
    [2, { maxRounds: 3, models: { m: { limits: { maxRounds: 2 } } } }, undefined, undefined],
    [1, { maxRounds: 3, models: { m: { limits: { maxRounds: 2 } } } }, { maxRounds: 1 }, undefined],
    [2, { maxRounds: 3, models: { m: { limits: { maxRounds: 3 } } } }, { maxRounds: 1 }, { maxRounds: 2 }],
    [3, { maxRounds: 3 }, { maxRounds: undefined }, undefined],
  ])('the more special one wins: a closing round after %i rounds', async (rounds, settings, own, loop) => {
    expect(await closesAfter(settings, own, loop)).toBe(rounds);
  });

  it('the limits of a model are its own: those of the next model are the provider’s', async () => {
    const talk = await begin({ limits: { callsPerRound: 1 } });
    const two = await start([callAdd('r1'), say('5')], { tools: BOTH });
    const model = two.provider('m', { limits: { jsonDepth: 1 } });
    await expect(
      model.doStream({
        ...HELLO,
        prompt: [{ role: 'user', content: [{ type: 'file', mediaType: 'x/y', data: deep() as never }] }],
      }),
    ).rejects.toThrow('limits.jsonDepth');
    await ask(two);
    await ask(talk, { limits: { callsPerRound: 2 } });
    expect(two.server.requests).toHaveLength(2);
  });

  it('tools run by the concurrency of the model', async () => {
    let atOnce = 0;
    let most = 0;
    const slow = async (): Promise<string> => {
      most = Math.max(most, (atOnce += 1));
      await new Promise((resolve) => setTimeout(resolve, 5));
      atOnce -= 1;
      return 'x';
    };
    const calls = [1, 2].map((n) => ({ type: 'call' as const, name: 'slow', arguments: { n }, callId: `c${n}` }));
    const { responseEvents } = await import('../../src/testing.js');
    const steps = [responseEvents({ id: 'r1', output: calls }), say('x')];
    const talk = await start(steps, { tools: { slow: { inputSchema: { type: 'object' }, execute: slow } } });
    await ask(talk, { toolConcurrency: 2 });
    expect(most).toBe(2);
  });
});

function deep(levels = 60): unknown {
  return levels === 0 ? 1 : [deep(levels - 1)];
}

describe('settings of the loop among the options of a call', () => {
  const askWith = async (options: object) => {
    const talk = await begin({ maxRounds: 3 });
    const call = { ...HELLO, providerOptions: options } as Parameters<ReturnType<Talk['provider']>['doStream']>[0];
    const { stream } = await talk.provider('m').doStream(call);
    const warnings: unknown[] = [];
    for await (const part of stream as AsyncIterable<{ warnings?: unknown[] }>) warnings.push(...(part.warnings ?? []));
    return { talk, warnings };
  };

  it('count by their names, without a warning, and are not sent', async () => {
    const { talk, warnings } = await askWith({ 'responses-loop': { maxRounds: 1, toolNames: ['add'] } });
    expect([toolsOf(talk), choiceOf(talk, 1), warnings]).toEqual([['add'], 'none', []]);
    expect(Object.keys(talk.server.requests[0]?.body ?? {})).not.toContain('maxRounds');
  });

  it('count under our own name only, and the option of the API keeps its name', async () => {
    const vendor = await askWith({ openai: { maxRounds: 1 } });
    expect(choiceOf(vendor.talk, 1)).not.toBe('none');
    const { talk } = await askWith({ 'responses-loop': { maxToolCalls: 1 } });
    expect(talk.server.requests[0]?.body).toMatchObject({ max_tool_calls: 1 });
    expect(talk.server.requests).toHaveLength(4);
  });

  it('are refused where they are wrong', async () => {
    await expect(askWith({ 'responses-loop': { maxRounds: 'many' } })).rejects.toMatchObject({
      code: 'invalid-options',
    });
  });

  it.each([
    [{ denyTools: ['mul'] }, 'cannot have "denyTools". It is set in an entry of "mcpServers"'],
    [{ allowTools: ['add'] }, 'cannot have "allowTools". It is set in an entry of "mcpServers"'],
    [{ approve: () => false }, 'cannot have "approve". It is set for a model'],
    [{ redactToolOutput: () => '' }, 'cannot have "redactToolOutput". It is set for a model'],
  ])('are refused if they would protect nobody: %j', async (options, message) => {
    await expect(askWith({ 'responses-loop': options })).rejects.toThrow(message);
  });
});

describe('functions', () => {
  it('`approve` of the model replaces that of the provider, and `undefined` takes none away', async () => {
    const asked: string[] = [];
    const approve = (by: string) => () => {
      asked.push(by);
      return true;
    };
    const talk = await start([callAdd('r1'), say('5'), callAdd('r2'), say('5')], {
      tools: ADD,
      approve: approve('provider'),
    });
    await ask(talk, { approve: approve('model') });
    await ask(talk, { approve: undefined });
    expect(asked).toEqual(['model', 'provider']);
  });

  it('no option of a call switches approvals off', async () => {
    const talk = await begin({ approve: () => false });
    await expect(ask(talk, {}, { approve: null })).rejects.toMatchObject({
      code: 'invalid-options',
      message: `The call's loop options cannot have "approve". It is set for a model: provider("…", { approve: … }).`,
    });
    expect(talk.server.requests).toHaveLength(0);
  });

  it('`redactToolOutput` of the model is the one that changes its outputs', async () => {
    const talk = await start([callAdd('r1'), say('5')], { tools: ADD });
    await ask(talk, { redactToolOutput: () => ({ isError: false, content: [{ type: 'text', text: 'hidden' }] }) });
    expect(JSON.stringify(talk.server.requests[1]?.body)).toContain('hidden');
  });

  it('`onEvent` of the model is called beside that of the provider, for its calls only', async () => {
    const seen: string[] = [];
    const watch = (by: string) => (event: ObserverEvent) => void seen.push(`${by} ${event.type}`);
    const talk = await start([say('a'), say('b')], { tools: ADD, onEvent: watch('provider') });
    await ask(talk, { onEvent: watch('model') });
    const both = ['call-start', 'request', 'round-end', 'call-end'].filter((type) => seen.includes(`provider ${type}`));
    expect(both.length).toBeGreaterThan(2);
    for (const type of both)
      expect(
        seen.filter((line) => line === `model ${type}`),
        type,
      ).toHaveLength(1);
    seen.length = 0;
    await ask(talk);
    expect(seen.filter((line) => line.startsWith('model'))).toEqual([]);
  });
});

describe('what is shown and what is carried', () => {
  it('`toolParts` and `onUnknownTool` may be set for a call', async () => {
    const talk = await start([callAdd('r1'), say('5'), callAdd('r2'), say('5')], { tools: ADD });
    expect((await ask(talk, {}, { toolParts: 'all' })).types).toContain('tool-result');
    expect((await ask(talk, { toolParts: 'none' })).types).not.toContain('tool-result');
  });

  it('with `carrier: none` of the model nothing travels in its parts', async () => {
    const talk = await start([callAdd('r1'), say('5'), callAdd('r2'), say('5')], { tools: ADD });
    const partsOf = async (own?: LoopSettings): Promise<string> => {
      const { content } = await talk.provider('m', own).doGenerate(HELLO);
      return JSON.stringify(content);
    };
    expect(await partsOf()).toContain('call_r1');
    expect(await partsOf({ carrier: 'none' })).not.toContain('call_r2');
  });
});

describe('which tools are offered', () => {
  it.each<[LoopSettings | undefined, unknown, readonly string[] | undefined]>([
    [undefined, undefined, ['add', 'mul']],
    [{ toolNames: ['a*'] }, undefined, ['add']],
    [undefined, { toolNames: ['mul'] }, ['mul']],
    [{ toolNames: ['a*'] }, { toolNames: ['*'] }, ['add']],
    [{ toolNames: ['a*'] }, { toolNames: ['mul'] }, undefined],
    [{ servers: ['local'] }, undefined, ['add', 'mul']],
    [{ servers: [] }, undefined, undefined],
    [undefined, { servers: [] }, undefined],
    [{ toolNames: [] }, undefined, undefined],
  ])('model %j, call %j: %j', async (own, loop, names) => {
    const talk = await start([say('x')], { tools: BOTH });
    await ask(talk, own, loop);
    expect(toolsOf(talk)).toEqual(names);
  });

  it('a call of a tool that is not offered is a call of an unknown tool', async () => {
    const talk = await start([callAdd('r1'), say('x')], { tools: BOTH });
    await ask(talk, { toolNames: ['mul'] });
    expect(JSON.stringify(talk.server.requests[1]?.body)).toContain('The tools are: mul.');
  });

  it('a name that no tool has is a warning, which lists those there are', async () => {
    const talk = await start([say('x')], { tools: BOTH });
    const { warnings } = await ask(talk, { toolNames: ['add', 'sub*'] });
    expect(warnings.join('\n')).toContain(
      '\\"toolNames\\" names \\"sub*\\", which is none of the tools there are: add, mul.',
    );
  });

  it('a pattern that excludes is refused before anything is sent, for a model and for a call', async () => {
    const talk = await start([say('x')], { tools: BOTH });
    const refusal = '"toolNames" lists the tools to keep, so it cannot exclude "!mul"';
    await expect(ask(talk, { toolNames: ['*', '!mul'] })).rejects.toThrow(refusal);
    await expect(ask(talk, undefined, { toolNames: ['*', '!mul'] })).rejects.toThrow(refusal);
    expect(talk.server.requests).toHaveLength(0);
  });

  it('a server that is down makes no name unknown, and one that is not chosen is not asked', async () => {
    const mcpServers = { down: { url: 'http://127.0.0.1:1/mcp' } };
    const talk = await start([say('x'), say('x')], { tools: BOTH, mcpServers });
    const chosen = await ask(talk, { servers: ['local'], toolNames: ['from_down'] });
    expect(chosen.warnings).toEqual([]);
    const { warnings } = await ask(talk, { toolNames: ['from_down'] });
    expect(warnings.join('\n')).not.toContain('toolNames');
    expect(warnings.join('\n')).toContain('down');
  });

  it('calls without a choice keep their list, whatever others chose between', async () => {
    const talk = await start([say('x'), say('x'), say('x')], { tools: BOTH });
    await ask(talk);
    await ask(talk, {}, { servers: [] });
    await ask(talk);
    expect([toolsOf(talk, 0), toolsOf(talk, 1), toolsOf(talk, 2)]).toEqual([['add', 'mul'], undefined, ['add', 'mul']]);
  });
});

describe('a call that declares some of the loop tools', () => {
  const stub = (name: string): object => ({
    type: 'function',
    name,
    inputSchema: {},
    providerOptions: { 'responses-loop': { loopTool: true } },
  });

  it.each([
    [['mul'], undefined, ['mul']],
    [['mul', 'gone'], undefined, ['mul']],
    [['add', 'mul'], { toolNames: ['a*'] }, ['add']],
    [['gone'], undefined, undefined],
  ])('%j, model %j: %j are offered', async (declared, own, names) => {
    const talk = await start([say('x')], { tools: BOTH });
    await talk.provider('m', own).doGenerate({ ...HELLO, tools: declared.map(stub) as never });
    expect(toolsOf(talk)).toEqual(names);
  });

  it('a forced tool that is not among them is a warning', async () => {
    const talk = await start([say('x')], { tools: BOTH });
    const toolChoice = { type: 'tool', toolName: 'add' } as const;
    const { warnings } = await talk.provider('m').doGenerate({ ...HELLO, tools: [stub('mul')] as never, toolChoice });
    expect(JSON.stringify(warnings)).toContain('toolChoice names');
  });
});

describe('settings of other rooms', () => {
  it('`prepareRound`, `stopWhen` and `runTools` may be a model’s', async () => {
    const talk = await start([callAdd('r1'), say('5'), callAdd('r2'), say('x')], { tools: ADD });
    const rounds: number[] = [];
    await ask(talk, { prepareRound: ({ roundNumber }) => void rounds.push(roundNumber) });
    expect(rounds).toHaveLength(1);
    await ask(talk, { stopWhen: () => true });
    expect(talk.server.requests).toHaveLength(3);
    await ask(talk, { runTools: 'sdk' });
    expect(toolsOf(talk, 3)).toBeUndefined();
    expect([toolsOf(talk, 0), toolsOf(talk, 2)]).toEqual([['add'], ['add']]);
  });

  it('rounds that another model answers keep the settings of the model', async () => {
    const seen: string[] = [];
    const talk = await start([callAdd('r1'), say('5')], { tools: ADD });
    await ask(talk, {
      prepareRound: () => ({ model: 'other' }),
      onEvent: (event) => void (event.type === 'request' && seen.push(event.type)),
    });
    expect(seen).toHaveLength(2);
  });

  it('the stock provider gets the tools that the model offers', async () => {
    const talk = await start([say('x')], { tools: BOTH });
    const stock = createOpenAI({ baseURL: talk.server.baseURL, apiKey: 'k' });
    const both = withStockFallback({ primary: talk.provider, stock, useStock: true });
    await ask({ provider: both }, { toolNames: ['a*'] });
    expect(toolsOf(talk)).toEqual(['add']);
  });
});

describe('the option `loop` of a call', () => {
  it.each<[unknown, string]>([
    ['x', `The call's loop options must be an object, not "x".`],
    [{ rounds: 1 }, `The call's loop options cannot have "rounds". Known settings: maxRounds`],
    [{ MaxRound: 1 }, 'Did you mean "maxRounds"?'],
    [{ maxRounds: '3' }, `The call's loop options: "maxRounds" must be a number of at least 0.`],
    [{ servers: ['nobody'] }, '"servers" names the unknown server "nobody". Known servers: local.'],
    [{ carrier: 'none' }, 'It is set for a model'],
  ])('%j is refused before anything is sent', async (loop, message) => {
    const talk = await begin();
    await expect(ask(talk, {}, loop)).rejects.toMatchObject({
      code: 'invalid-options',
      message: expect.stringContaining(message),
    });
    expect(talk.server.requests).toHaveLength(0);
  });

  it('counts under our key and the name of the provider, not under `openai`', async () => {
    const talk = await start([say('x'), say('x')], { tools: BOTH });
    const { warnings } = await ask(talk, {}, { toolNames: ['add'] }, 'openai');
    expect(warnings.join('\n')).toContain('The provider option \\"loop\\" is not known and was not sent');
    expect(toolsOf(talk)).toEqual(['add', 'mul']);
    await using kelivo = createKelivoResponsesProvider({ baseURL: talk.server.baseURL, tools: BOTH });
    expect((await ask({ provider: kelivo }, {}, { toolNames: ['add'] }, 'kelivo-responses')).warnings).toEqual([]);
    expect(toolsOf(talk, 1)).toEqual(['add']);
  });
});
