import type { RequestScenario } from '../../scenarios/requests.js';
import type { Scenario, ScenarioTool } from '../../scenarios/scenario.js';
import type { Major } from '../../sides.js';

type Loose = Readonly<Record<string, unknown>>;

const HELLO = { role: 'user', content: [{ type: 'text', text: 'Ducks?' }] };
const AND = { role: 'user', content: [{ type: 'text', text: 'And?' }] };
const ADD: ScenarioTool = {
  name: 'add',
  description: 'Adds.',
  parameters: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'], additionalProperties: false },
};

/** With `store: false` both say the same where nothing else is asked for. */
const asks = (openai: Loose): Loose => ({ prompt: [HELLO], providerOptions: { openai: { store: false, ...openai } } });

/** An option of `@ai-sdk/xai`, with values that it takes and values that it refuses. */
interface OptionRow {
  readonly option: string;
  readonly values: readonly unknown[];
  readonly wrong: readonly unknown[];
  readonly since?: Major;
  readonly until?: Major;
}

export const XAI_OPTION_ROWS: readonly OptionRow[] = [
  { option: 'reasoningEffort', values: ['low', 'high'], wrong: [1, 'ducks'] },
  { option: 'reasoningEffort', values: ['medium'], wrong: [] },
  { option: 'reasoningEffort', values: ['none'], wrong: [], since: 3 },
  { option: 'reasoningEffort', values: ['xhigh'], wrong: [], since: 4 },
  { option: 'reasoningSummary', values: ['auto', 'concise', 'detailed'], wrong: [1, 'ducks'], since: 3 },
  { option: 'logprobs', values: [true, false], wrong: [3, 'yes'] },
  { option: 'topLogprobs', values: [0, 3, 8], wrong: ['3', 9, true] },
  { option: 'minP', values: [0, 0.5, 1], wrong: ['0.5', 2], since: 4 },
  { option: 'maxTurns', values: [3], wrong: ['3', {}], since: 4 },
  { option: 'parallelToolCalls', values: [true, false], wrong: ['no'], since: 4 },
  { option: 'promptCacheKey', values: ['key'], wrong: [1], since: 4 },
  { option: 'safetyIdentifier', values: ['duck'], wrong: [1], since: 4 },
  { option: 'serviceTier', values: ['default', 'priority'], wrong: [1, 'flex'], since: 4 },
  { option: 'store', values: [true, false], wrong: ['yes'] },
  { option: 'previousResponseId', values: ['resp_0'], wrong: [1] },
  { option: 'user', values: ['u'], wrong: [1], since: 4 },
  { option: 'include', values: [['file_search_call.results'], []], wrong: ['file_search_call.results', ['ducks']] },
  {
    option: 'include',
    values: [
      [
        'web_search_call.action.sources',
        'code_interpreter_call.outputs',
        'reasoning.encrypted_content',
        'no_inline_citations',
      ],
    ],
    wrong: [],
    since: 4,
  },
];

const MAJORS: readonly Major[] = [2, 3, 4];
const between = (since: Major = 2, until: Major = 4): Major[] => MAJORS.filter((one) => one >= since && one <= until);

const OPTIONS: readonly RequestScenario[] = XAI_OPTION_ROWS.flatMap(({ option, values, wrong, since, until }) =>
  [...values, ...wrong].map((value) => ({
    name: `option ${option}${wrong.includes(value) ? ', wrong' : ''}: ${JSON.stringify(value)}`,
    call: asks({ [option]: value }),
    tools: [ADD],
    only: between(since, until),
  })),
);

