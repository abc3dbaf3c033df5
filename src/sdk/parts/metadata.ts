import type { JsonObject } from '../../core/json.js';
import type { ToolOutput } from '../../core/message.js';
import type { CallFinish, CallToolCall, PartFacts } from '../../core/part.js';
import type { Answerer, ProviderChoice } from '../../core/round.js';
import { defined } from '../../util/defined.js';
import { addUp } from './add-up.js';
import { toVendorMembers, toVendorWrapper } from '../prompt/call-members.js';

/** Our key in provider metadata and provider options. */
export const METADATA_KEY = 'responses-loop';

/** Provider metadata, the same in every version of the AI SDK. */
export type ProviderMetadata = Record<string, Record<string, JsonValueOut>>;
type JsonValueOut = null | string | number | boolean | { [key: string]: JsonValueOut } | JsonValueOut[];

export interface WithOptions {
  providerOptions?: ProviderMetadata;
}

export interface MetadataContext extends Answerer {
  /** The provider that answers. Set only under `withStockFallback`. */
  readonly choice?: ProviderChoice | undefined;
}

/** Adds the provider that answers. The origin of reasoning may change with the key, during the call. */
export function withChoice(context: MetadataContext, { uses, because }: ProviderChoice): MetadataContext {
  return {
    stored: context.stored,
    vendor: context.vendor,
    choice: { uses, because },
    get origin() {
      return context.origin;
    },
  };
}

/** Returns the facts of a text or reasoning part, under names that others read and under our own for replay. */
export function factsToMetadata(facts: PartFacts | undefined, context: MetadataContext): ProviderMetadata | undefined {
  if (facts === undefined) return undefined;
  const { itemId, phase, agent, annotations, logprobs, reasoning, carrier, place, preamble } = facts;
  return metadata(
    context,
    { itemId: context.stored ? itemId : undefined, phase, annotations, logprobs },
    {
      itemId,
      phase,
      agent,
      preamble,
      carrier,
      place,
      reasoning: reasoning === undefined ? undefined : { ...reasoning, ...defined({ origin: context.origin }) },
    },
  );
}

/** Returns the facts of a tool call, with the model's text if the parsed input cannot restore it. */
export function callToMetadata(call: CallToolCall, context: MetadataContext): ProviderMetadata | undefined {
  if (call.origin === 'hosted') return call.item === undefined ? ITEM_FOLLOWS : hostedToMetadata(call.item, context);
  return metadata(
    context,
    {
      itemId: context.stored ? call.itemId : undefined,
      ...toVendorMembers(call.members),
      parallelToolCall: call.wrapper === undefined ? undefined : toVendorWrapper(call.wrapper),
    },
    {
      itemId: call.itemId,
      wireCallId: call.wireCallId,
      rawInput: call.rawInput,
      item: call.item,
      members: call.members,
      inRound: call.inRound,
      carrier: call.carrier,
      tool: call.tool,
    },
  );
}

/** Returns the output that the model read, if the result itself cannot restore it. */
export function outputToMetadata({ isError, content }: ToolOutput): ProviderMetadata {
  return { [METADATA_KEY]: defined({ output: { isError, content } }) as unknown as ProviderMetadata[string] };
}

/** Returns the item of a call that the server ran, because nothing else could be sent back. */
export function hostedToMetadata(item: JsonObject, context: MetadataContext): ProviderMetadata | undefined {
  return metadata(context, { itemId: context.stored ? item['id'] : undefined }, { hostedItem: item });
}

/** Marks a call that was shown before it was complete. Its result has its item. */
const ITEM_FOLLOWS: ProviderMetadata = { [METADATA_KEY]: { itemFollows: true } };

/** `@ai-sdk/openai`'s name for the server's summary of a long conversation. */
export const COMPACTION = 'openai.compaction';

/** Returns the metadata that `@ai-sdk/openai` writes with a summary. */
export function compactionToMetadata(item: JsonObject, context: MetadataContext): ProviderMetadata {
  const { type, id, agent, encrypted_content: encryptedContent } = item;
  const own = { itemId: id, agent: agent ?? undefined };
  return metadata(context, { type, itemId: context.stored ? id : undefined, encryptedContent }, own) ?? {};
}

/** Returns each round's response, usage and calls, and how the call ended. */
export function finishToMetadata(finish: CallFinish, context: MetadataContext): ProviderMetadata {
  const last = finish.rounds.at(-1);
  // Each round has its own.
  const { moderation, toolUsage: _use, inputTransformations: _left, ...facts } = finish.responseFacts ?? {};
  const { costInUsdTicks } = finish.usage;
  const written = metadata(
    context,
    { responseId: last?.responseId, logprobs: finish.logprobs, ...facts },
    {
      rounds: finish.rounds,
      limit: finish.limit,
      stoppedBy: finish.stoppedBy,
      resumed: finish.resumed,
      moderation,
      toolUsage: finish.rounds.map((round) => round.toolUsage).reduce(addUp, undefined),
      rawFinishReason: finish.rawFinishReason,
      warnings: finish.warnings.length === 0 ? undefined : finish.warnings,
      fallback: context.choice,
    },
  );
  // Only xAI sends it, behind gateways too, and `@ai-sdk/xai` uses this name.
  return costInUsdTicks === undefined ? { ...written } : { ...written, xai: { ...written?.['xai'], costInUsdTicks } };
}

function metadata({ vendor }: MetadataContext, others: object, own: object): ProviderMetadata | undefined {
  const result: ProviderMetadata = {};
  const forOthers = defined(others);
  const forUs = defined(own);
  // Every fact is JSON, which readonly arrays and interfaces hide from the compiler.
  if (Object.keys(forOthers).length > 0) result[vendor] = forOthers as ProviderMetadata[string];
  if (Object.keys(forUs).length > 0) result[METADATA_KEY] = forUs as ProviderMetadata[string];
  return Object.keys(result).length === 0 ? undefined : result;
}
