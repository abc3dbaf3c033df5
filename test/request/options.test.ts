import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.js';
import { PROFILES, type ProfileName } from '../../src/request/profiles.js';
import { build, inputOf, user } from './support/build.js';

const openai = (options: JsonObject) => ({ providerOptions: { openai: options } });
const wrongly = (options: JsonObject, backend: ProfileName = 'openai') => {
  try {
    build({ backend, ...openai(options) });
    return undefined;
  } catch (error) {
    return error;
  }
};

describe('an option of the wrong JSON type is refused before anything is sent, by every back end', () => {
  it.each<[string, JsonObject, string]>([
    ['store', { store: 'yes' }, 'The option "store" is "yes"; expected true or false.'],
    ['user', { user: 7 }, 'The option "user" is 7; expected a text.'],
    ['maxToolCalls', { maxToolCalls: '3' }, 'The option "maxToolCalls" is "3"; expected a number.'],
    ['include', { include: 'file_search_call.results' }, '; expected a list'],
    ['an entry of include', { include: [1] }, 'The option "include[0]" is 1'],
    ['allowedTools', { allowedTools: ['add'] }, '; expected an object with toolNames, mode'],
    ['allowedTools without names', { allowedTools: {} }, 'The option "allowedTools.toolNames" is missing'],
    ['serviceTier', { serviceTier: 1 }, '; expected "auto", "default"'],
    ['promptCacheOptions.prewarm', { promptCacheOptions: { prewarm: 'now' } }, '"promptCacheOptions.prewarm"'],
    ['textFormat', { textFormat: 'json' }, 'The option "textFormat" is "json"'],
    ['logprobs', { logprobs: 'all' }, 'true or false, or a whole number from 1 to 20'],
    ['compactionTrigger', { compactionTrigger: 1 }, 'The option "compactionTrigger" is 1'],
    ['body', { body: [] }, 'The option "body" is []; expected an object.'],
  ])('%s', (_name, options, message) => {
    for (const backend of ['openai', 'generic', 'xai'] as const)
      expect(wrongly(options, backend)).toMatchObject({
        code: 'invalid-options',
        message: expect.stringContaining(backend === 'xai' ? '; expected ' : message) as string,
      });
  });

  it('a long value is cut in the message', () => {
    expect(String(wrongly({ store: 'x'.repeat(10_000) })).length).toBeLessThan(200);
  });
});

describe('a value that is on no list', () => {
  it.each<[string, JsonObject]>([
    ['serviceTier', { serviceTier: 'warp' }],
    ['logprobs', { logprobs: 100 }],
    ['textVerbosity', { textVerbosity: 'chatty' }],
    ['include', { include: ['everything'] }],
    ['truncation', { truncation: 'sometimes' }],
    ['reasoningMode', { reasoningMode: 'amateur' }],
    ['reasoningEffortUpdate', { reasoningEffortUpdate: 'extreme' }],
    ['systemMessageMode', { systemMessageMode: 'shout' }],
    ['contextManagement', { contextManagement: [{ type: 'forgetting' }] }],
  ])('%s: OpenAI and Azure are not asked; any other back end is, with a warning', (name, options) => {
    for (const backend of ['openai', 'azure'] as const)
      expect(wrongly(options, backend)).toMatchObject({
        code: 'invalid-options',
        message: expect.stringContaining(`"${name}`) as string,
      });
    const { warnings } = build({ backend: 'generic', ...openai(options) });
    expect(warnings).toEqual([expect.stringContaining(`"${name}`)]);
  });

  it('is sent where it is sent at all', () => {
    expect(build({ backend: 'generic', ...openai({ serviceTier: 'warp', logprobs: 100 }) }).body).toMatchObject({
      service_tier: 'warp',
      top_logprobs: 100,
    });
  });

  it('what the API knows and the stock provider does not is no such value', () => {
    const { warnings } = build(openai({ include: ['web_search_call.action.sources'], serviceTier: 'scale' }));
    expect(warnings).toEqual([]);
  });
});