const HOSTED: readonly (readonly [tool: string, says: string, args: object, since?: Major])[] = [
  ['webSearch', 'nothing', {}],
  [
    'webSearch',
    'everything',
    { allowedDomains: ['a.test'], excludedDomains: ['b.test'], enableImageUnderstanding: true },
  ],
  ['webSearch', 'searches for images', { enableImageSearch: true }, 3],
  ['webSearch', 'wrong', { allowedDomains: 'a.test' }],
  ['xSearch', 'nothing', {}],
  [
    'xSearch',
    'everything',
    {
      allowedXHandles: ['duck'],
      excludedXHandles: ['goose'],
      fromDate: '2025-01-01',
      toDate: '2025-02-01',
      enableImageUnderstanding: true,
      enableVideoUnderstanding: false,
    },
  ],
  ['xSearch', 'wrong', { allowedXHandles: 'duck' }],
  ['codeExecution', 'nothing', {}],
  ['viewImage', 'nothing', {}],
  ['viewXVideo', 'nothing', {}],
  ['fileSearch', 'everything', { vectorStoreIds: ['vs_1'], maxNumResults: 3 }, 3],
  ['fileSearch', 'wrong', { vectorStoreIds: 'vs_1' }, 3],
  ['mcpServer', 'the least', { serverUrl: 'https://docs.invalid/mcp' }, 3],
  [
    'mcpServer',
    'everything',
    {
      serverUrl: 'https://docs.invalid/mcp',
      serverLabel: 'docs',
      serverDescription: 'Docs.',
      allowedTools: ['find'],
      headers: { 'X-Duck': 'mallard' },
      authorization: 'Bearer x',
    },
    3,
  ],
  ['mcpServer', 'wrong', { serverUrl: 1 }, 3],
  ['imageGeneration', 'nothing', {}, 4],
  ['imageGeneration', 'everything', { action: 'edit' }, 4],
  ['imageGeneration', 'wrong', { action: 'ducks' }, 4],
];

const TOOLS: readonly RequestScenario[] = HOSTED.map(([tool, says, args, since]) => ({
  name: `tool ${tool}: ${says}`,
  call: asks({}),
  hosted: { mine: (make) => make[tool]?.(args) } satisfies NonNullable<Scenario['hosted']>,
  only: between(since),
}));

const assistant = (...content: Loose[]): Loose => ({ role: 'assistant', content });
const on = (part: Loose, openai: Loose): Loose => ({ ...part, providerOptions: { openai } });
const call = (openai: Loose = {}): Loose =>
  on({ type: 'tool-call', toolCallId: 'call_1', toolName: 'add', input: { a: 1 } }, openai);
const result = (output: Loose): Loose => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: 'call_1', toolName: 'add', output }],
});
const thought = (openai: Loose): Loose => on({ type: 'reasoning', text: 'Hm.' }, openai);
const file = (major: Major, mediaType: string, data: string | URL, openai: Loose = {}): Loose => {
  const tagged = data instanceof URL ? { type: 'url', url: data } : { type: 'data', data };
  return on({ type: 'file', mediaType, data: major === 4 ? tagged : data }, openai);
};
const turns =
  (made: (major: Major) => readonly Loose[]) =>
  (major: Major): Loose => ({ ...asks({}), prompt: [HELLO, ...made(major), AND] });
const user = (...content: Loose[]): Loose => ({ role: 'user', content });
const picture = (major: Major): Loose => {
  const data = { mediaType: 'image/png', data: 'AQID' };
  return { 2: { type: 'media', ...data }, 3: { type: 'image-data', ...data }, 4: file(4, 'image/png', 'AQID') }[major];
};

