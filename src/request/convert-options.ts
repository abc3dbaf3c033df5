import type { Call, CallSettings, ResponseFormat } from '../core/call.js';
import { isJsonObject, type JsonObject, type JsonValue, toSnakeCase } from '../core/json.js';
import type { Profile } from '../core/profile.js';
import type { CallWarning } from '../core/warning.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { excerpt } from '../util/excerpt.js';
import { checkValue, type Misfit } from './check-value.js';
import type { TextFormat } from '../wire/input-item.js';
import { defined } from '../util/defined.js';
import type { Option } from './option-table.js';
import { hasGpt6Features, vendorOf } from './vendors.js';

export type SystemMessageMode = 'system' | 'developer' | 'remove';

export interface ConvertedOptions {
  readonly fields: JsonObject;
  readonly include: readonly string[];
  /** Whether to ask for the pages that a web search looked at. */
  readonly searchSources: boolean;
  readonly strictJsonSchema: boolean;
  /** Default: the profile's. */
  readonly systemMessageMode: SystemMessageMode | undefined;
  /** `true`: a reasoning item is made up for a call that lost its own. */
  readonly synthesizeReasoning: boolean;
  /** From the beginning of this request on; see `configuration_update`. */
  readonly effortUpdate: string | undefined;
  /** The server is to sum up the conversation now. */
  readonly compacts: boolean;
  /** Fields taken as they are, after everything else. */
  readonly body: JsonObject;
  readonly warnings: readonly CallWarning[];
}

export const NO_OPTIONS: ConvertedOptions = {
  fields: {},
  include: [],
  searchSources: true,
  strictJsonSchema: false,
  systemMessageMode: undefined,
  synthesizeReasoning: false,
  effortUpdate: undefined,
  compacts: false,
  body: {},
  warnings: [],
};

/**
 * Options as fields. Those that are not known are left out with a warning.
 *
 * @throws ResponsesLoopError `invalid-options`: an option of the wrong JSON type, or of a value that OpenAI does not know
 */
export function convertOptions(options: JsonObject, modelId: string, profile: Profile): ConvertedOptions {
  const vendor = vendorOf(profile);
  const fields: JsonObject = {};
  const include: string[] = strings(options['include']);
  const warnings: CallWarning[] = [];
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null) continue;
    const option = Object.hasOwn(vendor.options, name) ? vendor.options[name] : undefined;
    if (option === undefined) {
      warnings.push(unknownOption(name));
      continue;
    }
    const misfit = checkValue(value, option.shape, name);
    if (misfit !== undefined) warnings.push(refuseOrWarn(misfit, vendor.refusesUnknownValues));
    const made = fieldsOf(option, value);
    for (const [path, field] of Object.entries(made)) put(fields, path, field);
    if (option.include !== undefined && Object.keys(made).length > 0) include.push(option.include);
  }
  const update = effortUpdate(options, modelId, profile);
  return {
    fields,
    include,
    searchSources: options['includeWebSearchSources'] !== false,
    strictJsonSchema: options['strictJsonSchema'] === true,
    systemMessageMode: systemMode(options['systemMessageMode']),
    synthesizeReasoning: options['missingReasoning'] === 'synthesize',
    effortUpdate: update.effort,
    compacts: options['compactionTrigger'] === true,
    body: isJsonObject(options['body']) ? options['body'] : {},
    warnings: [...warnings, ...update.warnings, ...twoContinuations(fields)],
  };
}

/** A misfit as an error, or as a warning where the server may know more than we do. */
export function refuseOrWarn(misfit: Misfit, refusesUnknownValues: boolean): string {
  const { kind, path, allowed } = misfit;
  const what = `The option "${path}" is ${excerpt(JSON.stringify(misfit.value) ?? 'missing', 80)}`;
  if (kind === 'type' || refusesUnknownValues)
    throw new ResponsesLoopError({ code: 'invalid-options', message: `${what}; allowed is ${allowed}.` });
  return `${what}, which is not known here (${allowed}); it was sent as it is.`;
}

function fieldsOf({ field, fields, nested }: Option, value: JsonValue): JsonObject {
  if (fields !== undefined) return fields(value);
  return field === undefined ? {} : { [field]: nested === true ? toSnakeCase(value) : value };
}

