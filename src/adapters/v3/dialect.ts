import type { JsonValue } from '../../core/json.js';
import type { FileContent } from '../../core/message.js';
import type { Dialect } from '../../sdk/parts/dialect.js';
import type {
  ApprovalRequestPart,
  FilePart,
  StreamStartPart,
  ToolResultPart,
  UnsupportedFeature,
} from '../../sdk/parts/stream-parts.js';
import type { NestedFinishPart } from '../../sdk/parts/to-nested-finish.js';
import { defined } from '../../util/defined.js';

/** What V3 says in its own way. */
export type PartV3 =
  | StreamStartPart<UnsupportedFeature>
  | FilePart<string>
  | ToolResultPart<NonNullable<JsonValue>>
  | ApprovalRequestPart
  | NestedFinishPart;

export const V3: Dialect<'v3', PartV3> = {
  version: 'v3',
  start: { shows: 'all', asks: true, previews: true },
  unsupported: ({ feature, details }) => ({ type: 'unsupported', feature, details }),
  mappers: ({ nested, notAsked, toNonNullResult, toResultPart }) => ({
    ...nested,
    file: ({ mediaType, base64 }) => ({ type: 'file', mediaType, data: base64 }),
    'tool-result': (part, context) => toResultPart(part, toNonNullResult(part.output, toResultFile), context),
    'shown-item': notAsked,
  }),
};

/** V3 has a type per kind and source. */
export function toResultFile({ source, mediaType, filename }: FileContent) {
  const kind = mediaType.startsWith('image/') ? 'image' : 'file';
  const facts = { mediaType, ...defined({ filename }) };
  if (source.type === 'data') return { type: `${kind}-data`, data: source.base64, ...facts };
  if (source.type === 'url') return { type: `${kind}-url`, url: source.url, ...facts };
  return { type: kind === 'image' ? 'image-file-id' : 'file-id', fileId: source.id, ...facts };
}
