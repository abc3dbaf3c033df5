import type { FileContent, FileSource } from '../../core/message.js';
import type { CallFinish, FinishReason } from '../../core/part.js';
import { sourceOfAnnotation } from '../../stream/annotation-source.js';
import { defined } from '../../util/defined.js';
import { asNumber } from '../../util/guards.js';
import { isSealedCompaction } from '../../core/compaction.js';
import { COMPACTION, compactionToMetadata, type MetadataContext, type ProviderMetadata } from './metadata.js';
import type { Citation, CommonPart, FilePart, FinishPart } from './stream-parts.js';
import { describeVersion, type PartOf, toSource, toSpoken } from './to-stream-part.js';
import { NESTED, nestedMappers, type NestedPart, type NestedUsage, toNestedFinish } from './v3.js';

/** The parts that only V4 has. */
export type PartV4 =
  | NestedPart
  | FilePart<{ type: 'data'; data: string }>
  | CompactionPart
  | CitedTextEnd
  | FinishPartV4;

type FinishPartV4 = FinishPart<{ unified: FinishReason | 'interrupted'; raw: string | undefined }, NestedUsage>;

interface CompactionPart {
  type: 'custom';
  kind: typeof COMPACTION;
  providerMetadata: ProviderMetadata;
}

/** The end of a text with its citations. */
type CitedTextEnd = Extract<CommonPart, { type: 'text-end' }> & { citations?: Citation[] };

export const V4 = describeVersion<PartV4>(
  {
    ...NESTED,
    toResultFile: toResultFileV4,
    traits: { ...NESTED.traits, isItemVisible: isSealedCompaction, asksForSummary: true, tellsUrl: true },
  },
  {
    ...nestedMappers(toResultFileV4),
    'text-end': toCitedTextEnd,
    finish: toFinish,
    file: ({ mediaType, base64 }) => ({ type: 'file', mediaType, data: { type: 'data', data: base64 } }),
    'shown-item': ({ item }, context) => ({
      type: 'custom',
      kind: COMPACTION,
      providerMetadata: compactionToMetadata(item, context),
    }),
  },
);

/** Files that the answer made are no citations. */
function toCitedTextEnd(part: PartOf<'text-end'>, context: MetadataContext): CitedTextEnd {
  const end = toSpoken(part, context);
  const citations = (part.facts?.annotations ?? []).flatMap((annotation): Citation[] => {
    const source = annotation['type'] === 'file_path' ? undefined : sourceOfAnnotation(annotation);
    if (source === undefined) return [];
    const id = source.kind === 'url' ? source.url : (source.fileId ?? source.title);
    const startIndex = asPlace(annotation['start_index']);
    const endIndex = asPlace(annotation['end_index']);
    return [{ source: toSource({ type: 'source', id, ...source }), ...defined({ startIndex, endIndex }) }];
  });
  return citations.length === 0 ? end : { ...end, citations };
}

/** `ai` 7 refuses the whole part of a UI stream for any other number. */
function asPlace(value: unknown): number | undefined {
  const place = asNumber(value);
  return Number.isSafeInteger(place) && Number(place) >= 0 ? place : undefined;
}

/** V4 has a reason for a cut stream, which stops `ai` 7 from continuing after it. */
function toFinish(finish: CallFinish, context: MetadataContext): FinishPartV4 {
  const part = toNestedFinish(finish, context);
  return finish.isCut === true ? { ...part, finishReason: { ...part.finishReason, unified: 'interrupted' } } : part;
}

/** V4 has one type of file, whose data names its form. */
export function toResultFileV4({ source, mediaType, filename }: FileContent) {
  return { type: 'file', data: toFileData(source), mediaType, ...defined({ filename }) };
}

export function toFileData(source: FileSource) {
  if (source.type === 'data') return { type: 'data', data: source.base64 };
  if (source.type === 'url') return { type: 'url', url: source.url };
  return { type: 'reference', reference: { openai: source.id } };
}