describe('options of 4.0.118', () => {
  const format = { type: 'json_schema', name: 'n', schema: { type: 'object', properties: { aB: {} } } };

  it('textFormat takes the place of the response format, as it was written', () => {
    const { body } = build({
      ...openai({ textFormat: format, textVerbosity: 'low' }),
      responseFormat: { type: 'json' },
    });
    expect(body['text']).toStrictEqual({ format, verbosity: 'low' });
  });

  it('includeWebSearchSources: false asks for no sources, and for all else as before', () => {
    const tools = ['web_search', 'web_search_preview', 'code_interpreter'].map((name) => ({
      type: 'provider',
      id: `openai.${name}`,
      name,
      args: {},
    }));
    const include = (options: JsonObject) => build({ tools, ...openai({ store: true, ...options }) }).body['include'];
    expect(include({})).toEqual(['web_search_call.action.sources', 'code_interpreter_call.outputs']);
    expect(include({ includeWebSearchSources: false })).toEqual(['code_interpreter_call.outputs']);
  });

  it('compactionTrigger is the last item of the first round, and of no other', () => {
    const trigger = { type: 'compaction_trigger' };
    expect(inputOf([user('Hi')], openai({ compactionTrigger: true })).at(-1)).toEqual(trigger);
    const added = [{ role: 'assistant', content: [{ type: 'text', text: 'Hello' }] }] as const;
    expect(inputOf([user('Hi')], { added, ...openai({ compactionTrigger: true }) })).not.toContainEqual(trigger);
    expect(inputOf([user('Hi')], openai({ compactionTrigger: false }))).not.toContainEqual(trigger);
  });

  it('textFormatUpdate and reasoningEffortUpdate of one message are one change, and additionalTools stand behind it', () => {
    const tools = [{ type: 'function', name: 'late', parameters: { type: 'object' } }];
    const options = { reasoningEffortUpdate: 'low', textFormatUpdate: { type: 'text' }, additionalTools: tools };
    const change = { role: 'system', content: '', providerOptions: { openai: options } };
    expect(inputOf([user('a'), change]).slice(1)).toStrictEqual([
      { type: 'configuration_update', reasoning: { effort: 'low' }, text: { format: { type: 'text' } } },
      { type: 'additional_tools', role: 'developer', tools },
    ]);
  });

  it.each<[string, JsonObject]>([
    ['textFormatUpdate', { textFormatUpdate: 'text' }],
    ['additionalTools', { additionalTools: [{ name: 'nameless kind' }] }],
    ['reasoningEffortUpdate', { reasoningEffortUpdate: 3 }],
  ])('%s of a wrong kind on a message is refused', (_name, options) => {
    const change = { role: 'system', content: '', providerOptions: { openai: options } };
    expect(() => inputOf([change, user('a')])).toThrow(expect.objectContaining({ code: 'invalid-options' }));
  });

  it('a change that the conversation begins with is not made twice', () => {
    const change = { role: 'system', content: '', providerOptions: { openai: { reasoningEffortUpdate: 'low' } } };
    const updates = inputOf([change, user('a')], openai({ reasoningEffortUpdate: 'low' })).filter(
      ({ type }) => type === 'configuration_update',
    );
    expect(updates).toHaveLength(1);
  });

  it.each([
    ['gpt-5.4', 'openai', false],
    ['o3', 'azure', false],
    ['gpt-6-sol', 'openai', true],
    ['my-deployment', 'azure', true],
    ['gpt-5.4', 'generic', true],
  ] as const)('reasoningEffortUpdate for %s of %s: sent %s', (modelId, backend, isSent) => {
    const { input, rawWarnings } = build({ modelId, backend, ...openai({ reasoningEffortUpdate: 'low' }) });
    expect(input.some(({ type }) => type === 'configuration_update')).toBe(isSent);
    expect(rawWarnings).toEqual(
      isSent ? [] : [{ feature: 'reasoningEffortUpdate', details: expect.stringContaining(modelId) as string }],
    );
  });
});

describe('tools that a result of another tool brings', () => {
  const late = { type: 'function', name: 'late', parameters: { type: 'object' } };
  const promptWith = (additionalTools: unknown) => [
    user('a'),
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'find', input: {} }] },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'c1',
          toolName: 'find',
          output: { type: 'text', value: 'ok' },
          providerOptions: { openai: { additionalTools } },
        },
      ],
    },
  ];
  const declared = {
    type: 'function',
    name: 'late',
    inputSchema: { type: 'object' },
    providerOptions: { openai: { omitFromRequestTools: true } },
  };

  it('stand behind its output, and the tool itself is not in `tools`', () => {
    const { body, input, warnings } = build({ prompt: promptWith([late]), tools: [declared] });
    expect(input.slice(-2)).toMatchObject([
      { type: 'function_call_output', call_id: 'c1', output: 'ok' },
      { type: 'additional_tools', role: 'developer', tools: [late] },
    ]);
    expect(body).not.toHaveProperty('tools');
    expect(warnings).toEqual([]);
  });

  it('are left out with a warning where the call does not declare them: a user may have had the history in hand', () => {
    const { input, warnings } = build({ prompt: promptWith([late, { type: 'custom', name: 'x' }]), tools: [] });
    expect(input.at(-1)).toMatchObject({ type: 'function_call_output' });
    expect(warnings).toEqual([expect.stringContaining('"late"'), expect.stringContaining('"x"')]);
  });

  it('a posted history with nonsense there is repaired, not refused', () => {
    const { input, warnings } = build({ prompt: promptWith('all') });
    expect(input.at(-1)).toMatchObject({ type: 'function_call_output' });
    expect(warnings).toHaveLength(1);
  });
});

