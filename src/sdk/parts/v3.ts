import type { JsonObject, JsonValue } from '../../core/json.js';
import type { FileContent } from '../../core/message.js';
import type { CallFinish, FinishReason } from '../../core/part.js';
import type { Unsupported } from '../../core/warning.js';
import type { Usage } from '../../core/usage.js';
import { defined } from '../../util/defined.js';
import { addUp } from './add-up.js';
import { finishToMetadata, type MetadataContext } from './metadata.js';
import type {
  ApprovalRequestPart,
  FilePart,
  FinishPart,
  StreamStartPart,
  ToolResultPart,
  UnsupportedFeature,
} from './stream-parts.js';
import { shownContent, toResultPart } from './to-result.js';
import { describeVersion, type PartOf } from './to-stream-part.js';

/** The parts that V3 and V4 share and V2 lacks. */
export type NestedPart =
  | StreamStartPart<UnsupportedFeature>
  | ToolResultPart<NonNullable<JsonValue>>
  | ApprovalRequestPart
  | NestedFinishPart;

/** The parts that only V3 has. */
export type PartV3 = NestedPart | FilePart<string>;

export interface NestedUsage {
  inputTokens: {
    total: number | undefined;
    noCache: number | undefined;
    cacheRead: number | undefined;
    cacheWrite: number | undefined;
  };
  outputTokens: { total: number | undefined; text: number | undefined; reasoning: number | undefined };
  /** The wire object; for several rounds the sum, member by member. */
  raw?: JsonObject;
}

/** V3 and later contain the server's own reason, too. */
type NestedFinishPart = FinishPart<{ unified: FinishReason; raw: string | undefined }, NestedUsage>;

export const NESTED = {
  traits: { toolParts: 'all', canAskUser: true, previews: true },
  unsupported: ({ feature, details, isReplaced }: Unsupported): UnsupportedFeature => ({
    type: isReplaced === true ? 'compatibility' : 'unsupported',
    feature,
    details,
  }),
} as const;

/** `null` is no result: the text for the model replaces it. */
export const nestedMappers = (toResultFile: (file: FileContent) => JsonObject) => ({
  'tool-result': (part: PartOf<'tool-result'>, context: MetadataContext) =>
    toResultPart(part, part.output.value ?? shownContent(part.output, toResultFile), context),
  'approval-request': ({ approvalId, callId }: PartOf<'approval-request'>): ApprovalRequestPart => ({
    type: 'tool-approval-request',
    approvalId,
    toolCallId: callId,
  }),
  finish: toNestedFinish,
});

export const V3 = describeVersion<PartV3>(
  { ...NESTED, toResultFile: toResultFileV3 },
  {
    ...nestedMappers(toResultFileV3),
    file: ({ mediaType, base64 }) => ({ type: 'file', mediaType, data: base64 }),
  },
);

/** V3 has a type per kind and source. */
export function toResultFileV3({ source, mediaType, filename }: FileContent) {
  const kind = mediaType.startsWith('image/') ? 'image' : 'file';
  const facts = { mediaType, ...defined({ filename }) };
  if (source.type === 'data') return { type: `${kind}-data`, data: source.base64, ...facts };
  if (source.type === 'url') return { type: `${kind}-url`, url: source.url, ...facts };
  return { type: kind === 'image' ? 'image-file-id' : 'file-id', fileId: source.id, ...facts };
}

export function toNestedFinish(finish: CallFinish, context: MetadataContext): NestedFinishPart {
  return {
    type: 'finish',
    finishReason: { unified: finish.finishReason, raw: finish.rawFinishReason },
    usage: toNestedUsage(finish),
    providerMetadata: finishToMetadata(finish, context),
  };
}

function toNestedUsage({ usage, rounds }: CallFinish): NestedUsage {
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens } = usage;
  const raw = rounds.map((round) => round.usage.raw).reduce(addUp, undefined);
  return {
    inputTokens: {
      total: inputTokens,
      noCache: addRounds(rounds, noCacheOf),
      cacheRead: cachedInputTokens,
      cacheWrite: cacheWriteTokens,
    },
    outputTokens: { total: outputTokens, text: addRounds(rounds, textOf), reasoning: reasoningTokens },
    ...(raw === undefined ? {} : { raw }),
  };
}

/** The rest of a sum is known only if each counted round's is. */
function addRounds(rounds: CallFinish['rounds'], restOf: (usage: Usage) => number | undefined): number | undefined {
  const rests = rounds.flatMap(({ usage }) => restOf(usage) ?? []);
  const sum = rests.reduce((total, rest) => total + rest, 0);
  return rests.length === 0 || Number.isNaN(sum) ? undefined : sum;
}

/** `undefined` if the round counted nothing, `NaN` if the rest is unknown. */
function noCacheOf({ inputTokens, cachedInputTokens, cacheWriteTokens = 0 }: Usage): number | undefined {
  // Few servers count cache writes; all that count at all count cache reads.
  return inputTokens === undefined ? undefined : less(less(inputTokens, cachedInputTokens), cacheWriteTokens);
}

function textOf({ outputTokens, reasoningTokens }: Usage): number | undefined {
  return outputTokens === undefined ? undefined : less(outputTokens, reasoningTokens);
}

/** A few servers count the part outside the whole, so the rest is unknown. */
function less(whole: number, part: number | undefined): number {
  return part === undefined || part > whole ? Number.NaN : whole - part;
}
