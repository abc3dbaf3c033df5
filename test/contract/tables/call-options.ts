import type { Major } from '../sides.js';

/** One provider option of a call. Every value is sent in a call of its own, through both providers. */
export interface OptionRow {
  readonly option: string;
  /** Values that the stock provider takes. */
  readonly values: readonly unknown[];
  /** Values that it refuses before anything is sent: another JSON type, or not on its list. */
  readonly wrong: readonly unknown[];
  /** The first major of the stock provider that knows the option. Default: all do. */
  readonly since?: Major;
  /** Default `gpt-5.1`, which reasons. */
  readonly model?: string;
}

const TEXT_FORMAT = { type: 'json_schema', name: 'sum', schema: { type: 'object', properties: {} }, strict: true };

/** Every option of `providerOptions.openai` on a call, in the order of the stock provider's own list. */
export const CALL_OPTIONS: readonly OptionRow[] = [
  { option: 'conversation', values: ['conv_1'], wrong: [1] },
  { option: 'include', values: [['file_search_call.results'], []], wrong: ['file_search_call.results', ['ducks'], {}] },
  { option: 'includeWebSearchSources', values: [true, false], wrong: ['no', 0], since: 4 },
  { option: 'instructions', values: ['Be brief.', ''], wrong: [['Be brief.'], 1] },
  { option: 'logprobs', values: [true, false, 1, 20], wrong: [100, 0, 'yes'], model: 'gpt-4o' },
  { option: 'maxToolCalls', values: [3], wrong: ['3', {}] },
  { option: 'metadata', values: [{ duck: 'mallard' }, {}], wrong: [] },
  { option: 'parallelToolCalls', values: [true, false], wrong: ['no', 0] },
  { option: 'previousResponseId', values: ['resp_0'], wrong: [1] },
  { option: 'promptCacheKey', values: ['key'], wrong: [1] },
  {
    option: 'promptCacheOptions',
    values: [{ mode: 'explicit', ttl: '30m' }],
    wrong: [{ mode: 'ducks' }, { ttl: 30 }, 'explicit'],
  },
  {
    option: 'promptCacheOptions',
    values: [{ ttl: '12h', prewarm: true, comparisonResponseId: 'resp_0' }],
    wrong: [{ prewarm: 'yes' }],
    since: 3,
  },
  { option: 'promptCacheRetention', values: ['in_memory', '24h'], wrong: ['48h', 24] },
  { option: 'reasoningEffort', values: ['none', 'low', 'xhigh'], wrong: [1] },
  { option: 'reasoningEffortUpdate', values: ['low', 'max'], wrong: ['ducks', 1], model: 'gpt-6-astra' },
  { option: 'reasoningEffortUpdate', values: ['low'], wrong: [] },
  { option: 'reasoningMode', values: ['standard', 'pro'], wrong: ['ducks', true] },
  { option: 'reasoningContext', values: ['auto', 'current_turn', 'all_turns'], wrong: ['ducks', 1] },
  { option: 'reasoningSummary', values: ['auto', 'detailed', 'concise'], wrong: [true] },
  { option: 'safetyIdentifier', values: ['duck'], wrong: [1] },
  { option: 'serviceTier', values: ['auto', 'flex', 'priority', 'default'], wrong: ['warp', 1] },
  { option: 'serviceTier', values: ['fast', 'ultrafast'], wrong: [], since: 3 },
  { option: 'store', values: [true, false], wrong: ['yes', 1] },
  { option: 'strictJsonSchema', values: [true, false], wrong: ['yes', 1] },
  { option: 'textVerbosity', values: ['low', 'medium', 'high'], wrong: ['ducks', 1] },
  { option: 'textFormat', values: [TEXT_FORMAT, { type: 'text' }], wrong: ['json', { type: 'ducks' }], since: 3 },
  { option: 'truncation', values: ['auto', 'disabled'], wrong: ['ducks', true] },
  { option: 'user', values: ['u'], wrong: [1] },
  { option: 'systemMessageMode', values: ['system', 'developer', 'remove'], wrong: ['ducks', 1], since: 3 },
  { option: 'forceReasoning', values: [true, false], wrong: ['yes'], since: 3 },
  { option: 'passThroughUnsupportedFiles', values: [true, false], wrong: ['yes'], since: 3 },
  {
    option: 'contextManagement',
    values: [[{ type: 'compaction', compactThreshold: 1000 }], []],
    wrong: [{ type: 'compaction' }, [{ type: 'ducks' }], [{ type: 'compaction', compactThreshold: '1000' }]],
    since: 4,
  },
  { option: 'compactionTrigger', values: [true, false], wrong: ['yes'], since: 4 },
  {
    option: 'allowedTools',
    values: [{ toolNames: ['add'] }, { toolNames: ['add'], mode: 'required' }],
    wrong: [{ toolNames: [] }, { toolNames: 'add' }, ['add'], { toolNames: ['add'], mode: 'ducks' }],
    since: 3,
  },
];