const MESSAGES: Readonly<Record<string, (major: Major) => readonly Loose[]>> = {
  'a system message': () => [{ role: 'system', content: 'Be brief.' }],
  'an image': (major) => [user(file(major, 'image/png', 'AQID'))],
  'an image with detail': (major) => [user(file(major, 'image/png', 'AQID', { imageDetail: 'low' }))],
  'an image by URL': (major) => [user(file(major, 'image/png', new URL('https://ducks.test/a.png')))],
  'a PDF by URL': (major) => [user(file(major, 'application/pdf', new URL('https://ducks.test/a.pdf')))],
  'a PDF': (major) => [user(file(major, 'application/pdf', 'AQID'))],
  'a text with its id': () => [assistant(on({ type: 'text', text: 'Ponds.' }, { itemId: 'msg_1' }))],
  'sealed reasoning': () => [
    assistant(thought({ itemId: 'rs_1', reasoningEncryptedContent: 'sealed' }), { type: 'text', text: 'Ponds.' }),
  ],
  'sealed reasoning before a call': () => [
    assistant(thought({ itemId: 'rs_1', reasoningEncryptedContent: 'sealed' }), call({ itemId: 'fc_1' })),
    result({ type: 'text', value: '2' }),
  ],
  'reasoning without a seal': () => [assistant(thought({}), { type: 'text', text: 'Ponds.' })],
  'reasoning with an id only': () => [assistant(thought({ itemId: 'rs_1' }), { type: 'text', text: 'Ponds.' })],
  'a call and its output': () => [assistant(call()), result({ type: 'text', value: '2' })],
  'JSON as an output': () => [assistant(call()), result({ type: 'json', value: { a: [1] } })],
  'an output that is an error': () => [assistant(call()), result({ type: 'error-text', value: 'No.' })],
  'an output with a picture': (major) => [
    assistant(call()),
    result({ type: 'content', value: [{ type: 'text', text: '2' }, picture(major)] }),
  ],
  'what it ran itself': () => [
    assistant(
      { type: 'tool-call', toolCallId: 'ws_1', toolName: 'web_search', input: { query: 'x' }, providerExecuted: true },
      { type: 'tool-result', toolCallId: 'ws_1', toolName: 'web_search', output: { type: 'json', value: {} } },
      { type: 'text', text: 'Ponds.' },
    ),
  ],
};

const CALLS: Readonly<Record<string, Omit<RequestScenario, 'name'>>> = {
  'nothing but a prompt': { call: { prompt: [HELLO] } },
  'sampling settings': { call: { ...asks({}), temperature: 0.5, topP: 0.9, maxOutputTokens: 9, seed: 1 } },
  topK: { call: { ...asks({}), topK: 3 } },
  'settings this API has not': {
    call: { ...asks({}), presencePenalty: 0.1, frequencyPenalty: 0.1, stopSequences: ['x'] },
  },
  'JSON without a schema': { call: { ...asks({}), responseFormat: { type: 'json' } } },
  'JSON with a schema': {
    call: { ...asks({}), responseFormat: { type: 'json', schema: ADD.parameters, name: 'sum', description: 'A sum.' } },
  },
  'headers of the call': { call: { ...asks({}), headers: { 'x-duck': 'mallard' } } },
  'a choice: auto': { call: { ...asks({}), toolChoice: { type: 'auto' } }, tools: [ADD] },
  'a choice: none': { call: { ...asks({}), toolChoice: { type: 'none' } }, tools: [ADD] },
  'a choice: required': { call: { ...asks({}), toolChoice: { type: 'required' } }, tools: [ADD] },
  'a choice: a function': { call: { ...asks({}), toolChoice: { type: 'tool', toolName: 'add' } }, tools: [ADD] },
  'a choice: a tool that runs there': {
    call: { ...asks({}), toolChoice: { type: 'tool', toolName: 'mine' } },
    hosted: { mine: (make) => make['webSearch']?.({}) },
  },
  'a level of reasoning': { call: { ...asks({}), reasoning: 'xhigh' }, only: [4] },
  'a level of reasoning for a model without one': {
    call: { ...asks({}), reasoning: 'high' },
    model: 'grok-4.20-reasoning',
    only: [4],
  },
  'topLogprobs beside logprobs: false': { call: asks({ logprobs: false, topLogprobs: 2 }) },
  'an option that nobody has': { call: asks({ ducks: true }) },
};

/** What is sent to xAI: every option, every tool with every argument, and every kind of part. */
export const XAI_REQUESTS: readonly RequestScenario[] = [
  ...OPTIONS,
  ...TOOLS,
  ...Object.entries(MESSAGES).map(([name, made]) => ({ name: `history: ${name}`, call: turns(made), tools: [ADD] })),
  ...Object.entries(CALLS).map(([name, scenario]) => ({ ...scenario, name })),
].map((scenario) => ({ ...scenario, name: `request/${scenario.name}` }));
