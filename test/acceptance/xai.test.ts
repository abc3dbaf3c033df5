import { expect, it } from 'vitest';
import { createResponsesProvider } from 'responses-loop/v4';
import { responseBody } from 'responses-loop/testing';
import { readAll, userPrompt } from './support/parts.js';
import { reply, rigOf, says } from './support/rig.js';

const asked = (type: string, id: string, args: object) => ({
  type,
  id,
  status: 'completed',
  arguments: JSON.stringify(args),
});
const OUTPUT = [
  asked('web_search_call', 'ws_1', { query: 'ducks' }),
  asked('x_search_call', 'xs_1', { query: 'geese' }),
  asked('code_execution_call', 'ce_1', { code: 'print(1)' }),
  asked('code_interpreter_call', 'ci_1', { code: 'print(2)' }),
];
const tool = (id: string, name: string) => ({ type: 'provider' as const, id: `xai.${id}` as const, name, args: {} });
const TOOLS = [tool('web_search', 'web'), tool('x_search', 'x'), tool('code_execution', 'run')];

it('tools that xAI runs are shown under their declared names, with what they were asked, and go back as they came', async () => {
  const body = responseBody(says('resp_1', 'Done.')) as { output: object[] };
  const json = { ...body, output: [...OUTPUT, ...body.output] } as never;
  const { model, requests } = await rigOf(
    createResponsesProvider,
    [{ json }, { json: responseBody(says('resp_2', 'Again.')) }],
    { backend: 'xai' },
  );
  const { content } = await model.doGenerate({ prompt: userPrompt(), tools: TOOLS });
  const calls = content.filter((part) => part.type === 'tool-call');
  expect(
    calls.map(({ toolName, input, providerExecuted }) => [toolName, JSON.parse(input) as unknown, providerExecuted]),
  ).toEqual([
    ['web', { query: 'ducks' }, true],
    ['x', { query: 'geese' }, true],
    ['run', { code: 'print(1)' }, true],
    ['run', { code: 'print(2)' }, true],
  ]);
  expect(content.filter((part) => part.type === 'tool-result')).toHaveLength(4);

  const assistant = content.flatMap((part): object[] => {
    const providerOptions =
      'providerMetadata' in part && part.providerMetadata !== undefined
        ? { providerOptions: part.providerMetadata }
        : {};
    if (part.type === 'tool-call') return [{ ...part, input: JSON.parse(part.input) as unknown, ...providerOptions }];
    if (part.type === 'tool-result')
      return [{ ...part, output: { type: 'json', value: part.result }, ...providerOptions }];
    return part.type === 'text' ? [{ type: 'text', text: part.text, ...providerOptions }] : [];
  });
  await model.doGenerate({
    prompt: [...userPrompt(), { role: 'assistant', content: assistant }, ...userPrompt('Again?')] as never,
    tools: TOOLS,
  });
  const input = requests[1]?.body['input'] as { type: string; arguments?: string }[];
  expect(input.filter(({ type }) => type.endsWith('_call')).map(({ type, arguments: text }) => [type, text])).toEqual(
    OUTPUT.map(({ type, arguments: text }) => [type, text]),
  );
});

/** Steps of xAI's agents have the form of calls of custom tools. */
const step = (name: string) => ({
  type: 'custom_tool_call',
  id: `ctc_${name}`,
  call_id: `call_${name}`,
  name,
  input: '{"query":"ducks"}',
  status: 'completed',
});

it.each([
  ['x_keyword_search', 'x'],
  ['x_semantic_search', 'x'],
  ['x_user_search', 'x'],
  ['x_thread_fetch', 'x'],
  ['view_x_video', 'x'],
  ['browse_page', 'web'],
  ['web_search', 'web'],
  ['web_search_with_snippets', 'web'],
  ['code_execution', 'run'],
  ['view_image', 'look'],
])(
  'the step %s of an agent of xAI is shown as run by the server, under the declared name of its tool',
  async (name, as) => {
    const body = responseBody(says('resp_1', 'Done.')) as { output: object[] };
    const json = { ...body, output: [step(name), ...body.output] } as never;
    const { model } = await rigOf(createResponsesProvider, [{ json }], { backend: 'xai' });
    const tools = [...TOOLS, tool('view_image', 'look')];
    const { content, finishReason } = await model.doGenerate({ prompt: userPrompt(), tools });
    const [call, result] = content;
    expect(call).toMatchObject({ type: 'tool-call', toolName: as, input: '{"query":"ducks"}', providerExecuted: true });
    expect(result).toMatchObject({ type: 'tool-result', toolName: as, result: { status: 'completed' } });
    expect(finishReason.unified).toBe('stop');
  },
);

it('the input of a step of the server is not shown on its way', async () => {
  const output = [{ type: 'item', item: step('x_keyword_search') } as const, { type: 'text', text: 'Done.' } as const];
  const { model } = await rigOf(createResponsesProvider, [reply({ output })], { backend: 'xai' });
  const parts = await readAll((await model.doStream({ prompt: userPrompt(), tools: TOOLS })).stream);
  expect(parts.filter(({ type }) => type.startsWith('tool-')).map(({ type }) => type)).toEqual([
    'tool-call',
    'tool-result',
  ]);
});

it('a custom tool that the call declares is the caller’s, whatever its name', async () => {
  const body = responseBody(says('resp_1', 'Done.')) as { output: object[] };
  const json = { ...body, output: [step('browse_page')] } as never;
  const { model } = await rigOf(createResponsesProvider, [{ json }], { backend: 'openai' });
  const browse = { type: 'provider' as const, id: 'openai.custom' as const, name: 'browse_page', args: {} };
  const web = { type: 'provider' as const, id: 'openai.web_search' as const, name: 'web', args: {} };
  const { content, finishReason } = await model.doGenerate({ prompt: userPrompt(), tools: [web, browse] });
  expect(content[0]).toMatchObject({ type: 'tool-call', toolName: 'browse_page' });
  expect(content[0]).not.toHaveProperty('providerExecuted', true);
  expect(finishReason.unified).toBe('tool-calls');
});
