import type { Call, CallSettings, ResponseFormat } from '../core/call.js';
import type { JsonObject } from '../core/json.js';
import { checkHeaders } from '../request/build-headers.js';
import { asNumber, asRecord, asString } from '../util/guards.js';
import { fromPrompt } from './from-prompt.js';
import type { HistoryTrust } from './history/door.js';
import { fromToolChoice, fromTools } from './from-tools.js';
import { readProviderOptions } from './read-provider-options.js';
import { defined } from '../util/defined.js';

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
  /** The name the provider goes by, under which options may stand too. */
  readonly name?: string;
  /** How far the prompt is believed. Default: as far as nothing is signed. */
  readonly trust?: HistoryTrust;
}

/** A call of any AI SDK version, in our words. */
export function fromCallOptions(
  modelId: string,
  options: AnyCallOptions,
  { stream, functionsFollowSchema = false, name, trust }: ReadOptions,
): { readonly call: Call; readonly warnings: readonly string[] } {
  const { messages, warnings } = fromPrompt(options.prompt, trust);
  const given = readProviderOptions(options.providerOptions, name);
  const tools = fromTools(options.tools, functionsFollowSchema && given['strictJsonSchema'] === true);
  return {
    warnings: [...warnings, ...tools.warnings],
    call: {
      modelId,
      messages,
      clientTools: tools.clientTools,
      hostedTools: tools.hostedTools,
      declaredLoopTools: tools.declaredLoopTools,
      toolChoice: fromToolChoice(options.toolChoice),
      settings: readSettings(options),
      responseFormat: readFormat(options.responseFormat),
      options: { ...readEffort(options.reasoning), ...given },
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

/** The level of `ai` 7; `provider-default` is the way to say nothing. */
function readEffort(level: unknown): JsonObject {
  return typeof level === 'string' && level !== 'provider-default' ? { reasoningEffort: level } : {};
}
