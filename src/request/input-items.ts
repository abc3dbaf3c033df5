import type { JsonObject } from '../core/json.js';
import type { Message } from '../core/message.js';
import type { Profile } from '../core/profile.js';
import type { RoundRequest } from '../core/round.js';
import type { InputItem } from '../wire/input-item.js';
import { type ConvertOptions, convertConversation } from './convert-conversation.js';
import type { ConvertedOptions } from './convert-options.js';

/** The input of a round, and the fields that say what it continues. */
export interface RoundInput {
  readonly input: readonly InputItem[];
  readonly fields: JsonObject;
}

export interface InputItemsOptions {
  readonly profile: Profile;
  /** Whose reasoning may be replayed. */
  readonly origin?: string;
}

export interface InputItems {
  of(round: Pick<RoundRequest, 'prompt' | 'added' | 'previousResponseId'>): RoundInput;
}

/**
 * The input of each round of a call. Normally the whole conversation: rounds only ever add to it, so what was converted
 * stays converted. Where the user lets the server keep it, a follow-up holds only the outputs and says what it continues.
 */
export function createInputItems(options: InputItemsOptions, converted: ConvertedOptions): InputItems {
  const { profile, origin } = options;
  const stored = keepsState(converted.fields);
  const convert: ConvertOptions = {
    profile: converted.systemMessageMode === 'developer' || converted.systemMessageMode === 'system' ? { ...profile, systemRole: converted.systemMessageMode } : profile,
    dropSystem: converted.systemMessageMode === 'remove',
    dropReasoning: converted.fields['previous_response_id'] !== undefined || converted.fields['conversation'] !== undefined,
    synthesizeReasoning: converted.synthesizeReasoning,
    sentIds: new Set(),
    ...(origin === undefined ? {} : { origin }),
  };
  const cache = new ItemCache(convert);
  return {
    of: (round) => {
      const chained = stored && round.added.length > 0 ? continuation(round, converted.fields) : undefined;
      if (chained === undefined) return { input: cache.upTo(round), fields: {} };
      return { input: outputsOnly(round.added, convert), fields: chained };
    },
  };
}

function keepsState(fields: JsonObject): boolean {
  return fields['store'] === true || fields['previous_response_id'] !== undefined || fields['conversation'] !== undefined;
}

/** A conversation remembers by itself; otherwise the last response is named. */
function continuation(round: Pick<RoundRequest, 'previousResponseId'>, fields: JsonObject): JsonObject | undefined {
  if (fields['conversation'] !== undefined) return {};
  // A server that keeps nothing after all (`store` refused or false) has to be told everything.
  if (fields['store'] === false || round.previousResponseId === undefined) return undefined;
  return { previous_response_id: round.previousResponseId };
}

/** The outputs of the last round, under the call ids the server gave. */
function outputsOnly(added: readonly Message[], convert: ConvertOptions): InputItem[] {
  const lastRound = added.slice(added.findLastIndex((message) => message.role === 'assistant'));
  const contents = lastRound.flatMap((message) => (message.role === 'assistant' ? message.content : []));
  const wireIds = new Map(
    contents.flatMap((content) => (content.type === 'tool-call' && content.wireCallId !== undefined ? [[content.callId, content.wireCallId] as const] : [])),
  );
  return convertConversation(lastRound, { ...convert, sentIds: new Set() }).flatMap((item) =>
    item.type.endsWith('_output') && 'call_id' in item ? [{ ...item, call_id: wireIds.get(item.call_id) ?? item.call_id }] : [],
  );
}

class ItemCache {
  readonly #convert: ConvertOptions;
  #items: InputItem[] | undefined;
  #addedCount = 0;

  constructor(convert: ConvertOptions) {
    this.#convert = convert;
  }

  upTo({ prompt, added }: Pick<RoundRequest, 'prompt' | 'added'>): readonly InputItem[] {
    this.#items ??= convertConversation(prompt, this.#convert);
    if (added.length > this.#addedCount) {
      this.#items = [...this.#items, ...convertConversation(added.slice(this.#addedCount), this.#convert)];
      this.#addedCount = added.length;
    }
    return this.#items;
  }
}
