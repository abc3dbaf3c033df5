import type { FileContent } from '../../core/message.js';
import type { CallFinish, FinishReason } from '../../core/part.js';
import type { Unsupported } from '../../core/warning.js';
import { defined } from '../../util/defined.js';
import { finishToMetadata, type MetadataContext } from './metadata.js';
import type { FilePart, FinishPart, StreamStartPart, ToolResultPart } from './stream-parts.js';
import { shownContent, toResultPart } from './to-result.js';
import { describeVersion } from './to-stream-part.js';

/** The parts that only V2 has. */
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

export const V2 = describeVersion<PartV2>(
  {
    // `ai` 5 fails on calls of undeclared tools, and has no part for approval requests.
    traits: { toolParts: 'declared', canAskUser: false, functionsFollowSchema: true },
    toResultFile,
    unsupported: ({ feature, details, tool }) =>
      tool === undefined
        ? { type: 'unsupported-setting', setting: feature, details }
        : { type: 'unsupported-tool', tool: toToolV2(tool), details },
  },
  {
    file: ({ mediaType, base64 }) => ({ type: 'file', mediaType, data: base64 }),
    'tool-result': (part, context) => {
      const { value = shownContent(part.output, toResultFile) } = part.output;
      return toResultPart(part, value, context);
    },
    finish: toFinish,
  },
);

/** V2 usage is flat; everything else is in the finish metadata. */
function toFinish(finish: CallFinish, context: MetadataContext): FinishPart<FinishReason, UsageV2> {
  const { inputTokens, outputTokens, totalTokens, reasoningTokens, cachedInputTokens, cacheWriteTokens } = finish.usage;
  const sum = inputTokens === undefined || outputTokens === undefined ? undefined : inputTokens + outputTokens;
  const metadata = finishToMetadata(finish, context);
  // V2 has no place for them in the usage; `@ai-sdk/openai` puts them here.
  if (cacheWriteTokens !== undefined)
    metadata[context.vendor] = { ...metadata[context.vendor], usage: { cacheWriteTokens } };
  return {
    type: 'finish',
    finishReason: finish.finishReason,
    usage: {
      inputTokens,
      outputTokens,
      totalTokens: totalTokens ?? sum,
      ...defined({ reasoningTokens, cachedInputTokens }),
    },
    providerMetadata: metadata,
  };
}

function toToolV2({ id, name, args }: NonNullable<Unsupported['tool']>): ProviderTool {
  // The id of a provider's tool begins with the provider, by contract of the AI SDK.
  return { type: 'provider-defined', id: id as `${string}.${string}`, name, args: { ...args } };
}

function toResultFile({ source, mediaType, filename }: FileContent) {
  const facts = { mediaType, ...defined({ filename }) };
  if (source.type === 'data') return { type: 'media', data: source.base64, ...facts };
  return source.type === 'url'
    ? { type: 'file-url', url: source.url, ...facts }
    : { type: 'file-id', fileId: source.id, ...facts };
}
