import { ownWords } from '../core/clean-text.js';
import type { Call, CallSettings, ResponseFormat } from '../core/call.js';
import { isJsonObject, type JsonObject, type JsonValue, toSnakeCase } from '../core/json.js';
import type { Profile } from '../core/profile.js';
import type { CallWarning } from '../core/warning.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { excerpt } from '../util/excerpt.js';
import { checkValue, type Misfit, type Shape } from '../util/check-value.js';
import type { TextFormat } from '../wire/input-item.js';
import { defined } from '../util/defined.js';
import { rowOf } from '../util/guards.js';
import type { Option } from './option-table.js';
import { hasGpt6Features, samplesWithoutReasoning, vendorOf } from './vendors.js';

/** The options of a call, as fields and unchanged; other modules read some of the latter. */
export interface ConvertedOptions {
  readonly given: JsonObject;
  readonly fields: JsonObject;
  readonly include: readonly string[];
  /** The server continues a response or a conversation that it keeps. */
  readonly continues: boolean;
  /** From the beginning of this request on; see `configuration_update`. */
  readonly effortUpdate?: string;
  readonly warnings: readonly CallWarning[];
}

export const NO_OPTIONS: ConvertedOptions = { given: {}, fields: {}, include: [], continues: false, warnings: [] };

/**
 * Converts options to fields. Omits unknown options with a warning.
 *
 * @throws ResponsesLoopError `invalid-options`: an option of the wrong JSON type, or of a value that OpenAI does not know
 */
export function convertOptions(given: JsonObject, modelId: string, profile: Profile): ConvertedOptions {
  const vendor = vendorOf(profile);
  const fields: JsonObject = {};
  const include: string[] = strings(given['include']);
  const warnings: CallWarning[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null) continue;
    const option = rowOf(vendor.options, name);
    if (option === undefined) {
      const details = `The provider option "${name}" is not known and was not sent; use "body" for server-specific fields.`;
      warnings.push({ feature: name, details });
      continue;
    }
    warnings.push(...checkOption(value, option.shape, name, vendor));
    const made = fieldsOf(option, value);
    for (const [path, field] of Object.entries(made)) put(fields, path, field);
    if (option.include !== undefined && Object.keys(made).length > 0) include.push(option.include);
  }
  const update = effortUpdate(given, modelId, profile);
  const continued = ['conversation', 'previous_response_id'].filter((field) => fields[field] !== undefined);
  return {
    ...update,
    given,
    fields,
    include,
    continues: continued.length > 0,
    warnings: [...warnings, ...update.warnings, ...(continued.length > 1 ? [TWO_CONTINUATIONS] : [])],
  };
}

/** Returns a warning about an option that the server may support; an impossible value is an error. */
export function checkOption(
  value: unknown,
  shape: Shape,
  path: string,
  vendor: { readonly refusesUnknownValues?: boolean } | undefined,
): string[] {
  const misfit = checkValue(value, shape, path);
  return misfit === undefined ? [] : [refuseOrWarn(misfit, vendor?.refusesUnknownValues === true)];
}

/** Returns a misfit as an error, or as a warning if the server may support the value. */
export function refuseOrWarn(misfit: Misfit, refusesUnknownValues: boolean): string {
  const { kind, path, allowed } = misfit;
  const what = `The option "${path}" is ${excerpt(JSON.stringify(misfit.value) ?? 'missing', 80)}`;
  if (kind === 'type' || refusesUnknownValues)
    throw new ResponsesLoopError({ code: 'invalid-options', message: ownWords(`${what}; expected ${allowed}.`) });
  return `${what}, which is not known here (${allowed}); it was sent as it is.`;
}

function fieldsOf({ field, fields, nested }: Option, value: JsonValue): JsonObject {
  if (fields !== undefined) return fields(value);
  return field === undefined ? {} : { [field]: nested === true ? toSnakeCase(value) : value };
}