describe('reasoning in the words of AI SDK 7', () => {
  const reasoningOf = (options: Parameters<typeof build>[0]) =>
    build({ asksForSummary: true, ...options }).body['reasoning'];

  it.each([
    ['an option', openai({ reasoningEffort: 'low' }), { effort: 'low', summary: 'detailed' }],
    ['a level', { reasoning: 'high' }, { effort: 'high', summary: 'detailed' }],
    ['no effort', openai({ reasoningEffort: 'none' }), { effort: 'none' }],
    [
      'a summary of its own',
      openai({ reasoningEffort: 'low', reasoningSummary: 'auto' }),
      { effort: 'low', summary: 'auto' },
    ],
    ['a summary that nobody wants', openai({ reasoningEffort: 'low', reasoningSummary: null }), { effort: 'low' }],
    ['nothing', {}, undefined],
  ])('an effort comes with a summary, as from the stock provider: %s', (_name, options, expected) => {
    for (const backend of ['openai', 'azure'] as const) expect(reasoningOf({ backend, ...options })).toEqual(expected);
  });

  it('other servers are not asked for one, nor is it asked for by older versions', () => {
    expect(reasoningOf({ backend: 'generic', ...openai({ reasoningEffort: 'low' }) })).toEqual({ effort: 'low' });
    expect(build(openai({ reasoningEffort: 'low' })).body['reasoning']).toEqual({ effort: 'low' });
  });

  it.each([
    ['minimal', 'grok-4.3', 'low'],
    ['xhigh', 'grok-4.3', 'high'],
    ['xhigh', 'grok-4.6', 'xhigh'],
    ['max', 'grok-4.6', 'xhigh'],
    ['none', 'grok-4.3', 'none'],
  ])('xAI: "%s" for %s is %s', (reasoning, modelId, effort) => {
    const { body, warnings } = build({ backend: 'xai', modelId, reasoning });
    expect(body['reasoning']).toEqual({ effort });
    expect(warnings).toHaveLength(effort === reasoning ? 0 : 1);
  });

  it('xAI: a model that takes no level is sent none, and the warning says so', () => {
    const { body, rawWarnings } = build({ backend: 'xai', modelId: 'grok-4.20-0309-reasoning', reasoning: 'high' });
    expect(body).not.toHaveProperty('reasoning');
    expect(rawWarnings).toMatchObject([{ feature: 'reasoning' }]);
  });

  it('xAI: what stands in provider options goes out as it is', () => {
    const { body, warnings } = build({
      backend: 'xai',
      modelId: 'grok-4.3',
      reasoning: 'max',
      providerOptions: { xai: { reasoningEffort: 'xhigh' } },
    });
    expect([body['reasoning'], warnings]).toEqual([{ effort: 'xhigh' }, []]);
  });
});

describe('options of xAI', () => {
  it('topLogprobs, minP and maxTurns are fields there, and unknown elsewhere', () => {
    const options = { topLogprobs: 3, minP: 0.1, maxTurns: 4 };
    const { body, warnings } = build({ backend: 'xai', providerOptions: { xai: options } });
    expect(body).toMatchObject({ logprobs: true, top_logprobs: 3, min_p: 0.1, max_turns: 4 });
    expect(body['include']).toEqual(['reasoning.encrypted_content']);
    expect(warnings).toEqual([]);
    expect(build(openai(options)).rawWarnings).toMatchObject([
      { feature: 'topLogprobs' },
      { feature: 'minP' },
      { feature: 'maxTurns' },
    ]);
  });
});

describe('warnings name what was not sent, as the AI SDK has a type for it', () => {
  it.each<[string, Parameters<typeof build>[0]]>([
    ['topK', { topK: 1 }],
    ['stopSequences', { stopSequences: ['x'] }],
    ['temperature', { modelId: 'gpt-5', temperature: 1 }],
    ['topP', { modelId: 'o3', topP: 1 }],
    ['nonsense', openai({ nonsense: 1 })],
    ['conversation', openai({ conversation: 'conv_1', previousResponseId: 'resp_1' })],
    ['provider-defined tool bash', { tools: [{ type: 'provider', id: 'anthropic.bash', name: 'bash', args: {} }] }],
    [
      'provider-defined tool search',
      { backend: 'ollama', tools: [{ type: 'provider', id: 'openai.web_search', name: 'search', args: {} }] },
    ],
  ])('%s', (feature, options) => {
    expect(build(options).rawWarnings).toMatchObject([{ feature, details: expect.stringMatching(/\.$/) as string }]);
  });

  it('system messages that are removed are said, once', () => {
    const prompt = [{ role: 'system', content: 'a' }, { role: 'system', content: 'b' }, user('c')];
    const { warnings } = build({ prompt, ...openai({ systemMessageMode: 'remove' }) });
    expect(warnings).toEqual([expect.stringContaining('"systemMessageMode" is "remove"')]);
  });
});

