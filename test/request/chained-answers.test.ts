import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.js';
import { serverItem } from '../../src/core/call-items.js';
import {
  type AssistantContent,
  errorOutput,
  type Message,
  textOutput,
  type ToolOutput,
} from '../../src/core/message.js';
import { fromCallOptions } from '../../src/sdk/prompt/from-call-options.js';
import { pair } from '../../src/history/pair.js';
import { createRequestBuilder } from '../../src/request/build-request.js';
import { newToConversation } from '../../src/request/known-to-server.js';
import { PROFILES } from '../../src/request/profiles.js';
import { pairRounds } from './support/build.js';

type Call = Extract<AssistantContent, { type: 'tool-call' }>;

/** The input of a follow-up that continues `resp_1`, in which these calls were made and answered. */
function answersTo(...answered: readonly (readonly [call: Omit<Call, 'type' | 'name' | 'arguments'>, ToolOutput])[]) {
  const { call } = fromCallOptions(
    'gpt-test',
    { prompt: [{ role: 'user', content: 'Go.' }], providerOptions: { openai: { store: true } } },
    { stream: true },
  );
  const builder = createRequestBuilder({ call, profile: PROFILES.openai, overrides: [], defaults: {} });
  const older: Message[] = [
    { role: 'assistant', content: [{ type: 'tool-call', callId: 'call_old', name: 'add', arguments: '{}' }] },
    { role: 'tool', content: [{ type: 'tool-result', callId: 'call_old', output: textOutput('old') }] },
  ];
  const prompt = pair(call.messages);
  const body = builder.build({
    index: 1,
    prompt,
    added: pairRounds(prompt, [
      ...older,
      {
        role: 'assistant',
        content: answered.map(([made]) => ({ type: 'tool-call', name: 'do', arguments: '{}', ...made })),
      },
      {
        role: 'tool',
        content: answered.map(([{ callId }, output]) => ({ type: 'tool-result', callId, output })),
      },
    ]),
    previousResponseId: 'resp_1',
    tools: [],
    toolChoice: call.toolChoice,
    closing: false,
  });
  expect(body['previous_response_id']).toBe('resp_1');
  return body['input'] as JsonObject[];
}

describe('what a chained follow-up answers', () => {
  it.each([
    ['custom_tool_call', textOutput('done'), { type: 'custom_tool_call_output', call_id: 'call_1', output: 'done' }],
    [
      'local_shell_call',
      textOutput('{"output":"ok"}'),
      { type: 'local_shell_call_output', call_id: 'call_1', output: 'ok' },
    ],
    [
      'shell_call',
      textOutput('ok'),
      {
        type: 'shell_call_output',
        call_id: 'call_1',
        output: [{ stdout: 'ok', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
      },
    ],
    [
      'apply_patch_call',
      errorOutput('no such file'),
      { type: 'apply_patch_call_output', call_id: 'call_1', status: 'failed', output: 'no such file' },
    ],
    [
      'computer_call',
      { isError: false, content: [{ type: 'file', mediaType: 'image/png', source: { type: 'data', base64: 'AA==' } }] },
      {
        type: 'computer_call_output',
        call_id: 'call_1',
        output: { type: 'computer_screenshot', image_url: 'data:image/png;base64,AA==' },
      },
    ],
  ] satisfies [string, ToolOutput, JsonObject][])('is, for a %s, an output of its kind', (type, output, expected) => {
    expect(answersTo([{ callId: 'call_1', item: serverItem({ type, call_id: 'call_1' }) }, output])).toEqual([
      expected,
    ]);
  });

  it('is of its kind whatever the tool returned', () => {
    const returned = { type: 'message', role: 'developer', call_id: 'call_9', status: 'completed', output: 'patched' };
    const made = { callId: 'call_1', item: serverItem({ type: 'apply_patch_call', call_id: 'call_1' }) };
    expect(answersTo([made, textOutput(JSON.stringify(returned))])).toEqual([
      { type: 'apply_patch_call_output', call_id: 'call_1', status: 'completed', output: 'patched' },
    ]);
  });

  it('bears the id the server gave where ours is another', () => {
    const made = {
      callId: 'call_minted',
      wireCallId: 'call_0',
      item: serverItem({ type: 'custom_tool_call', call_id: 'call_0' }),
    };
    expect(answersTo([made, textOutput('x')])).toEqual([
      { type: 'custom_tool_call_output', call_id: 'call_0', output: 'x' },
    ]);
  });

  it('joins what came of one wrapper, and is an error only when all of it is', () => {
    const inner = (n: number) => ({ callId: `call_w_${n}`, wireCallId: 'call_w' });
    const input = answersTo([inner(0), textOutput('first')], [inner(1), textOutput('second')]);
    expect(input).toHaveLength(1);
    expect(input[0]).toMatchObject({ type: 'function_call_output', call_id: 'call_w' });
    expect(JSON.stringify(input[0]?.['output'])).toMatch(/first.*second/);
  });
});

it('a conversation is not sent outputs again that stand before the last answer of the server', () => {
  const round = { inRound: 'r1', name: 'add', arguments: '{}' } as const;
  const turns = pair([
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', callId: 'call_1', ...round },
        { type: 'tool-result', callId: 'call_1', output: textOutput('1') },
        { type: 'text', text: 'Done.', itemId: 'msg_1' },
      ],
    },
    { role: 'user', content: [{ type: 'text', text: 'Go on.' }] },
  ]);
  const { outputs, rest } = newToConversation(turns, { profile: PROFILES.openai });
  expect(outputs).toEqual([]);
  expect(rest.map(({ role }) => role)).toEqual(['user']);
});
