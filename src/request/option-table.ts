import type { JsonObject, JsonValue } from '../core/json.js';
import type { Shape } from '../util/check-value.js';
import { AUTO_KEY } from './cache-key.js';

/** An option of a call, by the name it has in `providerOptions`. */
export interface Option {
  readonly shape: Shape;
  /** The option's field, `outer.inner` if that is a member. Other code reads options without a field. */
  readonly field?: string;
  /** An object of the API, whose members are sent in snake case. */
  readonly nested?: true;
  /** Converts an option that is not simply one field. */
  readonly fields?: (value: JsonValue) => JsonObject;
  /** The `include` that the option needs, if any. */
  readonly include?: string;
}

/** Efforts that a conversation can change to. */
const EFFORT_UPDATES = { oneOf: ['none', 'low', 'medium', 'high', 'xhigh', 'max'] } as const satisfies Shape;

/** `@ai-sdk/openai`'s name for the format of the answer; ours is the API's. */
const TEXT_FORMAT = {
  members: {
    type: { oneOf: ['text', 'json_object', 'json_schema'] },
    name: 'string',
    schema: 'object',
    description: 'string',
    strict: 'boolean',
  },
  required: ['type'],
} as const satisfies Shape;

/** Tool definitions in the API's own words. */
const ADDITIONAL_TOOLS: Shape = {
  listOf: {
    members: { type: { oneOf: ['function', 'custom', 'namespace'] }, name: 'string' },
    required: ['type', 'name'],
  },
};

const INCLUDES = {
  listOf: {
    oneOf: [
      'code_interpreter_call.outputs',
      'computer_call_output.output.image_url',
      'file_search_call.results',
      'message.input_image.image_url',
      'message.output_text.logprobs',
      'no_inline_citations',
      'reasoning.encrypted_content',
      'web_search_call.action.sources',
      'web_search_call.results',
    ],
  },
} as const satisfies Shape;

const MAX_TOP_LOGPROBS = 20;

