import { sourceOfAnnotation } from '../../stream/annotation-source.js';
import { defined } from '../../util/defined.js';
import { asNumber } from '../../util/guards.js';
import type { MetadataContext } from './metadata.js';
import type { PartOf } from './part-of.js';
import type { CommonPart } from './stream-parts.js';
import { toSource, toTextEnd } from './to-stream-part.js';

/** What a part of a text refers to; not in V2 and V3. */
interface Citation {
  source: Extract<CommonPart, { type: 'source' }>;
  startIndex?: number;
  endIndex?: number;
}

/** The end of a text with what it cites, as V4 knows it. */
export type CitedTextEnd = TextEnd & { citations?: Citation[] };
type TextEnd = Extract<CommonPart, { type: 'text-end' }>;

/** Files that the answer made are no citations. */
export function toCitedTextEnd(part: PartOf<'text-end'>, context: MetadataContext): CitedTextEnd {
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
