import { ownWords } from '../../src/core/clean-text.js';
import { Redactor } from '../../src/observe/redactor.js';
import { describe, expect, it } from 'vitest';
import { errorReply } from 'responses-loop/testing';
import { classifyFailure } from '../../src/errors/classify-failure.js';
import { readRefused } from '../../src/request/refusals.js';
import { stripRefused } from '../../src/request/strip-refused.js';
import { toApiError } from '../../src/stream/decode-failure.js';
import { createGate } from '../../src/testing/script/gate.js';
import { finishOf, streamParts, userPrompt } from '../acceptance/support/parts.js';
import { calls, reply, rig, says } from '../acceptance/support/rig.js';

const now = { inputSchema: { type: 'object' }, execute: () => '12:00', readOnly: true };
const refuse = (param: string, message: string) => ({ status: 400, json: { error: { message, param, code: null } } });

describe('a refused tool that has no name', () => {
  it('is remembered by its kind, so that the tools of the next call stay', async () => {
    const webSearch = { type: 'provider-defined', id: 'openai.web_search', name: 'web_search', args: {} } as const;
    const { model, requests } = await rig(
      [refuse('tools[1].type', 'Unknown tool type.'), reply(says('resp_1', 'Hi.')), reply(says('resp_2', 'Hi.'))],
      { tools: { now } },
    );
    const ask = { type: 'function', name: 'ask', inputSchema: { type: 'object', properties: {} } } as const;
    await streamParts(model, { tools: [webSearch] });
    await streamParts(model, { tools: [ask] });
    const kinds = requests.map(({ body }) =>
      (body['tools'] as { name?: string; type: string }[]).map((tool) => tool.name ?? tool.type),
    );
    expect(kinds).toEqual([['now', 'web_search'], ['now'], ['now', 'ask']]);
  });

  it('takes a choice that names it and idle fields along', () => {
    const tool = { type: 'function', name: 'now' };
    const body = { tools: [tool, { type: 'function', name: 'later' }], tool_choice: { type: 'function', name: 'now' } };
    expect(stripRefused(body, { kind: 'tool', name: 'now' })).toEqual({ tools: [{ type: 'function', name: 'later' }] });
    expect(stripRefused({ tools: [tool], parallel_tool_calls: true }, { kind: 'tool', name: 'now' })).toEqual({});
  });
});

describe('what is read from a refusal', () => {
  const read = (message: string, param: string) =>
    readRefused(
      toApiError({ error: { message, param } }, { url: ownWords(''), statusCode: 400, redactor: Redactor.NONE }),
      {},
    )?.refusals;

  it('sealed reasoning that a model cannot give is no longer asked for', () => {
    expect(read('Encrypted content is not supported with this model.', 'include')).toEqual([
      { kind: 'field', field: 'include' },
    ]);
  });

  it('what is said of an item of the input is said of no field', () => {
    expect(read("Input item type 'reasoning' is not supported by this model", 'input[1]')).toBeUndefined();
    expect(read("The role 'user' is not supported by this model", 'input[0].role')).toBeUndefined();
  });

  it('what did not help is not remembered', async () => {
    const refusal = refuse('truncation', 'Unsupported parameter: truncation');
    const { model, requests } = await rig([refusal, errorReply({ status: 400 }), reply(says('resp_1', 'Hi.'))]);
    const options = { providerOptions: { openai: { truncation: 'auto' } } };
    await expect(model.doStream({ prompt: userPrompt(), ...options })).rejects.toThrow();
    await streamParts(model, options);
    expect(requests.map(({ body }) => body['truncation'])).toEqual(['auto', undefined, 'auto']);
  });
});

describe('close() while a local tool runs', () => {
  it('aborts the tool and ends the call', async () => {
    const started = createGate();
    const aborted = createGate();
    const endless = {
      inputSchema: { type: 'object' },
      execute: (_args: unknown, { abortSignal }: { abortSignal: AbortSignal }) => {
        abortSignal.addEventListener('abort', () => aborted.release());
        started.release();
        return new Promise<string>(() => {});
      },
    };
    const { model, provider } = await rig([reply(calls('resp_1', ['endless', {}]))], { tools: { endless } });
    const reading = streamParts(model);
    await started.released;
    await provider.close();
    await aborted.released;
    expect((await reading).at(-1)).toMatchObject({ type: 'finish', finishReason: 'error' });
  });
});

describe('maxToolCalls', () => {
  it('is not used up by calls that run nothing', async () => {
    const { model, requests } = await rig(
      [reply(calls('resp_1', ['nosuch', {}], ['now', {}])), reply(says('resp_2', 'Noon.'))],
      { tools: { now }, maxToolCalls: 1 },
    );
    expect(finishOf(await streamParts(model)).finishReason).toBe('stop');
    expect(requests[1]?.input.at(-1)?.['output']).toBe('12:00');
  });
});

describe('a failure class', () => {
  it('is no safer than its status, whatever the code says', () => {
    expect(classifyFailure({ statusCode: 502, serverCode: 'overloaded' }).isReplaySafe).toBe(false);
    expect(classifyFailure({ statusCode: 503, serverCode: 'overloaded' }).isReplaySafe).toBe(true);
  });
});

describe('a conversation kept by the server', () => {
  it('is told of a call that never got an output', async () => {
    const { model, requests } = await rig([reply(says('resp_1', 'Fine.'))]);
    await streamParts(model, {
      prompt: [
        ...userPrompt('Q'),
        {
          role: 'assistant',
          content: [
            {
              type: 'tool-call',
              toolCallId: 'call_z',
              toolName: 'ask',
              input: {},
              providerOptions: { openai: { itemId: 'fc_1' } },
            },
          ],
        },
        ...userPrompt('Never mind.'),
      ],
      providerOptions: { openai: { conversation: 'conv_1' } },
    });
    expect(requests[0]?.input.map((item) => item['output'] ?? item['type'])).toEqual([
      expect.stringContaining('interrupted'),
      'message',
    ]);
  });
});

describe('a prompt with nothing in it', () => {
  it('is refused before anything is sent, naming the back end', async () => {
    const { model } = await rig([], { backend: 'xai' });
    await expect(model.doStream({ prompt: userPrompt('') })).rejects.toMatchObject({
      code: 'invalid-prompt',
      message: expect.stringContaining('"xai"') as string,
    });
  });

  it('empty texts are left out of messages that hold more', async () => {
    const { model, requests } = await rig([reply(says('resp_1', 'Hi.'))]);
    const text = (value: string) => ({ type: 'text' as const, text: value });
    await streamParts(model, { prompt: [{ role: 'user', content: [text(''), text('Hi')] }, ...userPrompt('')] });
    expect(requests[0]?.input.map((item) => item['content'])).toEqual([[{ type: 'input_text', text: 'Hi' }]]);
  });
});
