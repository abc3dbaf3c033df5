import type { Call } from '../core/call.js';
import { isJsonObject, type JsonObject } from '../core/json.js';
import type { Profile } from '../core/profile.js';
import type { RoundRequest } from '../core/round.js';
import type { HostedTool } from '../core/tool.js';
import type { CallWarning } from '../core/warning.js';
import { kindOfTool } from '../items/kinds.js';
import type { RequestBody } from '../wire/request.js';
import { AUTO_KEY, cacheKeyOf } from './cache-key.js';
import { type BodyOverride, checkBody, mergeOverrides, override } from './body-override.js';
import { checkPrompt } from './convert-content.js';
import {
  type ConvertedOptions,
  convertOptions,
  convertResponseFormat,
  convertSettings,
  NO_OPTIONS,
  NO_SETTINGS,
} from './convert-options.js';
import { InputItems, type Shorten } from './input-items.js';
import { neverReasons } from './vendors.js';
import { NO_HOSTED, sortHosted, type ToolFields, toolFields } from './tool-fields.js';

export interface RequestBuilderOptions {
  readonly call: Call;
  readonly profile: Profile;
  /** The origin whose reasoning may be replayed, or its beginning. */
  readonly origin?: string;
  /** Body overrides of the model, in this order; the call's own come after them. */
  readonly overrides: readonly BodyOverride[];
  /** Defaults of the provider; options of the call replace them. */
  readonly defaults: JsonObject;
  /** Creates the function that shortens the input, if a setting limits it. */
  readonly shorten?: (() => Shorten) | undefined;
}

type BuildableRound = Pick<
  RoundRequest,
  'index' | 'prompt' | 'added' | 'tools' | 'offered' | 'toolChoice' | 'closing' | 'previousResponseId'
>;

export interface RequestBuilder {
  /** The body of one round. Input items are made once and reused by later rounds. */
  build(round: BuildableRound): JsonObject;
  /** Warnings about dropped and changed parts. */
  readonly warnings: readonly CallWarning[];
  /** Warnings about parts of the conversation that could not be sent; grows as rounds are built. */
  readonly lateWarnings: readonly string[];
}

/** Makes the builder of a call. */
export function createRequestBuilder(options: RequestBuilderOptions): RequestBuilder {
  const { call, profile, overrides } = options;
  checkPrompt(call, profile);
  const settings = isEmpty(call.settings) ? NO_SETTINGS : convertSettings(call, profile);
  const given = { ...options.defaults, ...call.options };
  const converted = isEmpty(given) ? NO_OPTIONS : convertOptions(given, call.modelId, profile);
  const hosted = call.hostedTools.length === 0 ? NO_HOSTED : sortHosted(call, profile);
  const fixed = fixedFields(options, converted, settings.fields, hosted.taken);
  const { body: own, systemMessageMode } = converted.given;
  const changes = own !== undefined && isJsonObject(own) ? [...overrides, own] : overrides;
  const stored = isStored(changes, converted, fixed);
  const removesSystem =
    systemMessageMode === 'remove' && call.messages.some((message) => message.role === 'system' && message.text !== '');
  const wantsKey = profile.sharesCacheByKey === true && converted.given['promptCacheKey'] === AUTO_KEY;
  let key: { readonly prompt_cache_key?: string } = {};
  const items = new InputItems({ profile, origin: options.origin, stored, shorten: options.shorten?.() }, converted);
  /** Made once for consecutive rounds with the same tools and choice, which most are. */
  let tools: ToolFields = {};
  let lastRound: BuildableRound | undefined;
  const keyOf = ({ prompt, tools: ofRound, offered = () => ofRound }: BuildableRound): string =>
    cacheKeyOf(converted.given['instructions'], prompt, [...offered(), ...hosted.wire]);
  return {
    warnings: [
      ...settings.warnings,
      ...converted.warnings,
      ...hosted.warnings,
      ...(removesSystem ? [REMOVED_SYSTEM] : []),
    ],
    lateWarnings: items.warnings,
    build: (round) => {
      const { input, fields } = items.of(round);
      const hasTools = round.tools.length > 0 || hosted.wire.length > 0;
      if (lastRound === undefined || !haveSameTools(lastRound, round))
        tools = hasTools ? toolFields(round, options, hosted) : {};
      lastRound = round;
      if (wantsKey && key.prompt_cache_key === undefined) key = { prompt_cache_key: keyOf(round) };
      const body: RequestBody = { model: call.modelId, input, ...tools, ...fixed, ...key, ...fields };
      // RequestBody is JSON by construction; VerbatimItem hides it from the compiler.
      const start = body as unknown as JsonObject;
      if (changes.length === 0) return withoutIdleFields(start);
      const place = { modelId: call.modelId, round: round.index };
      const whole = changes.reduce<JsonObject>((before, change) => override(before, change, place), start);
      return checkBody(withoutIdleFields(whole));
    },
  };
}

