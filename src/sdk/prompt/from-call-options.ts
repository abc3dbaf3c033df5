import type { Call, CallSettings, ResponseFormat } from '../../core/call.js';
import type { JsonObject } from '../../core/json.js';
import type { Profile } from '../../core/profile.js';
import { wireNameOf } from '../../core/tool.js';
import type { CallWarning } from '../../core/warning.js';
import { checkHeaders } from '../../request/build-headers.js';
import { type Vendor, vendorOf } from '../../request/vendors.js';
import { asNumber, asRecord, asString } from '../../util/guards.js';
import { fromPrompt } from './from-prompt.js';
import type { HistoryTrust } from '../history/door.js';
import { type CallTools, fromToolChoice, fromTools } from './from-tools.js';
import { readEffort } from './read-effort.js';
import { type OptionKeys, readProviderOptions } from './read-provider-options.js';
import { defined } from '../../util/defined.js';

/** What every version's call options have in common; members are looked at one by one, since their shapes differ. */
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
  /** The name the provider goes by, under which options may stand too. */
  readonly name?: string;
  /** How far the prompt is believed. Default: as far as nothing is signed. */
  readonly trust?: HistoryTrust;
  /** What the back end is. Default: nobody knows. */
  readonly profile?: Profile;
}

/** A call of any AI SDK version, in our words. */
export function fromCallOptions(
  modelId: string,
  options: AnyCallOptions,
  { stream, functionsFollowSchema = false, asksForSummary = false, name, trust, profile }: ReadOptions,
): { readonly call: Call; readonly warnings: readonly CallWarning[] } {
  const vendor = vendorOf(profile ?? {});
  const keys: OptionKeys = { vendor: vendor.keys, name };
  const given = readProviderOptions(options.providerOptions, keys);
  const strictByDefault = functionsFollowSchema && given['strictJsonSchema'] === true;
  const tools = fromTools(options.tools, { strictByDefault, keys, modelId, profile });
  const { messages, warnings } = fromPrompt(options.prompt, {
    trust,
    keys,
    tools: namesOf(tools),
    hostedTools: tools.hostedTools,
    refusesUnknownValues: vendor.refusesUnknownValues,
  });
  const effort = readEffort(options.reasoning, modelId, profile ?? {});
  const asked = { ...effort.options, ...given };
  return {
    warnings: [...warnings, ...tools.warnings, ...(given['reasoningEffort'] == null ? effort.warnings : [])],
    call: {
      modelId,
      messages,
      clientTools: tools.clientTools,
      hostedTools: tools.hostedTools,
      declaredLoopTools: tools.declaredLoopTools,
      toolChoice: fromToolChoice(options.toolChoice),
      settings: readSettings(options),
      responseFormat: readFormat(options.responseFormat),
      options: { ...(asksForSummary ? summaryFor(asked, vendor) : {}), ...asked },
      headers: options.headers == null ? {} : readHeaders(options.headers),
      ...defined({ signal: options.abortSignal }),
      includeRaw: options.includeRawChunks === true,
      stream,
    },
  };
}

/** The SDK's own `user-agent` stays out: browsers ask the server's leave for it, and local servers refuse. */
function readHeaders(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  // What `fetch` refuses looks like a connection that failed, and would be tried again.
  checkHeaders(headers, 'headers of the call');
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(
    given.filter(([name, value]) => name.toLowerCase() !== 'user-agent' || !value.startsWith('ai/')),
  );
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function readSettings(options: object): CallSettings {
  const given = options as Readonly<Record<string, unknown>>;
  const settings: Writable<CallSettings> = {};
  for (const name of NUMBERS) {
    const value = asNumber(given[name]);
    if (value !== undefined) settings[name] = value;
  }
  const stops = given['stopSequences'];
  if (Array.isArray(stops)) settings.stopSequences = stops.map(String);
  return settings;
}

function readFormat(value: unknown): ResponseFormat {
  const format = asRecord(value);
  if (format?.['type'] !== 'json') return { type: 'text' };
  const name = asString(format['name']);
  const description = asString(format['description']);
  const schema = asRecord(format['schema']);
  return {
    type: 'json',
    // JSON Schema is JSON.
    ...(schema === undefined ? {} : { schema: schema as JsonObject }),
    ...defined({ name, description }),
  };
}

/** As the stock provider for `ai` 7: reasoning that is asked for is to be seen. `null` asks for none. */
function summaryFor({ reasoningEffort, reasoningSummary }: JsonObject, { summary }: Vendor): JsonObject {
  const wants = typeof reasoningEffort === 'string' && reasoningEffort !== 'none' && reasoningSummary === undefined;
  return wants && summary !== undefined ? { reasoningSummary: summary } : {};
}

/** Names of the tools of a call, as calls of them bear them. */
function namesOf({ clientTools, hostedTools }: CallTools): ReadonlySet<string> {
  return new Set([...clientTools.map(({ name }) => name), ...hostedTools.map(wireNameOf)]);
}
