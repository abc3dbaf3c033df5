import type { JsonValue } from '../../core/json.js';
import type { FileContent } from '../../core/message.js';
import { defined } from '../../util/defined.js';
import { NESTED_MAPPERS, type NestedFinishPart } from './nested-parts.js';
import type {
  ApprovalRequestPart,
  FilePart,
  StreamStartPart,
  ToolResultPart,
  UnsupportedFeature,
} from './stream-parts.js';
import { toNonNullResult, toResultPart } from './to-result.js';
import { describeVersion, unsupportedPart } from './to-stream-part.js';

/** What V3 writes in its own way. */
export type PartV3 =
  | StreamStartPart<UnsupportedFeature>
  | FilePart<string>
  | ToolResultPart<NonNullable<JsonValue>>
  | ApprovalRequestPart
  | NestedFinishPart;

export const V3 = describeVersion<PartV3>({
  traits: { toolParts: 'all', canAskUser: true, previews: true },
  unsupported: ({ feature, details }) => ({ type: 'unsupported', feature, details }),
  mappers: {
    ...NESTED_MAPPERS,
    file: ({ mediaType, base64 }) => ({ type: 'file', mediaType, data: base64 }),
    'tool-result': (part, context) => toResultPart(part, toNonNullResult(part.output, toResultFileV3), context),
    'shown-item': unsupportedPart,
  },
});

/** V3 has a type per kind and source. */
export function toResultFileV3({ source, mediaType, filename }: FileContent) {
  const kind = mediaType.startsWith('image/') ? 'image' : 'file';
  const facts = { mediaType, ...defined({ filename }) };
  if (source.type === 'data') return { type: `${kind}-data`, data: source.base64, ...facts };
  if (source.type === 'url') return { type: `${kind}-url`, url: source.url, ...facts };
  return { type: kind === 'image' ? 'image-file-id' : 'file-id', fileId: source.id, ...facts };
}
