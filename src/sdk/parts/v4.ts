import type { JsonValue } from '../../core/json.js';
import type { FileContent, FileSource } from '../../core/message.js';
import { sourceOfAnnotation } from '../../stream/annotation-source.js';
import { defined } from '../../util/defined.js';
import { asNumber } from '../../util/guards.js';
import { isSealedCompaction } from '../../core/compaction.js';
import { COMPACTION } from '../prompt/compaction.js';
import { compactionToMetadata, type MetadataContext, type ProviderMetadata } from './metadata.js';
import { NESTED_MAPPERS, type NestedFinishPart } from './nested-parts.js';
import type {
  ApprovalRequestPart,
  Citation,
  CommonPart,
  FilePart,
  StreamStartPart,
  ToolResultPart,
  UnsupportedFeature,
} from './stream-parts.js';
import { toNonNullResult, toResultPart } from './to-result.js';
import { describeVersion, type PartOf, toSource, toTextEnd } from './to-stream-part.js';

/** What V4 writes in its own way. */
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

/** The end of a text with what it cites. */
type CitedTextEnd = Extract<CommonPart, { type: 'text-end' }> & { citations?: Citation[] };

export const V4 = describeVersion<PartV4>({
  traits: {
    toolParts: 'all',
    canAskUser: true,
    previews: true,
    isItemVisible: isSealedCompaction,
    asksForSummary: true,
  },
  unsupported: ({ feature, details }) => ({ type: 'unsupported', feature, details }),
  mappers: {
    ...NESTED_MAPPERS,
    'text-end': toCitedTextEnd,
    file: ({ mediaType, base64 }) => ({ type: 'file', mediaType, data: { type: 'data', data: base64 } }),
    'tool-result': (part, context) => toResultPart(part, toNonNullResult(part.output, toResultFileV4), context),
    'shown-item': ({ item }, context) => ({
      type: 'custom',
      kind: COMPACTION,
      providerMetadata: compactionToMetadata(item, context),
    }),
  },
});

/** Files that the answer made are no citations. */
function toCitedTextEnd(part: PartOf<'text-end'>, context: MetadataContext): CitedTextEnd {
  const end = toTextEnd(part, context);
  const citations = (part.facts?.annotations ?? []).flatMap((annotation): Citation[] => {
    const source = annotation['type'] === 'file_path' ? undefined : sourceOfAnnotation(annotation);
    if (source === undefined) return [];
    const id = source.kind === 'url' ? source.url : (source.fileId ?? source.title);
    const startIndex = asNumber(annotation['start_index']);
    const endIndex = asNumber(annotation['end_index']);
    return [{ source: toSource({ type: 'source', id, ...source }), ...defined({ startIndex, endIndex }) }];
  });
  return citations.length === 0 ? end : { ...end, citations };
}

/** V4 has one type, and says in the data what it is. */
export function toResultFileV4({ source, mediaType, filename }: FileContent) {
  return { type: 'file', data: toFileData(source), mediaType, ...defined({ filename }) };
}

export function toFileData(source: FileSource) {
  if (source.type === 'data') return { type: 'data', data: source.base64 };
  if (source.type === 'url') return { type: 'url', url: source.url };
  return { type: 'reference', reference: { openai: source.id } };
}