function unknownOption(name: string): CallWarning {
  return {
    feature: name,
    details: `The provider option "${name}" is not known and was not sent; use "body" for fields of your server.`,
  };
}

/** Servers refuse both, each in its own words. */
function twoContinuations(fields: JsonObject): CallWarning[] {
  if (fields['conversation'] === undefined || fields['previous_response_id'] === undefined) return [];
  return [
    {
      feature: 'conversation',
      details: 'The options "conversation" and "previousResponseId" cannot be used together; both were sent.',
    },
  ];
}

/** As the stock provider, it is not sent where OpenAI would refuse it. */
function effortUpdate(
  options: JsonObject,
  modelId: string,
  profile: Profile,
): { readonly effort: string | undefined; readonly warnings: readonly CallWarning[] } {
  const effort = options['reasoningEffortUpdate'];
  if (typeof effort !== 'string') return { effort: undefined, warnings: [] };
  if (hasGpt6Features(modelId, profile)) return { effort, warnings: [] };
  const details = `The option "reasoningEffortUpdate" was not sent: ${modelId} is older than GPT-6, which brought it.`;
  return { effort: undefined, warnings: [{ feature: 'reasoningEffortUpdate', details }] };
}

function systemMode(value: JsonValue | undefined): SystemMessageMode | undefined {
  return value === 'system' || value === 'developer' || value === 'remove' ? value : undefined;
}

function put(target: JsonObject, path: string, value: JsonValue | undefined): void {
  const [outer = path, inner] = path.split('.');
  if (inner === undefined) target[outer] = value;
  else target[outer] = { ...(isJsonObject(target[outer]) ? target[outer] : {}), [inner]: value };
}

function strings(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}

/** Settings the Responses API has no field for, and the field some servers have for them. */
const VENDOR_FIELDS = {
  topK: 'top_k',
  seed: 'seed',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  stopSequences: 'stop',
} as const satisfies Partial<Record<keyof CallSettings, string>>;

const SAMPLING = ['temperature', 'topP'] as const;

export interface ConvertedSettings {
  readonly fields: JsonObject;
  readonly warnings: readonly CallWarning[];
}

export const NO_SETTINGS: ConvertedSettings = { fields: {}, warnings: [] };

/** Settings as fields; what the back end or the model would refuse is left out, and said so. */
export function convertSettings({ settings, modelId, options }: Call, profile: Profile): ConvertedSettings {
  const sampling = { ...setting('temperature', settings.temperature), ...setting('top_p', settings.topP) };
  const refusesSampling =
    Object.keys(sampling).length > 0 && reasons(modelId, options, profile) && !mayStillSample(modelId, options);
  const vendor = convertVendorSettings(settings, profile);
  return {
    fields: {
      ...setting('max_output_tokens', settings.maxOutputTokens),
      ...(refusesSampling ? {} : sampling),
      ...vendor.fields,
    },
    warnings: [
      ...(refusesSampling ? SAMPLING.filter((name) => settings[name] !== undefined) : []).map((feature) => ({
        feature,
        details: `${feature} was not sent: ${modelId} is a reasoning model, which refuses it.`,
      })),
      ...vendor.warnings,
    ],
  };
}

function convertVendorSettings(settings: CallSettings, profile: Profile): ConvertedSettings {
  const fields: JsonObject = {};
  const warnings: CallWarning[] = [];
  for (const [name, wireName] of Object.entries(VENDOR_FIELDS)) {
    const value = settings[name as keyof typeof VENDOR_FIELDS];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    if (profile.vendorFields.includes(wireName)) fields[wireName] = typeof value === 'number' ? value : [...value];
    else
      warnings.push({
        feature: name,
        details: `${name} is not part of the Responses API and was not sent. If your server takes it, send it with the provider option "body".`,
      });
  }
  return { fields, warnings };
}

/** By the model's name, or because the caller says so of a name that does not show it. */
function reasons(modelId: string, options: JsonObject, profile: Profile): boolean {
  return options['forceReasoning'] === true || profile.reasoningModels.some((pattern) => pattern.test(modelId));
}

/** From GPT-5.1 on, and no longer with GPT-6, a model that is asked not to reason takes them again. */
function mayStillSample(modelId: string, options: JsonObject): boolean {
  return options['reasoningEffort'] === 'none' && /^gpt-5\.\d/.test(modelId);
}

function setting(name: string, value: number | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value };
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
