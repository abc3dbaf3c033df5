import type { JsonValue } from '../../core/json.js';
import type { FileContent, FileSource } from '../../core/message.js';
import type { CitedTextEnd } from '../../sdk/parts/citations.js';
import type { COMPACTION } from '../../sdk/prompt/compaction.js';
import type { Dialect } from '../../sdk/parts/dialect.js';
import type { ProviderMetadata } from '../../sdk/parts/metadata.js';
import type {
  ApprovalRequestPart,
  FilePart,
  StreamStartPart,
  ToolResultPart,
  UnsupportedFeature,
} from '../../sdk/parts/stream-parts.js';
import type { NestedFinishPart } from '../../sdk/parts/to-nested-finish.js';
import { defined } from '../../util/defined.js';

/** What V4 says in its own way. */
export type PartV4 =
  | StreamStartPart<UnsupportedFeature>
  | FilePart<{ type: 'data'; data: string }>
  | ToolResultPart<NonNullable<JsonValue>>
  | ApprovalRequestPart
  | CompactionPart
  | CitedTextEnd
  | NestedFinishPart;

interface CompactionPart {
  type: 'custom';
  kind: typeof COMPACTION;
  providerMetadata: ProviderMetadata;
}

export const V4: Dialect<'v4', PartV4> = {
  version: 'v4',
  start: { shows: 'all', asks: true, previews: true, tellsCompaction: true, asksForSummary: true },
  unsupported: ({ feature, details }) => ({ type: 'unsupported', feature, details }),
  mappers: ({ citedTextEnd, compaction, compactionToMetadata, nested, toNonNullResult, toResultPart }) => ({
    ...nested,
    'text-end': citedTextEnd,
    file: ({ mediaType, base64 }) => ({ type: 'file', mediaType, data: { type: 'data', data: base64 } }),
    'tool-result': (part, context) => toResultPart(part, toNonNullResult(part.output, toResultFile), context),
    'shown-item': ({ item }, context) => ({
      type: 'custom',
      kind: compaction,
      providerMetadata: compactionToMetadata(item, context),
    }),
  }),
};

/** V4 has one type, and says in the data where they are. */
export function toResultFile({ source, mediaType, filename }: FileContent) {
  return { type: 'file', data: toFileData(source), mediaType, ...defined({ filename }) };
}

export function toFileData(source: FileSource) {
  if (source.type === 'data') return { type: 'data', data: source.base64 };
  if (source.type === 'url') return { type: 'url', url: source.url };
  return { type: 'reference', reference: { openai: source.id } };
}
