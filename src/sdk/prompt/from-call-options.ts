import type { Call, CallSettings, ResponseFormat } from '../../core/call.js';
import type { JsonObject } from '../../core/json.js';
import type { Profile } from '../../core/profile.js';
import { type ToolChoice, wireNameOf } from '../../core/tool.js';
import type { CallWarning } from '../../core/warning.js';
import { checkHeaders } from '../../request/build-headers.js';
import { nearestEffort } from '../../request/efforts.js';
import { neverReasons, type Vendor, vendorOf, type VendorsProfile } from '../../request/vendors.js';
import { asNumber, asRecord, asString } from '../../util/guards.js';
import { fromPrompt } from './from-prompt.js';
import type { HistoryTrust } from '../history/door.js';
import { type CallTools, fromTools, NO_CALL_TOOLS } from './from-tools.js';
import { hasOptions } from './prompt-reader.js';
import {
  type OptionKeys,
  type LoopOptionNames,
  readLoopOptions,
  readProviderOptions,
} from './read-provider-options.js';
import { defined } from '../../util/defined.js';

/** The call options of every version; members are checked one by one, because their shapes differ. */
export interface AnyCallOptions extends SamplingOptions {
  readonly prompt: readonly unknown[];
  readonly stopSequences?: readonly string[] | undefined;
  readonly tools?: readonly unknown[] | undefined;
  readonly toolChoice?: unknown;
  readonly responseFormat?: unknown;
  readonly providerOptions?: unknown;
  readonly reasoning?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  readonly abortSignal?: AbortSignal | undefined;
  readonly includeRawChunks?: boolean | undefined;
}

const NUMBERS = [
  'maxOutputTokens',
  'temperature',
  'topP',
  'topK',
  'presencePenalty',
  'frequencyPenalty',
  'seed',
] as const;

type SamplingOptions = { readonly [K in (typeof NUMBERS)[number]]?: number | undefined };

export interface ReadOptions {
  readonly stream: boolean;
  /** See `StartOptions`. */
  readonly functionsFollowSchema?: boolean;
  /** See `StartOptions`. */
  readonly asksForSummary?: boolean;
  /** The provider's name, which options may use as their key. */
  readonly name?: string;
  /** The trust in the prompt. @default that of unsigned histories */
  readonly trust?: HistoryTrust;
  /** The profile of the back end. @default unknown */
  readonly profile?: Profile;
  /** The options that are settings of the loop. @default `loop` alone */
  readonly loopOptions?: LoopOptionNames;
}

/** Converts a call of any AI SDK version to our form. */
export function fromCallOptions(
  modelId: string,
  options: AnyCallOptions,
  { stream, functionsFollowSchema, asksForSummary = false, name, trust, profile, loopOptions }: ReadOptions,
): { readonly call: Call; readonly warnings: readonly CallWarning[] } {
  const vendor = vendorOf(profile ?? {});
  const keys: OptionKeys = { vendor: vendor.keys, name };
  const { loop, given } = hasOptions(options) ? readOptions(options.providerOptions, keys, loopOptions) : NO_OPTIONS;
  const strictByDefault = functionsFollowSchema === true && given['strictJsonSchema'] === true;
  const hasTools = options.tools?.length;
  const tools = hasTools ? fromTools(options.tools, { strictByDefault, keys, modelId, profile }) : NO_CALL_TOOLS;
  const { messages, warnings } = fromPrompt(options.prompt, {
    trust,
    keys,
    refusesUnknownValues: vendor.refusesUnknownValues,
    ...(hasTools ? { tools: namesOf(tools), hostedTools: tools.hostedTools } : {}),
  });
  const { level, unmet = [] } = given['reasoningEffort'] == null ? readLevel(options.reasoning, modelId, profile) : {};
  const asked = { ...defined({ reasoningEffort: level }), ...given };
  return {
    warnings: [...warnings, ...tools.warnings, ...unmet],
    call: {
      modelId,
      messages,
      clientTools: tools.clientTools,
      hostedTools: tools.hostedTools,
      declaredLoopTools: tools.declaredLoopTools,
      sdkRunTools: tools.sdkRunTools,
      lateTools: tools.lateTools,
      toolChoice: readToolChoice(options.toolChoice),
      settings: readSettings(options),
      responseFormat: readFormat(options.responseFormat),
      options: { ...(asksForSummary ? summaryFor(asked, vendor) : {}), ...asked },
      headers: readHeaders(options.headers),
      includeRaw: options.includeRawChunks === true,
      stream,
      ...defined({ signal: options.abortSignal, level, loop }),
    },
  };
}

