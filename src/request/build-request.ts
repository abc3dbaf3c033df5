import type { Call } from '../core/call.js';
import type { JsonObject } from '../core/json.js';
import type { Profile } from '../core/profile.js';
import type { RoundRequest } from '../core/round.js';
import type { HostedTool } from '../core/tool.js';
import type { CallWarning } from '../core/warning.js';
import type { RequestBody } from '../wire/request.js';
import { automaticIncludes } from './automatic-includes.js';
import { type BodyOverride, checkBody, override } from './body-override.js';
import { checkPrompt } from './check-prompt.js';
import { type ConvertedOptions, convertOptions } from './convert-options.js';
import { convertSettings } from './convert-settings.js';
import { convertResponseFormat } from './convert-tools.js';
import { createInputItems } from './input-items.js';
import { mergeOverrides } from './merge-overrides.js';
import { sortHosted, toolFields } from './tool-fields.js';
import { defined } from '../util/defined.js';

export interface RequestBuilderOptions {
  readonly call: Call;
  readonly profile: Profile;
  /** Whose reasoning may be replayed. */
  readonly origin?: string;
  /** Body overrides of the model, in this order; the call's own come after them. */
  readonly overrides: readonly BodyOverride[];
  /** Defaults of the provider; options of the call replace them. */
  readonly defaults: JsonObject;
}

type BuildableRound = Pick<
  RoundRequest,
  'index' | 'prompt' | 'added' | 'tools' | 'toolChoice' | 'closing' | 'previousResponseId'
>;

export interface RequestBuilder {
  /** The body of one round. Input items are made once and reused by later rounds. */
  build(round: BuildableRound): JsonObject;
  /** What had to be left out or changed. */
  readonly warnings: readonly CallWarning[];
  /** What the conversation had that could not be sent, known once it was built. */
  readonly lateWarnings: readonly string[];
}

/** One builder per call. */
export function createRequestBuilder(options: RequestBuilderOptions): RequestBuilder {
  const { call, profile } = options;
  checkPrompt(call, profile);
  const settings = convertSettings(call, profile);
  const converted = convertOptions({ ...options.defaults, ...call.options }, call.modelId, profile);
  const hosted = sortHosted(call, profile);
  const fixed = fixedFields(options, converted, settings.fields, hosted.taken);
  const items = createInputItems({ stored: isStored(options, converted, fixed), ...options }, converted);
  return {
    warnings: [...settings.warnings, ...converted.warnings, ...hosted.warnings, ...removedSystem(call, converted)],
    get lateWarnings() {
      return items.warnings;
    },
    build: (round) => {
      const { input, fields } = items.of(round);
      const body: RequestBody = {
        model: call.modelId,
        input,
        ...toolFields(round, options, hosted),
        ...fixed,
        ...fields,
      };
      // RequestBody is JSON by construction; VerbatimItem hides it from the compiler.
      const start = body as unknown as JsonObject;
      const place = { modelId: call.modelId, round: round.index };
      const whole = options.overrides.reduce<JsonObject>((before, change) => override(before, change, place), start);
      return checkBody(withoutIdleFields(mergeOverrides(whole, converted.body)));
    },
  };
}

/** What is the same in every round. */
function fixedFields(
  { call, profile }: RequestBuilderOptions,
  converted: ConvertedOptions,
  settings: JsonObject,
  hosted: readonly HostedTool[],
): Omit<JsonObject, 'model' | 'input'> {
  const format = convertResponseFormat(call.responseFormat, converted.strictJsonSchema);
  const { store } = converted.fields;
  const stateless = store === false || (store === undefined && !continues(converted));
  const automatic = automaticIncludes(profile, hosted, { stateless, searchSources: converted.searchSources });
  const include = [...new Set([...automatic, ...converted.include])];
  const { text, ...fields } = converted.fields;
  // TextFormat holds the caller's JSON schema.
  const textSettings = {
    ...defined({ format }),
    ...(text as JsonObject | undefined),
  } as JsonObject;
  return {
    stream: call.stream,
    // What continues a stored response has to be stored too, unless the user says otherwise.
    ...(continues(converted) ? {} : { store: false }),
    ...settings,
    ...fields,
    ...(Object.keys(textSettings).length === 0 ? {} : { text: textSettings }),
    ...(include.length === 0 ? {} : { include }),
  };
}

function continues({ fields }: ConvertedOptions): boolean {
  return fields['previous_response_id'] !== undefined || fields['conversation'] !== undefined;
}

/** Whether the server will keep the responses, overrides included. */
function isStored({ overrides }: RequestBuilderOptions, converted: ConvertedOptions, fixed: JsonObject): boolean {
  // Functions want a whole body; what they do to `store` is between them and the server.
  const fields = overrides.filter((change): change is JsonObject => typeof change !== 'function');
  const body = mergeOverrides(fields.reduce(mergeOverrides, fixed), converted.body);
  return body['store'] === true || (body['store'] === undefined && continues(converted));
}

/** Said once for all of them. */
function removedSystem({ messages }: Call, { systemMessageMode }: ConvertedOptions): CallWarning[] {
  const isRemoved =
    systemMessageMode === 'remove' && messages.some((message) => message.role === 'system' && message.text !== '');
  return isRemoved ? ['System messages were not sent: the option "systemMessageMode" is "remove".'] : [];
}

/** Servers refuse `parallel_tool_calls` where there are no tools. */
function withoutIdleFields(body: JsonObject): JsonObject {
  if (body['tools'] !== undefined || body['parallel_tool_calls'] === undefined) return body;
  const { parallel_tool_calls: _idle, ...rest } = body;
  return rest;
}
