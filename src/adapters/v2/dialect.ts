import type { FinishReason } from '../../core/part.js';
import type { FileContent } from '../../core/message.js';
import type { Usage } from '../../core/usage.js';
import type { UnsupportedTool } from '../../core/warning.js';
import type { Dialect } from '../../sdk/parts/dialect.js';
import type { ProviderMetadata } from '../../sdk/parts/metadata.js';
import type { FilePart, FinishPart, StreamStartPart, ToolResultPart } from '../../sdk/parts/stream-parts.js';
import { defined } from '../../util/defined.js';

/** What V2 says in its own way. */
export type PartV2 =
  | StreamStartPart<UnsupportedWarning>
  | FilePart<string>
  | ToolResultPart<unknown>
  | FinishPart<FinishReason, UsageV2>;

type UnsupportedWarning =
  | { type: 'unsupported-setting'; setting: string; details: string }
  | { type: 'unsupported-tool'; tool: ProviderTool; details: string };

interface ProviderTool {
  type: 'provider-defined';
  id: `${string}.${string}`;
  name: string;
  args: Record<string, unknown>;
}

interface UsageV2 {
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  totalTokens: number | undefined;
  reasoningTokens?: number;
  cachedInputTokens?: number;
}

export const V2: Dialect<'v2', PartV2> = {
  version: 'v2',
  // `ai` 5 fails on calls of tools it was not given, and has no part that asks for leave.
  start: { shows: 'declared', asks: false, functionsFollowSchema: true },
  unsupported: ({ feature, details, tool }) =>
    tool === undefined
      ? { type: 'unsupported-setting', setting: feature, details }
      : { type: 'unsupported-tool', tool: toToolV2(tool), details },
  mappers: ({ finishToMetadata, notAsked, toResult, toResultPart }) => ({
    file: ({ mediaType, base64 }) => ({ type: 'file', mediaType, data: base64 }),
    'tool-result': (part, context) => toResultPart(part, toResult(part.output, toResultFile), context),
    'hosted-result': (part, context) => toResultPart(part, part.result, context),
    'approval-request': notAsked,
    'shown-item': notAsked,
    finish: (finish, context) => ({
      type: 'finish',
      finishReason: finish.finishReason,
      usage: toUsage(finish.usage),
      providerMetadata: withCacheWrites(finishToMetadata(finish, context), finish.usage, context.vendor),
    }),
  }),
};

/** V2 has no place for them in the usage; the stock provider puts them here. */
function withCacheWrites(metadata: ProviderMetadata, { cacheWriteTokens }: Usage, vendor: string): ProviderMetadata {
  if (cacheWriteTokens === undefined) return metadata;
  return { ...metadata, [vendor]: { ...metadata[vendor], usage: { cacheWriteTokens } } };
}

function toToolV2({ id, name, args }: UnsupportedTool): ProviderTool {
  // The id of a provider's tool begins with the provider, by contract of the AI SDK.
  return { type: 'provider-defined', id: id as `${string}.${string}`, name, args: { ...args } };
}

/** V2 usage is flat; everything else is in the finish metadata. */
function toUsage(usage: Usage): UsageV2 {
  const { inputTokens, outputTokens, reasoningTokens, cachedInputTokens } = usage;
  const sum = inputTokens === undefined || outputTokens === undefined ? undefined : inputTokens + outputTokens;
  return {
    inputTokens,
    outputTokens,
    totalTokens: usage.totalTokens ?? sum,
    ...defined({ reasoningTokens, cachedInputTokens }),
  };
}

function toResultFile({ source, mediaType, filename }: FileContent) {
  const facts = { mediaType, ...defined({ filename }) };
  if (source.type === 'data') return { type: 'media', data: source.base64, ...facts };
  return source.type === 'url'
    ? { type: 'file-url', url: source.url, ...facts }
    : { type: 'file-id', fileId: source.id, ...facts };
}
