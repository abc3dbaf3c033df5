import type { Call, CallSettings } from '../core/call.js';
import type { JsonObject } from '../core/json.js';
import type { Profile } from '../core/profile.js';
import type { CallWarning } from '../core/warning.js';

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

/** Settings as fields; what the back end or the model would refuse is left out, and said so. */
export function convertSettings({ settings, modelId, options }: Call, profile: Profile): ConvertedSettings {
  const sampling = { ...field('temperature', settings.temperature), ...field('top_p', settings.topP) };
  const refusesSampling =
    Object.keys(sampling).length > 0 && reasons(modelId, options, profile) && !mayStillSample(modelId, options);
  const vendor = convertVendorSettings(settings, profile);
  return {
    fields: {
      ...field('max_output_tokens', settings.maxOutputTokens),
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

/** From GPT-5.1 on, and no longer with GPT-6, a model that is told not to reason takes them again. */
function mayStillSample(modelId: string, options: JsonObject): boolean {
  return options['reasoningEffort'] === 'none' && /^gpt-5\.\d/.test(modelId);
}

function field(name: string, value: number | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value };
}
