import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.js';
import { fromPrompt } from '../../src/sdk/prompt/from-prompt.js';
import { build, user } from '../request/support/build.js';

const tools = ['custom', 'local_shell', 'shell', 'apply_patch', 'computer', 'tool_search'].map((kind) => ({
  type: 'provider',
  id: `openai.${kind}`,
  name: `my_${kind}`,
  args: {},
}));
const RAN = { stdout: 'ok', stderr: '', outcome: { type: 'exit', exitCode: 0 } };
const SHOT = { type: 'computer_screenshot', imageUrl: 'data:image/png;base64,AA' };
const CALLER = { type: 'program', callerId: 'call_p' };
const found = { type: 'function', name: 'f', parameters: {} };

const ROWS: readonly (readonly [string, JsonObject, JsonObject])[] = [
  ['custom', { type: 'text', value: 'Six.' }, { type: 'custom_tool_call_output', output: 'Six.' }],
  ['local_shell', { type: 'json', value: { output: 'ok' } }, { type: 'local_shell_call_output', output: 'ok' }],
  [
    'shell',
    { type: 'json', value: { output: [RAN] } },
    { type: 'shell_call_output', output: [{ ...RAN, outcome: { type: 'exit', exit_code: 0 } }] },
  ],
  [
    'apply_patch',
    { type: 'json', value: { status: 'failed', output: 'No.' } },
    { type: 'apply_patch_call_output', status: 'failed', output: 'No.' },
  ],
  [
    'computer',
    { type: 'json', value: { output: SHOT } },
    { type: 'computer_call_output', output: { type: 'computer_screenshot', image_url: SHOT.imageUrl } },
  ],
  [
    'tool_search',
    { type: 'json', value: { tools: [found] } },
    { type: 'tool_search_output', execution: 'client', status: 'completed', tools: [found] },
  ],
  ['other', { type: 'text', value: 'Six.' }, { type: 'function_call_output', output: 'Six.' }],
];

const STATES: readonly (readonly [string, JsonObject])[] = [
  ['previousResponseId', { previousResponseId: 'resp_1' }],
  ['conversation', { conversation: 'conv_1' }],
];
const result = (kind: string, output: JsonObject, more: object = {}): object => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: 'c1', toolName: `my_${kind}`, output, ...more }],
});

describe.each(STATES)('with %s, the result of a call that only the server has', (_name, openai) => {
  const inputOf = (...prompt: object[]): JsonObject[] => build({ prompt, tools, providerOptions: { openai } }).input;

  it.each(ROWS)('of %s is the output of its family', (kind, output, sent) => {
    expect(inputOf(result(kind, output))).toEqual([{ call_id: 'c1', ...sent }]);
  });

  it.each(ROWS)(
    'of %s is so behind an answer that the server has, and before what the user says',
    (kind, output, sent) => {
      const providerOptions = { openai: { itemId: 'msg_1' } };
      const answer = { role: 'assistant', content: [{ type: 'text', text: 'I look.', providerOptions }] };
      const input = inputOf(user('Q'), answer, result(kind, output), user('And?'));
      expect(input.filter(({ type }) => type !== 'message')).toEqual([{ call_id: 'c1', ...sent }]);
    },
  );

  it('names the program that made the call', () => {
    const providerOptions = { openai: { caller: CALLER } };
    for (const kind of ['custom', 'other'])
      expect(inputOf(result(kind, { type: 'text', value: 'Six.' }, { providerOptions }))).toMatchObject([
        { caller: { type: 'program', caller_id: 'call_p' } },
      ]);
  });

  it('is JSON where the tool has a schema for its results', () => {
    const schema = { type: 'string' };
    const declared = {
      type: 'function',
      name: 'my_other',
      inputSchema: { type: 'object' },
      providerOptions: { openai: { outputSchema: schema } },
    };
    const prompt = [result('other', { type: 'text', value: 'Six.' })];
    expect(build({ prompt, tools: [declared], providerOptions: { openai } }).input).toMatchObject([
      { output: '"Six."' },
    ]);
  });
});

it('with `carrier: "none"` no result of a search for tools brings any', () => {
  const prompt = [result('tool_search', { type: 'json', value: { tools: [found] } })];
  const hostedTools = tools.map(({ id, name, args }) => ({ id, name, args, type: id.replace('openai.', '') }));
  const { messages } = fromPrompt(prompt, { trust: { carriers: false }, hostedTools });
  expect(messages).toMatchObject([{ content: [{ type: 'tool-result', callId: 'c1' }] }]);
  expect(JSON.stringify(messages)).not.toContain('tool_search_call');
});
