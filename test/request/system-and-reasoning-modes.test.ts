import { describe, expect, it } from 'vitest';

import { METADATA_KEY } from '../../src/sdk/parts/metadata.js';
import { PROFILES, type ProfileName } from '../../src/request/profiles.js';
import { build, inputOf, outline, user } from './support/build.js';

const SYSTEM = { role: 'system', content: 'Be brief.' };

describe('the system prompt', () => {
  it.each(['gpt-test', 'o3', 'gpt-5.1', 'my-fine-tune', 'qwen3'])(
    'goes out as "system" for %s: nothing is guessed from a name',
    (modelId) => {
      expect(outline(inputOf([SYSTEM, user('Hi')], { modelId }))).toEqual(['system: Be brief.', 'user: Hi']);
    },
  );

  it.each([
    ['developer', ['developer: Be brief.', 'user: Hi']],
    ['system', ['system: Be brief.', 'user: Hi']],
    ['remove', ['user: Hi']],
  ])('systemMessageMode %s', (systemMessageMode, expected) => {
    const input = inputOf([SYSTEM, user('Hi')], { providerOptions: { openai: { systemMessageMode } } });
    expect(outline(input)).toEqual(expected);
  });

  it('may be given as instructions too', () => {
    const { body } = build({ providerOptions: { openai: { instructions: 'Be brief.' } } });
    expect(body['instructions']).toBe('Be brief.');
  });
});

describe("missingReasoning: 'synthesize'", () => {
  const call = (metadata: object): object => ({
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'now', input: {}, providerOptions: metadata }],
  });
  const synthesize = { providerOptions: { [METADATA_KEY]: { missingReasoning: 'synthesize' } } };

  it('makes up an empty reasoning item with the id that the call asks for', () => {
    const input = inputOf([user('Q'), call({ openai: { itemId: 'fc_abc' } })], synthesize);
    expect(input.slice(1, 3)).toEqual([
      { type: 'reasoning', id: 'rs_abc', summary: [] },
      { type: 'function_call', id: 'fc_abc', call_id: 'call_1', name: 'now', arguments: '{}' },
    ]);
  });

  it('does nothing where reasoning stands before the call, where the id is unknown, or where nobody asked', () => {
    const sealed = {
      type: 'reasoning',
      text: '',
      providerOptions: { openai: { itemId: 'rs_abc', reasoningEncryptedContent: 'sealed' } },
    };
    const withReasoning = {
      role: 'assistant',
      content: [sealed, ...(call({ openai: { itemId: 'fc_abc' } }) as { content: object[] }).content],
    };
    expect(inputOf([user('Q'), withReasoning], synthesize).filter((item) => item['type'] === 'reasoning')).toHaveLength(
      1,
    );
    expect(outline(inputOf([user('Q'), call({})], synthesize))).not.toContain('reasoning');
    expect(outline(inputOf([user('Q'), call({ openai: { itemId: 'fc_abc' } })]))).not.toContain('reasoning');
  });
});

describe('outputs of tools with pictures', () => {
  const prompt = [
    user('Q'),
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'look', input: {} }] },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'call_1',
          toolName: 'look',
          output: {
            type: 'content',
            value: [
              { type: 'text', text: 'A duck.' },
              { type: 'media', data: 'aGk=', mediaType: 'image/png' },
            ],
          },
        },
      ],
    },
  ];

  it.each(Object.keys(PROFILES) as ProfileName[])(
    '%s gets what it takes: parts, or text that says what is missing',
    (backend) => {
      const output = inputOf(prompt, { backend }).at(-1)?.['output'];
      if (PROFILES[backend].toolOutput === 'multimodal') {
        expect(output).toEqual([
          { type: 'input_text', text: 'A duck.' },
          { type: 'input_image', image_url: 'data:image/png;base64,aGk=' },
        ]);
      } else expect(output).toMatch(/^A duck\.\n\[file: image\/png, not shown/);
    },
  );
});

describe('options of the stock provider on messages and parts', () => {
  const breakpoint = { mode: 'explicit' };
  const marked = { providerOptions: { openai: { promptCacheBreakpoint: breakpoint } } };

  it('promptCacheBreakpoint goes out with the part it stands on', () => {
    const input = inputOf([
      { ...SYSTEM, ...marked },
      { role: 'user', content: [{ type: 'text', text: 'Hi', ...marked }] },
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'now', input: {} }] },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'call_1',
            toolName: 'now',
            output: { type: 'text', value: '12:00' },
            ...marked,
          },
        ],
      },
    ]);
    expect(input.map((item) => item['content'] ?? item['output'])).toEqual([
      [{ type: 'input_text', text: 'Be brief.', prompt_cache_breakpoint: breakpoint }],
      [{ type: 'input_text', text: 'Hi', prompt_cache_breakpoint: breakpoint }],
      undefined,
      [{ type: 'input_text', text: '12:00', prompt_cache_breakpoint: breakpoint }],
    ]);
  });

  it('reasoningEffortUpdate changes the effort from its place on: of a request at the beginning, of a message where it stands', () => {
    const change = { role: 'system', content: '', providerOptions: { openai: { reasoningEffortUpdate: 'low' } } };
    const { input, warnings } = build({
      prompt: [user('Q'), change, user('Q2')],
      providerOptions: { openai: { reasoningEffortUpdate: 'high' } },
    });
    expect(input.map((item) => (item['type'] === 'message' ? 'message' : item))).toEqual([
      { type: 'configuration_update', reasoning: { effort: 'high' } },
      'message',
      { type: 'configuration_update', reasoning: { effort: 'low' } },
      'message',
    ]);
    expect(warnings).toEqual([]);
  });
});

describe('a picture of which only the kind is known', () => {
  it.each([
    ['/9j/4AAQ', 'image/jpeg'],
    ['R0lGODlh', 'image/gif'],
    ['UklGRh4A', 'image/webp'],
    ['iVBORw0K', 'image/png'],
  ])('%s goes out as what its bytes say: %s', (data, type) => {
    for (const mediaType of ['image', 'image/*'])
      expect(inputOf([{ role: 'user', content: [{ type: 'file', mediaType, data }] }])).toMatchObject([
        { content: [{ type: 'input_image', image_url: `data:${type};base64,${data}` }] },
      ]);
  });
});