interface GivenOptions {
  readonly given: JsonObject;
  /** Settings of the loop. */
  readonly loop?: unknown;
}

const NO_OPTIONS: GivenOptions = { given: {} };

function readOptions(value: unknown, keys: OptionKeys, loopOptions: LoopOptionNames | undefined): GivenOptions {
  const given = readProviderOptions(value, keys);
  const loop = readLoopOptions(value, keys, loopOptions);
  if (loop === undefined) return { given };
  const { loop: _loop, ...others } = given;
  const options = Object.entries(others).filter(([name]) => loopOptions?.has(name) !== true);
  return { given: Object.fromEntries(options), loop };
}

/**
 * Omits the SDK's own `user-agent`, because browsers need the server's permission to send it, and local servers refuse.
 */
function readHeaders(headers: AnyCallOptions['headers']): Record<string, string> {
  if (headers == null) return {};
  // An error of `fetch` would look like a failed connection, and would be retried.
  checkHeaders(headers, 'headers of the call');
  const sent: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const isOfSdk = name.toLowerCase() === 'user-agent' && value?.startsWith('ai/') === true;
    if (value !== undefined && !isOfSdk) sent[name] = value;
  }
  return sent;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function readSettings(options: AnyCallOptions): CallSettings {
  const settings: Writable<CallSettings> = {};
  for (const name of NUMBERS) {
    const value = asNumber(options[name]);
    if (value !== undefined) settings[name] = value;
  }
  if (Array.isArray(options.stopSequences)) settings.stopSequences = options.stopSequences.map(String);
  return settings;
}

function readToolChoice(choice: unknown): ToolChoice {
  const type = asString(asRecord(choice)?.['type']) ?? 'auto';
  if (type === 'tool') return { type, name: asString(asRecord(choice)?.['toolName']) ?? '' };
  return { type: type === 'none' || type === 'required' ? type : 'auto' };
}

function readFormat(value: unknown): ResponseFormat {
  const format = asRecord(value);
  if (format?.['type'] !== 'json') return { type: 'text' };
  // JSON Schema is JSON.
  const schema = asRecord(format['schema']) as JsonObject | undefined;
  return {
    type: 'json',
    ...defined({ schema, name: asString(format['name']), description: asString(format['description']) }),
  };
}

/** Requested reasoning is shown, as in `@ai-sdk/openai` for `ai` 7. `null` requests no summary. */
function summaryFor({ reasoningEffort, reasoningSummary }: JsonObject, { summary }: Vendor): JsonObject {
  const wants = typeof reasoningEffort === 'string' && reasoningEffort !== 'none' && reasoningSummary === undefined;
  return wants && summary !== undefined ? { reasoningSummary: summary } : {};
}

/** Returns the names of the call's tools, as calls use them. */
function namesOf({ clientTools, hostedTools }: CallTools): ReadonlySet<string> {
  return new Set([...clientTools.map(({ name }) => name), ...hostedTools.map(wireNameOf)]);
}

/**
 * Converts the level of reasoning of `ai` 7 to the option of other versions; `provider-default` means none. If the
 * model's levels are known, the nearest level is used.
 */
function readLevel(
  level: unknown,
  modelId: string,
  profile: VendorsProfile = {},
): { readonly level?: string; readonly unmet?: readonly CallWarning[] } {
  if (typeof level !== 'string' || level === 'provider-default') return {};
  const takes = vendorOf(profile).efforts?.(modelId);
  const effort = takes === undefined ? level : nearestEffort(level, takes);
  if (effort === level) return { level };
  const feature = 'reasoning';
  if (effort !== undefined) {
    const details = `${modelId} has no "${level}" reasoning; "${effort}" was sent.`;
    return { level: effort, unmet: [{ feature, details, isReplaced: true }] };
  }
  // A model without reasoning complies anyway.
  if (level === 'none' && neverReasons(modelId, profile)) return {};
  return { unmet: [{ feature, details: `The reasoning level was not sent: ${modelId} does not support one.` }] };
}