describe('under which keys options stand', () => {
  const providerOptions = {
    openai: { user: 'openai', store: true },
    azure: { user: 'azure' },
    xai: { user: 'xai' },
    relay: { promptCacheKey: 'k' },
  };

  it.each([
    ['openai', { user: 'openai', store: true }],
    ['azure', { user: 'azure', store: false }],
    ['xai', { user: 'xai', store: false }],
    ['generic', { user: 'openai', store: true }],
    ['openrouter', { user: 'openai', store: true }],
  ] as const)('%s reads the key of its own AI SDK provider, else `openai`, as a whole', (backend, expected) => {
    expect(build({ backend, providerOptions }).body).toMatchObject(expected);
  });

  it('Azure and xAI read `openai` where nothing stands under their own key', () => {
    for (const backend of ['azure', 'xai'] as const)
      expect(build({ backend, ...openai({ user: 'u' }) }).body).toMatchObject({ user: 'u' });
  });

  it('the name that the provider goes by comes last, on calls and on parts', () => {
    const image = {
      type: 'file',
      mediaType: 'image/png',
      data: 'AA',
      providerOptions: { openai: { imageDetail: 'low' }, relay: { imageDetail: 'high' } },
    };
    const prompt = [{ role: 'user', content: [image] }];
    const { body, input } = build({ name: 'relay', prompt, providerOptions });
    expect(body).toMatchObject({ prompt_cache_key: 'k', user: 'openai' });
    expect(input).toMatchObject([{ content: [{ type: 'input_image', detail: 'high' }] }]);
  });

  it.each(['azure', 'xai'] as const)(
    'imageDetail, promptCacheBreakpoint and changes of effort under `%s`',
    (backend) => {
      const own = (options: JsonObject) => ({ providerOptions: { [backend]: options } });
      const mark = { mode: 'explicit' };
      const prompt = [
        { role: 'system', content: '', ...own({ reasoningEffortUpdate: 'low' }) },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a', ...own({ promptCacheBreakpoint: mark }) },
            { type: 'file', mediaType: 'image/png', data: 'AA', ...own({ imageDetail: 'high' }) },
          ],
        },
      ];
      expect(inputOf(prompt, { backend })).toMatchObject([
        { type: 'configuration_update', reasoning: { effort: 'low' } },
        { content: [{ prompt_cache_breakpoint: mark }, { detail: 'high' }] },
      ]);
    },
  );

  it('imageDetail and promptCacheBreakpoint in the result of a tool', () => {
    const part = (options: JsonObject) => ({ providerOptions: { openai: options } });
    const prompt = [
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'see', input: {} }] },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c1',
            toolName: 'see',
            output: {
              type: 'content',
              value: [
                { type: 'text', text: 'a', ...part({ promptCacheBreakpoint: { mode: 'explicit' } }) },
                {
                  type: 'file',
                  mediaType: 'image/png',
                  data: { type: 'data', data: 'AA' },
                  ...part({ imageDetail: 'original' }),
                },
              ],
            },
          },
        ],
      },
    ];
    expect(inputOf(prompt).at(-1)?.['output']).toMatchObject([
      { type: 'input_text', text: 'a', prompt_cache_breakpoint: { mode: 'explicit' } },
      { type: 'input_image', detail: 'original' },
    ]);
  });

  it('a profile of your own reads `openai` unless it says whose it is', () => {
    const { vendor: _vendor, ...plain } = PROFILES.azure;
    expect(build({ backend: plain, providerOptions }).body).toMatchObject({ user: 'openai' });
  });
});

describe('an uploaded file', () => {
  const reference = { openai: 'file-oa', azure: 'file-az', xai: 'file-x' };
  it.each([
    ['openai', 'file-oa'],
    ['azure', 'file-az'],
    ['xai', 'file-x'],
    ['generic', 'file-oa'],
  ] as const)('%s is sent its own id of it', (backend, id) => {
    const file = { type: 'file', mediaType: 'application/pdf', data: { type: 'reference', reference } };
    expect(inputOf([{ role: 'user', content: [file] }], { backend })).toMatchObject([{ content: [{ file_id: id }] }]);
  });
});
