import type { JsonObject } from '../core/json.js';
import type { Message, ToolCallContent, ToolOutput } from '../core/message.js';
import type { Profile } from '../core/profile.js';
import type { RoundRequest } from '../core/round.js';
import type { InputItem } from '../wire/input-item.js';
import { convertCallItemOutput } from './convert-call-item.js';
import { type ConvertOptions, convertConversation } from './convert-conversation.js';
import type { ConvertedOptions } from './convert-options.js';
import { convertToolOutput } from './convert-tool-output.js';

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
  of(round: Pick<RoundRequest, 'prompt' | 'added' | 'previousResponseId'>): RoundInput;
}

/**
 * The input of each round of a call. Normally the whole conversation: rounds only ever add to it, so what was converted
 * stays converted. Where the user lets the server keep it, a follow-up holds only the outputs and says what it continues.
 */
export function createInputItems(options: InputItemsOptions, converted: ConvertedOptions): InputItems {
  const convert = convertOptionsOf(options, converted);
  const cache = new ItemCache(convert, converted.fields);
  return {
    of: (round) => {
      const chained = options.stored && round.added.length > 0 ? continuation(round, converted.fields) : undefined;
      if (chained === undefined) return { input: cache.upTo(round), fields: {} };
      return { input: outputsOnly(round.added, options.profile), fields: chained };
    },
  };
}

function convertOptionsOf({ profile, origin }: InputItemsOptions, converted: ConvertedOptions): ConvertOptions {
  const { systemMessageMode: mode } = converted;
  return {
    profile: mode === 'developer' || mode === 'system' ? { ...profile, systemRole: mode } : profile,
    dropSystem: mode === 'remove',
    synthesizeReasoning: converted.synthesizeReasoning,
    sentIds: new Set(),
    ...(origin === undefined ? {} : { origin }),
  };
}

/** A conversation remembers by itself; otherwise the last response is named. */
function continuation(round: Pick<RoundRequest, 'previousResponseId'>, fields: JsonObject): JsonObject | undefined {
  if (fields['conversation'] !== undefined) return {};
  return round.previousResponseId === undefined ? undefined : { previous_response_id: round.previousResponseId };
}

/**
 * What we answered in the last round, under the call ids the server gave. Calls that came in one wrapper are answered in
 * one output, since the server knows only the wrapper; calls the server answered itself are not answered again.
 */
function outputsOnly(added: readonly Message[], profile: Profile): InputItem[] {
  const lastRound = added.slice(added.findLastIndex((message) => message.role === 'assistant'));
  const calls = new Map<string, ToolCallContent>();
  for (const message of lastRound) {
    if (message.role !== 'assistant') continue;
    for (const content of message.content) if (content.type === 'tool-call') calls.set(content.callId, content);
  }
  const answers = new Map<string, { readonly call: ToolCallContent | undefined; outputs: ToolOutput[] }>();
  for (const message of lastRound) {
    if (message.role !== 'tool') continue;
    for (const content of message.content) {
      if (content.type !== 'tool-result') continue;
      const call = calls.get(content.callId);
      const wireId = call?.wireCallId ?? content.callId;
      const answer = answers.get(wireId) ?? { call, outputs: [] };
      answer.outputs.push(content.output);
      answers.set(wireId, answer);
    }
  }
  return [...answers].map(([wireId, { call, outputs }]) => {
    const output = joinOutputs(outputs);
    return call?.item === undefined
      ? { type: 'function_call_output', call_id: wireId, output: convertToolOutput(output, profile) }
      : convertCallItemOutput(call.item, wireId, output);
  });
}

function joinOutputs(outputs: readonly ToolOutput[]): ToolOutput {
  const [only] = outputs;
  if (only !== undefined && outputs.length === 1) return only;
  return { isError: outputs.every((output) => output.isError), content: outputs.flatMap((output) => output.content) };
}

class ItemCache {
  readonly #convert: ConvertOptions;
  /** The server remembers its reasoning of earlier turns itself; what this call adds it may not have kept. */
  readonly #promptConvert: ConvertOptions;
  #items: InputItem[] | undefined;
  #addedCount = 0;

  constructor(convert: ConvertOptions, fields: JsonObject) {
    const continues = fields['previous_response_id'] !== undefined || fields['conversation'] !== undefined;
    this.#convert = convert;
    this.#promptConvert = { ...convert, dropReasoning: continues };
  }

  upTo({ prompt, added }: Pick<RoundRequest, 'prompt' | 'added'>): readonly InputItem[] {
    this.#items ??= convertConversation(prompt, this.#promptConvert);
    if (added.length > this.#addedCount) {
      this.#items = [...this.#items, ...convertConversation(added.slice(this.#addedCount), this.#convert)];
      this.#addedCount = added.length;
    }
    return this.#items;
  }
}
