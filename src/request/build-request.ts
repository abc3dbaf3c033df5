import type { Call } from '../core/call.js';
import type { JsonObject } from '../core/json.js';
import type { Profile } from '../core/profile.js';
import type { RoundRequest } from '../core/round.js';
import type { InputItem } from '../wire/input-item.js';
import type { RequestBody } from '../wire/request.js';
import { type ConvertedOptions, convertOptions } from './convert-options.js';
import { convertConversation } from './convert-conversation.js';
import { convertSettings } from './convert-settings.js';
import { convertResponseFormat, convertToolChoice, convertTools } from './convert-tools.js';
import { mergeOverrides } from './merge-overrides.js';

export interface RequestBuilderOptions {
  readonly call: Call;
  readonly profile: Profile;
  /** Whose reasoning may be replayed. */
  readonly origin?: string;
  /** Body overrides of the provider and the model, in this order; see `mergeOverrides`. */
  readonly overrides: readonly JsonObject[];
  /** Defaults of the provider; options of the call replace them. */
  readonly defaults: JsonObject;
}

export interface RequestBuilder {
  /** The body of one round. Input items are made once and reused by later rounds. */
  build(round: Pick<RoundRequest, 'prompt' | 'added' | 'tools' | 'toolChoice' | 'closing'>): JsonObject;
  /** What had to be left out or changed. */
  readonly warnings: readonly string[];
}

/** One builder per call. */
export function createRequestBuilder(options: RequestBuilderOptions): RequestBuilder {
  const { call, profile } = options;
  const settings = convertSettings(call.settings);
  const converted = convertOptions({ ...options.defaults, ...call.options });
  const items = new ItemCache(options);
  const fixed = fixedFields(options, converted, settings.fields);
  return {
    warnings: [...settings.warnings, ...converted.warnings],
    build: (round) => {
      const body: RequestBody = {
        model: call.modelId,
        input: items.upTo(round),
        ...toolFields(round, call, profile),
        ...fixed,
      };
      // RequestBody is JSON by construction; VerbatimItem hides it from the compiler.
      return options.overrides.reduce(mergeOverrides, mergeOverrides(body as unknown as JsonObject, converted.body));
    },
  };
}

/** What is the same in every round. */
function fixedFields(
  { call, profile }: RequestBuilderOptions,
  converted: ConvertedOptions,
  settings: Record<string, number>,
): Omit<JsonObject, 'model' | 'input'> {
  const format = convertResponseFormat(call.responseFormat, converted.strictJsonSchema);
  const include = [...new Set([...profile.include, ...converted.include])];
  const { text, ...fields } = converted.fields;
  const textSettings = { ...(format === undefined ? {} : { format }), ...(text as JsonObject | undefined) };
  return {
    store: false,
    ...settings,
    ...fields,
    // TextFormat holds the caller's JSON schema.
    ...(Object.keys(textSettings).length === 0 ? {} : { text: textSettings as JsonObject }),
    ...(include.length === 0 ? {} : { include }),
    stream: call.stream,
  };
}

function toolFields(
  round: Pick<RoundRequest, 'tools' | 'toolChoice' | 'closing'>,
  call: Call,
  profile: Profile,
): Pick<RequestBody, 'tools' | 'tool_choice'> {
  const tools = convertTools(round.tools, call.hostedTools);
  if (tools.length === 0 || (round.closing && profile.closingTools === 'remove')) return {};
  const choice = convertToolChoice(round.closing ? { type: 'none' } : round.toolChoice);
  return { tools, ...(choice === undefined ? {} : { tool_choice: choice }) };
}

/** Rounds only ever add to a conversation, so what was converted stays converted. */
class ItemCache {
  readonly #options: RequestBuilderOptions;
  readonly #sentCallIds = new Set<string>();
  #items: InputItem[] | undefined;
  #addedCount = 0;

  constructor(options: RequestBuilderOptions) {
    this.#options = options;
  }

  upTo({ prompt, added }: Pick<RoundRequest, 'prompt' | 'added'>): readonly InputItem[] {
    const { profile, origin } = this.#options;
    const convert = { profile, sentCallIds: this.#sentCallIds, ...(origin === undefined ? {} : { origin }) };
    this.#items ??= convertConversation(prompt, convert);
    if (added.length > this.#addedCount) {
      this.#items = [...this.#items, ...convertConversation(added.slice(this.#addedCount), convert)];
      this.#addedCount = added.length;
    }
    return this.#items;
  }
}
