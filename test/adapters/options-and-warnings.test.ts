import { describe, expect, it } from 'vitest';
import { createResponsesProvider as createV2, type ResponsesProviderSettings } from 'responses-loop';
import { createResponsesProvider as createV3 } from 'responses-loop/v3';
import { createResponsesProvider as createV4 } from 'responses-loop/v4';
import type { ScriptedStep } from 'responses-loop/testing';
import { type CallOptions, partsOf, streamParts, userPrompt } from '../acceptance/support/parts.js';
import { reply, rigOf, says } from '../acceptance/support/rig.js';
import { adder } from '../acceptance/support/tools.js';

const answer = reply(says('resp_1', 'Ok.'));
const rig = {
  v2: (steps: readonly ScriptedStep[], settings: ResponsesProviderSettings = {}) => rigOf(createV2, steps, settings),
  v3: (steps: readonly ScriptedStep[], settings: ResponsesProviderSettings = {}) => rigOf(createV3, steps, settings),
  v4: (steps: readonly ScriptedStep[], settings: ResponsesProviderSettings = {}) => rigOf(createV4, steps, settings),
};
type Version = keyof typeof rig;

/** What a version's model says about a call: streamed and generated, which have to be the same. */
async function warningsOf(version: Version, options: object, settings?: ResponsesProviderSettings): Promise<unknown> {
  const { model } = await rig[version]([answer, answer], settings);
  const call = { prompt: userPrompt(), ...options } as unknown as CallOptions;
  const parts: { type: string; warnings?: unknown }[] = await streamParts(model as never, call);
  const start = parts.find(({ type }) => type === 'stream-start');
  const { warnings } = await (
    model as { doGenerate(options: CallOptions): PromiseLike<{ warnings: unknown }> }
  ).doGenerate(call);
  expect(warnings).toEqual(start?.warnings);
  return warnings;
}

describe('what was not sent is a warning of the type that each version has for it', () => {
  const text = expect.stringContaining('not sent') as string;
  const bash = { id: 'anthropic.bash', name: 'bash', args: { a: 1 } };

  it('V2: a setting, or a tool', async () => {
    const tools = [{ type: 'provider-defined', ...bash }];
    expect(await warningsOf('v2', { topK: 3, tools })).toEqual([
      { type: 'unsupported-tool', tool: { type: 'provider-defined', ...bash }, details: text },
      { type: 'unsupported-setting', setting: 'topK', details: text },
    ]);
  });

  it.each(['v3', 'v4'] as const)('%s: a feature', async (version) => {
    const tools = [{ type: 'provider', ...bash }];
    expect(await warningsOf(version, { topK: 3, tools, providerOptions: { openai: { nonsense: true } } })).toEqual([
      { type: 'unsupported', feature: 'provider-defined tool bash', details: text },
      { type: 'unsupported', feature: 'topK', details: text },
      { type: 'unsupported', feature: 'nonsense', details: text },
    ]);
  });

  it('what is no feature stays a sentence', async () => {
    const prompt = [{ role: 'system', content: 'a' }, ...userPrompt()];
    expect(await warningsOf('v3', { prompt, providerOptions: { openai: { systemMessageMode: 'remove' } } })).toEqual([
      { type: 'other', message: expect.stringContaining('"remove"') as string },
    ]);
  });

  it('whoever watches hears of it in words', async () => {
    const heard: string[] = [];
    const onEvent: ResponsesProviderSettings['onEvent'] = (event) => {
      if (event.type === 'warning') heard.push(event.message);
    };
    await warningsOf('v4', { topK: 3 }, { onEvent });
    expect(heard).toEqual([expect.stringContaining('topK'), expect.stringContaining('topK')]);
  });

  it('names in allowedTools that mean nothing, and options of loop tools that the server does not know', async () => {
    const allowedTools = { toolNames: ['add', 'ghost'] };
    const settings = { tools: { add: adder({ allowedCallers: ['programmatic'] }).add } };
    expect(await warningsOf('v4', { providerOptions: { openai: { allowedTools } } }, settings)).toEqual([
      { type: 'unsupported', feature: 'allowedCallers', details: expect.stringContaining('"add"') as string },
      {
        type: 'unsupported',
        feature: 'allowedTools entry "ghost"',
        details: expect.stringContaining('ghost') as string,
      },
    ]);
  });
});

describe('an option that cannot be right', () => {
  it.each(['v2', 'v3', 'v4'] as const)('%s: rejects before anything is sent', async (version) => {
    const { model, requests } = await rig[version]([]);
    const call = { prompt: userPrompt(), providerOptions: { openai: { store: 'yes' } } };
    await expect(streamParts(model as never, call)).rejects.toMatchObject({
      code: 'invalid-options',
      name: 'ResponsesLoopError',
    });
    expect(requests).toEqual([]);
  });

  it('a choice of a tool that is kept out of the request', async () => {
    const { model, requests } = await rig.v4([]);
    const tool = {
      type: 'function',
      name: 'f',
      inputSchema: {},
      providerOptions: { openai: { omitFromRequestTools: true } },
    };
    const call = { tools: [tool], toolChoice: { type: 'tool', toolName: 'f' } } as unknown as CallOptions;
    await expect(streamParts(model as never, call)).rejects.toMatchObject({ code: 'invalid-options' });
    expect(requests).toEqual([]);
  });
});

describe('7a a custom tool that is declared under another key than its name', () => {
  it.each(['v2', 'v3', 'v4'] as const)('%s: its calls come back under the key', async (version) => {
    const item = {
      type: 'custom_tool_call',
      id: 'ctc_1',
      call_id: 'call_1',
      name: 'write_sql',
      input: 'SELECT 1',
      status: 'completed',
    };
    const { model } = await rig[version]([reply({ id: 'resp_1', output: [{ type: 'item', item }] })]);
    const type = version === 'v2' ? 'provider-defined' : 'provider';
    const tools = [{ type, id: 'openai.custom', name: 'sql', args: { name: 'write_sql' } }];
    const parts = await streamParts(model as never, { tools });
    expect(partsOf(parts as { type: string }[], 'tool-call')).toMatchObject([
      { toolCallId: 'call_1', toolName: 'sql', input: '"SELECT 1"' },
    ]);
  });
});

describe("xAI's code_execution", () => {
  it('comes back under the name it was declared by', async () => {
    const item = {
      type: 'code_interpreter_call',
      id: 'ci_1',
      code: '1+1',
      container_id: null,
      outputs: [],
      status: 'completed',
    };
    const { model } = await rig.v4([reply({ id: 'resp_1', output: [{ type: 'item', item }] })], { backend: 'xai' });
    const tools = [{ type: 'provider', id: 'xai.code_execution', name: 'run', args: {} }];
    const parts = await streamParts(model as never, { tools });
    expect(partsOf(parts as { type: string }[], 'tool-call')).toMatchObject([{ toolName: 'run' }]);
  });
});

describe('what each version asks for along with an effort', () => {
  it.each([
    ['v2', { effort: 'low' }],
    ['v3', { effort: 'low' }],
    ['v4', { effort: 'low', summary: 'detailed' }],
  ] as const)('%s: as the stock provider of its major', async (version, expected) => {
    const { model, requests } = await rig[version]([answer], { backend: 'azure' });
    const providerOptions = { openai: { reasoningEffort: 'high' }, azure: { reasoningEffort: 'low' } };
    await streamParts(model as never, { providerOptions });
    expect(requests.map(({ body }) => body['reasoning'])).toEqual([expected]);
  });
});
