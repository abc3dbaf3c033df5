import type { JsonObject, JsonValue } from '../core/json.js';

/** Provider options by the stock provider's names, and the wire field each one is. */
const FIELDS: Readonly<Record<string, string>> = {
  conversation: 'conversation',
  instructions: 'instructions',
  maxToolCalls: 'max_tool_calls',
  metadata: 'metadata',
  parallelToolCalls: 'parallel_tool_calls',
  previousResponseId: 'previous_response_id',
  promptCacheKey: 'prompt_cache_key',
  promptCacheRetention: 'prompt_cache_retention',
  safetyIdentifier: 'safety_identifier',
  serviceTier: 'service_tier',
  store: 'store',
  truncation: 'truncation',
  user: 'user',
  reasoningEffort: 'reasoning.effort',
  reasoningSummary: 'reasoning.summary',
  textVerbosity: 'text.verbosity',
};

/** Read elsewhere, or folded into other fields below. */
const OTHER: ReadonlySet<string> = new Set(['include', 'logprobs', 'strictJsonSchema', 'body']);

const MAX_TOP_LOGPROBS = 20;

export interface ConvertedOptions {
  readonly fields: JsonObject;
  readonly include: readonly string[];
  readonly strictJsonSchema: boolean;
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
    if (path !== undefined) put(fields, path, value);
    else if (!OTHER.has(name)) warnings.push(`The provider option "${name}" is not known and was not sent; use "body" for fields of your server.`);
  }
  const logprobs = topLogprobs(options['logprobs']);
  if (logprobs !== undefined) fields['top_logprobs'] = logprobs;
  return {
    fields,
    include: [...strings(options['include']), ...(logprobs === undefined ? [] : ['message.output_text.logprobs'])],
    strictJsonSchema: options['strictJsonSchema'] === true,
    body: isObject(options['body']) ? options['body'] : {},
    warnings,
  };
}

function put(target: JsonObject, path: string, value: JsonValue): void {
  const [outer = path, inner] = path.split('.');
  if (inner === undefined) target[outer] = value;
  else target[outer] = { ...(isObject(target[outer]) ? target[outer] : {}), [inner]: value };
}

function topLogprobs(value: JsonValue | undefined): number | undefined {
  if (value === true) return MAX_TOP_LOGPROBS;
  return typeof value === 'number' ? value : undefined;
}

function strings(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
