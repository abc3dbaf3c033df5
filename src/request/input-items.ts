import type { JsonObject } from '../core/json.js';
import type { Message } from '../core/message.js';
import type { Profile } from '../core/profile.js';
import type { RoundRequest } from '../core/round.js';
import type { InputItem } from '../wire/input-item.js';
import { convertControls } from './convert-controls.js';
import { type ConvertOptions, convertConversation } from './convert-conversation.js';
import type { ConvertedOptions } from './convert-options.js';
import { ItemPairs } from './item-pairs.js';
import { newToConversation, outputsOfLastRound } from './outputs-only.js';
import { rewrapped } from './rewrap.js';
import { WireIds } from './wire-ids.js';
import { defined } from '../util/defined.js';

/** The input of a round, and the fields that say what it continues. */
export interface RoundInput {
  readonly input: readonly InputItem[];
  readonly fields: JsonObject;
}

export interface InputItemsOptions {
  readonly profile: Profile;
  /** Whose reasoning may be replayed. */
  readonly origin?: string;
  /** The server keeps the responses of this call, so that a follow-up may name the one before it. */
  readonly stored: boolean;
}

export interface InputItems {
  /** What had to be left out so far. */
  readonly warnings: readonly string[];
  of(round: Pick<RoundRequest, 'prompt' | 'added' | 'previousResponseId' | 'tools'>): RoundInput;
}

/**
 * The input of each round of a call. Normally the whole conversation: rounds only ever add to it, so what was converted
 * stays converted. Where the user lets the server keep it, a follow-up holds only the outputs and says what it continues.
 */
export function createInputItems(options: InputItemsOptions, converted: ConvertedOptions): InputItems {
  const outputSchemas = new Map<string, JsonObject>();
  const convert = { ...convertOptionsOf(options, converted), outputSchemas };
  const cache = new ItemCache(convert, converted);
  return {
    get warnings() {
      return convert.pairs.warnings;
    },
    of: (round) => {
      for (const { name, outputSchema } of round.tools)
        if (outputSchema !== undefined) outputSchemas.set(name, outputSchema);
      const chained = options.stored && round.added.length > 0 ? continuation(round, converted.fields) : undefined;
      if (chained === undefined) return { input: withTrigger(cache.upTo(round), round, converted), fields: {} };
      return { input: outputsOfLastRound(round.added, convert), fields: chained };
    },
  };
}

/** Asks for one summary a call; it has to be the last item. */
function withTrigger(
  input: readonly InputItem[],
  { added }: Pick<RoundRequest, 'added'>,
  { compacts }: ConvertedOptions,
): readonly InputItem[] {
  return compacts && added.length === 0 ? [...input, { type: 'compaction_trigger' }] : input;
}

function convertOptionsOf({ profile, origin }: InputItemsOptions, converted: ConvertedOptions): ConvertOptions {
  const { systemMessageMode: mode } = converted;
  return {
    profile: mode === 'developer' || mode === 'system' ? { ...profile, systemRole: mode } : profile,
    dropSystem: mode === 'remove',
    synthesizeReasoning: converted.synthesizeReasoning,
    ids: new WireIds(),
    pairs: new ItemPairs(profile),
    ...defined({ origin }),
  };
}

/** A conversation remembers by itself; otherwise the last response is named. */
function continuation(round: Pick<RoundRequest, 'previousResponseId'>, fields: JsonObject): JsonObject | undefined {
  if (round.previousResponseId === undefined) return undefined;
  return fields['conversation'] === undefined ? { previous_response_id: round.previousResponseId } : {};
}

class ItemCache {
  readonly #convert: ConvertOptions;
  /** The server remembers its reasoning of earlier turns itself; what this call adds it may not have kept. */
  readonly #promptConvert: ConvertOptions;
  #items: readonly InputItem[] | undefined;
  #addedCount = 0;
  /** What comes before the conversation. */
  readonly #lead: readonly InputItem[];
  readonly #isConversation: boolean;

  constructor(convert: ConvertOptions, { fields, effortUpdate }: ConvertedOptions) {
    this.#lead = convertControls(defined({ reasoningEffort: effortUpdate }));
    const continues = fields['previous_response_id'] !== undefined || fields['conversation'] !== undefined;
    this.#isConversation = fields['conversation'] !== undefined;
    this.#convert = convert;
    this.#promptConvert = { continues, ...convert };
  }

  upTo({ prompt, added }: Pick<RoundRequest, 'prompt' | 'added'>): readonly InputItem[] {
    this.#items ??= this.#withLead(this.#convertPrompt(prompt));
    if (added.length > this.#addedCount) {
      this.#items = [...this.#items, ...convertConversation(added.slice(this.#addedCount), this.#convert)];
      this.#addedCount = added.length;
    }
    return this.#items;
  }

  /** A conversation that begins with this very change has it already; servers refuse two in a row. */
  #withLead(items: readonly InputItem[]): readonly InputItem[] {
    const [lead] = this.#lead;
    const isSaid = items[0]?.type === 'configuration_update' && JSON.stringify(items[0]) === JSON.stringify(lead);
    return isSaid ? items : [...this.#lead, ...items];
  }

  #convertPrompt(prompt: readonly Message[]): InputItem[] {
    const continues = this.#promptConvert.continues === true;
    if (!this.#isConversation) return convertConversation(continues ? rewrapped(prompt) : prompt, this.#promptConvert);
    // The server would keep twice what it is sent twice.
    const { outputs, rest } = newToConversation(prompt, this.#convert);
    return [...outputs, ...convertConversation(rest, this.#promptConvert)];
  }
}
