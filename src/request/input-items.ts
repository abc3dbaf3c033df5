import type { JsonObject } from '../core/json.js';
import type { Turn } from '../core/entry.js';
import type { RoundRequest } from '../core/round.js';
import type { InputItem } from '../wire/input-item.js';
import { convertControls } from './convert-content.js';
import { type ConvertOptions, convertTurns } from './convert-turns.js';
import type { ConvertedOptions } from './convert-options.js';
import { newToConversation, outputsOfLastRound, rewrapped } from './known-to-server.js';
import { isCut, sinceCompaction } from './since-compaction.js';
import { WireIds } from './wire-ids.js';

/** The input of a round, and the fields that name what it continues. */
export interface RoundInput {
  readonly input: readonly InputItem[];
  readonly fields: JsonObject;
}

export interface InputItemsOptions extends Pick<ConvertOptions, 'profile' | 'origin'> {
  /** The server keeps the responses of this call, so that a follow-up may name the one before it. */
  readonly stored: boolean;
  readonly shorten?: Shorten | undefined;
}

/**
 * Shortens the input of each round; called before every round in turn, one function for each builder. `recent`: items
 * of the call's last rounds, which stay. `round`: the round that sends the input; `undefined` if it has ended.
 */
export type Shorten = (
  items: readonly InputItem[],
  recent: readonly (readonly InputItem[])[],
  round: number | undefined,
) => readonly InputItem[];

/**
 * Builds the input of each round of a call. Normally that is the whole conversation: rounds only add to it, so each part is
 * converted once. If the server keeps the conversation, a follow-up has only the outputs and names what it continues.
 */
export class InputItems {
  readonly #options: InputItemsOptions;
  readonly #converted: ConvertedOptions;
  readonly #outputSchemas = new Map<string, JsonObject>();
  /** Warnings about items that are not sent, each once. Only grows. */
  readonly warnings: string[] = [];
  readonly #convert: ConvertOptions;
  #items: readonly InputItem[] | undefined;
  /** Items of the last two rounds of this call. */
  #recent: readonly (readonly InputItem[])[] = [];
  #addedCount = 0;

  constructor(options: InputItemsOptions, converted: ConvertedOptions) {
    const { profile, origin } = options;
    const { systemMessageMode: mode, missingReasoning } = converted.given;
    this.#options = options;
    this.#converted = converted;
    this.#convert = {
      profile: mode === 'developer' || mode === 'system' ? { ...profile, systemRole: mode } : profile,
      dropSystem: mode === 'remove',
      synthesizeReasoning: missingReasoning === 'synthesize',
      ids: new WireIds(),
      open: new Map(),
      leaveOut: (type, why) => {
        const warning = `An item of type "${type}" was not sent: ${why}, and servers refuse that.`;
        if (!this.warnings.includes(warning)) this.warnings.push(warning);
      },
      outputSchemas: this.#outputSchemas,
      origin,
    };
  }

  of(round: Pick<RoundRequest, 'index' | 'prompt' | 'added' | 'previousResponseId' | 'tools'>): RoundInput {
    const { prompt, added, tools } = round;
    for (const { name, outputSchema } of tools)
      if (outputSchema !== undefined) this.#outputSchemas.set(name, outputSchema);
    const chained = this.#options.stored && added.length > 0 ? continuation(round, this.#converted.fields) : undefined;
    if (chained !== undefined) return { input: this.#newBehindAnswer(added), fields: chained };
    this.#items ??= this.#shortened(this.#convertPrompt(prompt), round);
    if (this.#addedCount < added.length) this.#items = this.#withRounds(this.#items, round);
    // Requests one summary per call; it must be the last item.
    const compacts = this.#converted.given['compactionTrigger'] === true && added.length === 0;
    return { input: compacts ? [...this.#items, { type: 'compaction_trigger' }] : this.#items, fields: {} };
  }

  /** Returns items that the server lacks since its last answer: outputs, and texts from between the rounds. */
  #newBehindAnswer(added: RoundRequest['added']): InputItem[] {
    const last = added.findLastIndex((turns) => turns.some(({ role }) => role === 'assistant'));
    const texts = added.slice(last + 1).flatMap((turns) => convertTurns(turns, this.#convert));
    return [...outputsOfLastRound(added[last] ?? [], this.#convert), ...texts];
  }

  /** Adds even many rounds one by one, because the input is shortened before each. */
  #withRounds(before: readonly InputItem[], round: Pick<RoundRequest, 'index' | 'added'>): readonly InputItem[] {
    // Copied once, because a replayed call may have thousands of rounds.
    let items = [...before];
    for (const turns of round.added.slice(this.#addedCount)) {
      const fresh = convertTurns(turns, this.#convert);
      this.#addedCount += 1;
      this.#recent = [...this.#recent.slice(-1), fresh];
      for (const item of fresh) items.push(item);
      const kept = this.#shortened(this.#cut(items, fresh), round);
      if (kept !== items) items = [...kept];
    }
    return items;
  }

  /** Removes what a summary among the last items replaces. A server that keeps the conversation may need it. */
  #cut(items: readonly InputItem[], last: readonly InputItem[]): readonly InputItem[] {
    const { continues } = this.#converted;
    if (continues || !last.some(isCut)) return items;
    return sinceCompaction(items, items.length - last.length);
  }

  /** Returns the items of the next request. */
  #shortened(
    items: readonly InputItem[],
    { index, added }: Pick<RoundRequest, 'index' | 'added'>,
  ): readonly InputItem[] {
    const isSent = this.#addedCount === added.length;
    return this.#options.shorten?.(items, this.#recent, isSent ? index : undefined) ?? items;
  }

  #convertPrompt(prompt: readonly Turn[]): readonly InputItem[] {
    const { fields, effortUpdate, continues } = this.#converted;
    // The server has its reasoning of earlier turns, but may not have kept this call's.
    const convert = continues ? { ...this.#convert, continues } : this.#convert;
    let items: readonly InputItem[];
    if (fields['conversation'] !== undefined) {
      // The server would keep a repeated item twice.
      const { outputs, rest } = newToConversation(prompt, this.#convert);
      items = [...outputs, ...convertTurns(rest, convert)];
    } else items = convertTurns(continues ? rewrapped(prompt) : prompt, convert);
    if (convert.profile.readsCompaction === true) items = this.#cut(items, items);
    return effortUpdate === undefined ? items : withEffort(effortUpdate, items);
  }
}

/** Adds the change of effort, unless the conversation begins with it: servers refuse two in a row. */
function withEffort(reasoningEffort: string, items: readonly InputItem[]): readonly InputItem[] {
  const [update] = convertControls({ reasoningEffort });
  const isSaid = items[0]?.type === 'configuration_update' && JSON.stringify(items[0]) === JSON.stringify(update);
  return isSaid || update === undefined ? items : [update, ...items];
}

/** Names the last response, unless the server keeps a conversation. */
function continuation(round: Pick<RoundRequest, 'previousResponseId'>, fields: JsonObject): JsonObject | undefined {
  if (round.previousResponseId === undefined) return undefined;
  return fields['conversation'] === undefined ? { previous_response_id: round.previousResponseId } : {};
}