/** Options of `@ai-sdk/openai` and fields of the API that it lacks, with their valid values. */
const TABLE = {
  conversation: {
    field: 'conversation',
    shape: { either: ['string', { members: { id: 'string' }, required: ['id'] }] },
  },
  instructions: { field: 'instructions', shape: 'string' },
  maxToolCalls: { field: 'max_tool_calls', shape: 'number' },
  metadata: { field: 'metadata', shape: 'any' },
  parallelToolCalls: { field: 'parallel_tool_calls', shape: 'boolean' },
  previousResponseId: { field: 'previous_response_id', shape: 'string' },
  promptCacheKey: {
    shape: 'string',
    // Depends on tools, which are unknown here.
    fields: (value) => (value === AUTO_KEY ? {} : { prompt_cache_key: value }),
  },
  promptCacheOptions: {
    field: 'prompt_cache_options',
    nested: true,
    shape: {
      members: {
        mode: { oneOf: ['implicit', 'explicit'] },
        ttl: { oneOf: ['30m', '12h'] },
        prewarm: 'boolean',
        comparisonResponseId: 'string',
      },
    },
  },
  promptCacheRetention: { field: 'prompt_cache_retention', shape: { oneOf: ['in_memory', '24h'] } },
  reasoningContext: { field: 'reasoning.context', shape: { oneOf: ['auto', 'current_turn', 'all_turns'] } },
  reasoningEffort: { field: 'reasoning.effort', shape: 'string' },
  reasoningMode: { field: 'reasoning.mode', shape: { oneOf: ['standard', 'pro'] } },
  reasoningSummary: { field: 'reasoning.summary', shape: 'string' },
  safetyIdentifier: { field: 'safety_identifier', shape: 'string' },
  serviceTier: {
    field: 'service_tier',
    shape: { oneOf: ['auto', 'default', 'flex', 'scale', 'priority', 'fast', 'ultrafast'] },
  },
  store: { field: 'store', shape: 'boolean' },
  textVerbosity: { field: 'text.verbosity', shape: { oneOf: ['low', 'medium', 'high'] } },
  textFormat: { field: 'text.format', shape: TEXT_FORMAT },
  truncation: { field: 'truncation', shape: { oneOf: ['auto', 'disabled'] } },
  user: { field: 'user', shape: 'string' },
  contextManagement: {
    field: 'context_management',
    nested: true,
    shape: { listOf: { members: { type: { oneOf: ['compaction'] }, compactThreshold: 'number' }, required: ['type'] } },
  },
  logprobs: {
    shape: { either: ['boolean', { between: [1, MAX_TOP_LOGPROBS] }] },
    fields: (value) => (value === false ? {} : { top_logprobs: value === true ? MAX_TOP_LOGPROBS : value }),
    include: 'message.output_text.logprobs',
  },

  // Read by other modules, or part of another field.
  allowedTools: {
    shape: {
      members: { toolNames: { listOf: 'string' }, mode: { oneOf: ['auto', 'required'] } },
      required: ['toolNames'],
    },
  },
  compactionTrigger: { shape: 'boolean' },
  // Needs no conversion, because we guess nothing from names.
  forceReasoning: { shape: 'boolean' },
  include: { shape: INCLUDES },
  includeWebSearchSources: { shape: 'boolean' },
  passThroughUnsupportedFiles: { shape: 'boolean' },
  reasoningEffortUpdate: { shape: EFFORT_UPDATES },
  strictJsonSchema: { shape: 'boolean' },
  systemMessageMode: { shape: { oneOf: ['system', 'developer', 'remove'] } },

  // Fields of the API that `@ai-sdk/openai` has no option for, and options of ours.
  accessPrograms: { field: 'access_programs', nested: true, shape: 'object' },
  background: { field: 'background', shape: 'boolean' },
  image: { field: 'image', nested: true, shape: 'object' },
  moderation: { field: 'moderation', nested: true, shape: 'object' },
  prompt: { field: 'prompt', shape: 'object' },
  streamOptions: { field: 'stream_options', nested: true, shape: 'object' },
  body: { shape: 'object' },
  transport: { shape: { oneOf: ['sse', 'websocket', 'auto'] } },
  missingReasoning: { shape: { oneOf: ['synthesize'] } },
} as const satisfies Readonly<Record<string, Option>>;

export const OPTIONS: Readonly<Record<string, Option>> = TABLE;
/** The literal rows, for the type of the options. */
export type OptionRows = typeof TABLE;

/** Options that `@ai-sdk/xai` adds or defines differently. */
export const XAI_OPTIONS: Readonly<Record<string, Option>> = {
  ...OPTIONS,
  logprobs: { shape: 'boolean', fields: (value) => (value === true ? { logprobs: true } : {}) },
  topLogprobs: {
    shape: { between: [0, 8] },
    fields: (value) => ({ logprobs: true, top_logprobs: value }),
  },
  reasoningEffort: { field: 'reasoning.effort', shape: { oneOf: ['none', 'low', 'medium', 'high', 'xhigh'] } },
  reasoningSummary: { field: 'reasoning.summary', shape: { oneOf: ['auto', 'concise', 'detailed'] } },
  serviceTier: { field: 'service_tier', shape: { oneOf: ['default', 'priority'] } },
  minP: { field: 'min_p', shape: { between: [0, 1], fraction: true } },
  maxTurns: { field: 'max_turns', shape: 'integer' },
};

/** Options of a system message that replace its text. */
export const MESSAGE_OPTIONS: Readonly<Record<string, Shape>> = {
  reasoningEffortUpdate: EFFORT_UPDATES,
  textFormatUpdate: TEXT_FORMAT,
  additionalTools: ADDITIONAL_TOOLS,
};

/** Options of a function's declaration. */
export const TOOL_OPTIONS: Readonly<Record<string, Shape>> = {
  deferLoading: 'boolean',
  allowedCallers: { listOf: { oneOf: ['direct', 'programmatic'] } },
  async: 'boolean',
  omitFromRequestTools: 'boolean',
  outputSchema: 'object',
  namespace: { members: { name: 'string', description: 'string' }, required: ['name', 'description'] },
};