function haveSameTools(one: BuildableRound, other: BuildableRound): boolean {
  return one.tools === other.tools && one.toolChoice === other.toolChoice && one.closing === other.closing;
}

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0;
}

/** The fields that each round repeats. */
function fixedFields(
  { call, profile }: RequestBuilderOptions,
  converted: ConvertedOptions,
  settings: JsonObject,
  hosted: readonly HostedTool[],
): Omit<JsonObject, 'model' | 'input'> {
  const { text, store, ...fields } = converted.fields;
  const { continues, given } = converted;
  const include = includeOf(call, profile, converted, hosted);
  const { responseFormat } = call;
  const format =
    responseFormat.type === 'text'
      ? undefined
      : convertResponseFormat(responseFormat, given['strictJsonSchema'] === true);
  return {
    stream: call.stream,
    // A request that continues a stored response has to be stored too, unless the user decides otherwise.
    ...(store !== undefined ? { store } : continues ? {} : { store: false }),
    ...settings,
    ...fields,
    // The format includes the caller's JSON schema.
    ...((format !== undefined || text !== undefined) && {
      text: { ...(format !== undefined && { format }), ...(text as JsonObject | undefined) } as JsonObject,
    }),
    ...(include.size > 0 && { include: [...include] }),
  };
}

/** Sealed reasoning if the server keeps nothing; results of hosted tools, which servers send only on request. */
function includeOf(
  { modelId }: Call,
  profile: Profile,
  { continues, fields: { store }, given, include }: ConvertedOptions,
  hosted: readonly HostedTool[],
): ReadonlySet<string> {
  const isStateless = store === false || (store === undefined && !continues);
  return new Set([
    // A model that does not reason refuses to seal its reasoning.
    ...(isStateless && !neverReasons(modelId, profile) ? profile.include : []),
    ...(hosted.length === 0 ? [] : includesOf(hosted, given)),
    ...include,
  ]);
}

/** Returns the `include` values of the call's tools that no option of the call switches off. */
function includesOf(hosted: readonly HostedTool[], given: JsonObject): string[] {
  return hosted.flatMap(({ type }) => {
    const { value, unless } = kindOfTool(type)?.include ?? {};
    return value === undefined || (unless !== undefined && given[unless] === false) ? [] : [value];
  });
}

/** Whether the server will keep the responses, overrides included. */
function isStored(changes: readonly BodyOverride[], { continues }: ConvertedOptions, fixed: JsonObject): boolean {
  // Functions need a whole body, so their changes of `store` are unknown here.
  const fields = changes.filter((change): change is JsonObject => typeof change !== 'function');
  const { store } = fields.reduce(mergeOverrides, fixed);
  return store === true || (store === undefined && continues);
}

/** One warning for all of them. */
const REMOVED_SYSTEM = 'System messages were not sent: the option "systemMessageMode" is "remove".';

/** Servers refuse `parallel_tool_calls` without tools. */
function withoutIdleFields(body: JsonObject): JsonObject {
  if (body['tools'] !== undefined || body['parallel_tool_calls'] === undefined) return body;
  const { parallel_tool_calls: _idle, ...rest } = body;
  return rest;
}
