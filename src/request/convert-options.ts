import { isJsonObject, type JsonObject, type JsonValue, toSnakeCase } from '../core/json.js';

/** Provider options by the stock provider's names, and the wire field each one is. */
const FIELDS: Readonly<Record<string, string>> = {
  conversation: 'conversation',
  instructions: 'instructions',
  maxToolCalls: 'max_tool_calls',
  metadata: 'metadata',
  parallelToolCalls: 'parallel_tool_calls',
  previousResponseId: 'previous_response_id',
  promptCacheKey: 'prompt_cache_key',
  promptCacheOptions: 'prompt_cache_options',
  promptCacheRetention: 'prompt_cache_retention',
  reasoningContext: 'reasoning.context',
  reasoningEffort: 'reasoning.effort',
  reasoningMode: 'reasoning.mode',
  reasoningSummary: 'reasoning.summary',
  safetyIdentifier: 'safety_identifier',
  serviceTier: 'service_tier',
  store: 'store',
  textVerbosity: 'text.verbosity',
  truncation: 'truncation',
  user: 'user',
  // Fields of the API that the stock provider has no option for.
  accessPrograms: 'access_programs',
  background: 'background',
  contextManagement: 'context_management',
  image: 'image',
  moderation: 'moderation',
  prompt: 'prompt',
  streamOptions: 'stream_options',
};

/** Options whose values are objects of the API: their members go out in snake case. */
const NESTED: ReadonlySet<string> = new Set([
  'accessPrograms',
  'contextManagement',
  'image',
  'moderation',
  'promptCacheOptions',
  'streamOptions',
]);

/** Read by others, or folded into other fields below; `forceReasoning` needs no doing here, where nothing is guessed from names. */
const OTHER: ReadonlySet<string> = new Set([
  'allowedTools',
  'body',
  'forceReasoning',
  'include',
  'logprobs',
  'missingReasoning',
  'passThroughUnsupportedFiles',
  'reasoningEffortUpdate',
  'strictJsonSchema',
  'systemMessageMode',
]);

const MAX_TOP_LOGPROBS = 20;

export type SystemMessageMode = 'system' | 'developer' | 'remove';

export interface ConvertedOptions {
  readonly fields: JsonObject;
  readonly include: readonly string[];
  readonly strictJsonSchema: boolean;
  /** Default: the profile's. */
  readonly systemMessageMode: SystemMessageMode | undefined;
  /** `true`: a reasoning item is made up for a call that lost its own. */
  readonly synthesizeReasoning: boolean;
  /** From the beginning of this request on; see `configuration_update`. */
  readonly effortUpdate: string | undefined;
  /** Fields taken as they are, after everything else. */
  readonly body: JsonObject;
  readonly warnings: readonly string[];
}

export function convertOptions(options: JsonObject): ConvertedOptions {
  const fields: JsonObject = {};
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null) continue;
    const path = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    if (path !== undefined) put(fields, path, NESTED.has(name) ? toSnakeCase(value) : value);
    else if (!OTHER.has(name))
      warnings.push(
        `The provider option "${name}" is not known and was not sent; use "body" for fields of your server.`,
      );
  }
  const logprobs = topLogprobs(options['logprobs']);
  if (logprobs !== undefined) fields['top_logprobs'] = logprobs;
  return {
    fields,
    include: [...strings(options['include']), ...(logprobs === undefined ? [] : ['message.output_text.logprobs'])],
    strictJsonSchema: options['strictJsonSchema'] === true,
    systemMessageMode: systemMode(options['systemMessageMode']),
    synthesizeReasoning: options['missingReasoning'] === 'synthesize',
    effortUpdate: typeof options['reasoningEffortUpdate'] === 'string' ? options['reasoningEffortUpdate'] : undefined,
    body: isJsonObject(options['body']) ? options['body'] : {},
    warnings,
  };
}

function systemMode(value: JsonValue | undefined): SystemMessageMode | undefined {
  return value === 'system' || value === 'developer' || value === 'remove' ? value : undefined;
}

function put(target: JsonObject, path: string, value: JsonValue): void {
  const [outer = path, inner] = path.split('.');
  if (inner === undefined) target[outer] = value;
  else target[outer] = { ...(isJsonObject(target[outer]) ? target[outer] : {}), [inner]: value };
}

function topLogprobs(value: JsonValue | undefined): number | undefined {
  if (value === true) return MAX_TOP_LOGPROBS;
  return typeof value === 'number' ? value : undefined;
}

function strings(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
