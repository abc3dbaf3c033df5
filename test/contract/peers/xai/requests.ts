import type { RequestScenario } from '../../scenarios/requests.js';
import type { Scenario } from '../../scenarios/scenario.js';
import type { Major } from '../../sides.js';
import { ADD, asks, PLAIN_REQUESTS } from '../plain-requests.js';

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

const OTHERS: readonly RequestScenario[] = [
  {
    name: 'a choice: a tool that runs there',
    call: { ...asks({}), toolChoice: { type: 'tool', toolName: 'mine' } },
    hosted: { mine: (make) => make['webSearch']?.({}) },
  },
  {
    name: 'a level of reasoning for a model without one',
    call: { ...asks({}), reasoning: 'high' },
    model: 'grok-4.20-reasoning',
    only: [4],
  },
  { name: 'topLogprobs beside logprobs: false', call: asks({ logprobs: false, topLogprobs: 2 }) },
];

/** What is sent to xAI: every option, every tool with every argument, and every kind of part. */
export const XAI_REQUESTS: readonly RequestScenario[] = [
  ...[...OPTIONS, ...TOOLS, ...OTHERS].map((scenario) => ({ ...scenario, name: `request/${scenario.name}` })),
  ...PLAIN_REQUESTS,
];