/** Not sent if OpenAI would refuse it, as in `@ai-sdk/openai`. */
function effortUpdate(
  { reasoningEffortUpdate: effort }: JsonObject,
  modelId: string,
  profile: Profile,
): Pick<ConvertedOptions, 'effortUpdate' | 'warnings'> {
  if (typeof effort !== 'string') return { warnings: [] };
  if (hasGpt6Features(modelId, profile)) return { effortUpdate: effort, warnings: [] };
  const details = `The option "reasoningEffortUpdate" was not sent: ${modelId} is older than GPT-6 and does not support it.`;
  return { warnings: [{ feature: 'reasoningEffortUpdate', details }] };
}

/** Servers refuse both, each in its own words. */
const TWO_CONTINUATIONS: CallWarning = {
  feature: 'conversation',
  details: 'The options "conversation" and "previousResponseId" cannot be used together; both were sent.',
};

function put(target: JsonObject, path: string, value: JsonValue | undefined): void {
  const [outer = path, inner] = path.split('.');
  if (inner === undefined) target[outer] = value;
  else target[outer] = { ...(isJsonObject(target[outer]) ? target[outer] : {}), [inner]: value };
}

function strings(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}

/** The fields of settings. The Responses API lacks `top_k` and later ones; a few servers support them. */
const FIELDS = {
  maxOutputTokens: 'max_output_tokens',
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  seed: 'seed',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  stopSequences: 'stop',
} as const satisfies Record<keyof CallSettings, string>;

const API_FIELDS: ReadonlySet<string> = new Set(['max_output_tokens', 'temperature', 'top_p']);

export interface ConvertedSettings {
  readonly fields: JsonObject;
  readonly warnings: readonly CallWarning[];
}

export const NO_SETTINGS: ConvertedSettings = { fields: {}, warnings: [] };

/** Converts settings to fields; a field that the back end or the model would refuse is dropped with a warning. */
export function convertSettings(call: Call, profile: Profile): ConvertedSettings {
  const { settings, modelId } = call;
  const fields: JsonObject = {};
  const warnings: CallWarning[] = [];
  for (const [feature, field] of Object.entries(FIELDS)) {
    const value = settings[feature as keyof typeof FIELDS];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    const isSampling = field === 'temperature' || field === 'top_p';
    if (isSampling && refusesSampling(call, profile))
      warnings.push({
        feature,
        details: `${feature} was not sent: ${modelId} is a reasoning model, which refuses it.`,
      });
    else if (!API_FIELDS.has(field) && !profile.vendorFields.includes(field))
      warnings.push({
        feature,
        details: `${feature} is not part of the Responses API and was not sent; use "body" for server-specific fields.`,
      });
    else fields[field] = typeof value === 'number' ? value : [...value];
  }
  return { fields, warnings };
}

type SamplingCall = Pick<Call, 'modelId' | 'options' | 'messages'>;

/** True for a reasoning model, recognized by its name, or by the caller's own option. */
function refusesSampling({ modelId, options, messages }: SamplingCall, profile: Profile): boolean {
  const updated = hasGpt6Features(modelId, profile) ? options['reasoningEffortUpdate'] : undefined;
  const later = messages.findLast((message) => message.role === 'system' && message.reasoningEffort !== undefined);
  const effort = (later?.role === 'system' ? later.reasoningEffort : updated) ?? options['reasoningEffort'];
  if (effort === 'none' && samplesWithoutReasoning(modelId)) return false;
  return options['forceReasoning'] === true || profile.reasoningModels.some((pattern) => pattern.test(modelId));
}

export function convertResponseFormat(format: Exclude<ResponseFormat, { type: 'text' }>, strict: boolean): TextFormat {
  if (format.schema === undefined) return { type: 'json_object' };
  return {
    type: 'json_schema',
    name: format.name ?? 'response',
    ...defined({ description: format.description }),
    schema: format.schema,
    strict,
  };
}
