import type { LanguageModelV2CallOptions } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.js';
import type { ResponsesProviderSettings } from 'responses-loop';
import { reply, rig, says } from './support/rig.js';
import { itemsOfType } from './support/wire.js';

type Prompt = LanguageModelV2CallOptions['prompt'];

const ASKED = {
  type: 'mcp_approval_request',
  id: 'mcpr_1',
  server_label: 'docs',
  name: 'search',
  arguments: '{"q":"ducks"}',
};
const user: Prompt[number] = { role: 'user', content: [{ type: 'text', text: 'Search.' }] };

/** The user's word, as newer versions of the AI SDK write it; the type of this one does not know it. */
function answer(rest: JsonObject): Prompt[number] {
  return { role: 'tool', content: [{ type: 'tool-approval-response', ...rest }] } as unknown as Prompt[number];
}

/** The request of a second turn, whose history is what the first one gave. */
async function secondTurn(said: Prompt[number], withText: boolean, settings: ResponsesProviderSettings = {}) {
  const text = { type: 'text', text: 'May I?' } as const;
  const output = [...(withText ? [text] : []), { type: 'item' as const, item: ASKED }];
  const { model, requests } = await rig([reply({ id: 'resp_1', output }), reply(says('resp_2', 'Found.'))], settings);
  const { content } = await model.doGenerate({ prompt: [user] });
  // Metadata of an answer comes back as options of the history.
  const told = content.map((part) => ({
    ...part,
    providerOptions: 'providerMetadata' in part ? part.providerMetadata : undefined,
  }));
  const prompt = [user, { role: 'assistant', content: told }, said] as Prompt;
  await model.doGenerate({ prompt });
  return requests[1];
}

describe('a tool of the server’s that asks leave', () => {
  it.each([true, false])('is carried with its id and gets the user’s word (behind a text: %s)', async (withText) => {
    const request = await secondTurn(answer({ approvalId: 'mcpr_1', approved: true }), withText);
    const types = request?.input.map((item) => item['type']);
    expect(types?.slice(withText ? 2 : 1)).toEqual(['mcp_approval_request', 'mcp_approval_response']);
    expect(itemsOfType(request, 'mcp_approval_request')).toEqual([ASKED]);
    expect(itemsOfType(request, 'mcp_approval_response')).toEqual([
      { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
    ]);
  });

  it('hears why not', async () => {
    const request = await secondTurn(answer({ approvalId: 'mcpr_1', approved: false, reason: 'Too dear.' }), true);
    expect(itemsOfType(request, 'mcp_approval_response')).toEqual([
      { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: false, reason: 'Too dear.' },
    ]);
  });

  it('hears nothing of a denial whose metadata names another request than the call that was denied', async () => {
    const denial = (toolCallId: string) =>
      ({
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId,
            toolName: 'search',
            output: { type: 'execution-denied', providerOptions: { openai: { approvalId: 'mcpr_1' } } },
          },
        ],
      }) as unknown as Prompt[number];
    expect(itemsOfType(await secondTurn(denial('call_9'), true), 'mcp_approval_response')).toEqual([]);
    expect(itemsOfType(await secondTurn(denial('mcpr_1'), true), 'mcp_approval_response')).toMatchObject([
      { approval_request_id: 'mcpr_1', approve: false },
    ]);
  });

  it('hears nothing of an answer to another', async () => {
    const request = await secondTurn(answer({ approvalId: 'mcpr_2', approved: true }), true);
    expect(itemsOfType(request, 'mcp_approval_response')).toEqual([]);
    expect(request?.text).not.toContain('mcpr_2');
  });

  it('hears nothing when the conversation does not hold its request', async () => {
    const { model, requests } = await rig([reply(says('resp_1', 'Hello.'))]);
    await model.doGenerate({ prompt: [user, answer({ approvalId: 'mcpr_1', approved: true })] });
    expect(requests[0]?.text).not.toContain('mcpr_1');
  });

  it.each([{ previousResponseId: 'resp_0' }, { conversation: 'conv_1' }])(
    'is told where the server keeps the conversation, and so its request: %o',
    async (openai) => {
      const { model, requests } = await rig([reply(says('resp_1', 'Hello.'))]);
      const asked: Prompt = [user, { role: 'assistant', content: [{ type: 'text', text: 'May I?' }] }];
      const prompt = [...asked, answer({ approvalId: 'mcpr_1', approved: true })];
      await model.doGenerate({ prompt, providerOptions: { openai } });
      expect(itemsOfType(requests[0], 'mcp_approval_response')).toEqual([
        { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
      ]);
    },
  );
});
