import type { FileContent, FileSource } from '../core/message.js';
import { defined } from '../util/defined.js';
import { asId, asString } from '../util/guards.js';

/** An image or a file of our request, in our own words again. */
export function readWireFile(part: Readonly<Record<string, unknown>>): FileContent | undefined {
  const isImage = part['type'] === 'input_image';
  const facts = { ...defined({ filename: asString(part['filename']), detail: asString(part['detail']) }) };
  // A URL says nothing of the type; the stock provider takes files by URL as PDF only.
  const mediaType = isImage ? 'image/*' : 'application/pdf';
  const id = asId(part['file_id']);
  if (id !== undefined) return { type: 'file', mediaType, source: { type: 'id', id }, ...facts };
  const url = asId(part['image_url']) ?? asId(part['file_url']) ?? asId(part['file_data']);
  if (url === undefined) return undefined;
  const inline = /^data:([^;,]*);base64,(.*)$/s.exec(url);
  if (inline === null) return { type: 'file', mediaType, source: { type: 'url', url }, ...facts };
  return {
    type: 'file',
    mediaType: inline[1] || mediaType,
    source: { type: 'data', base64: inline[2] ?? '' },
    ...facts,
  };
}

/** V2 and V3 tell a file's whereabouts by the type of the value: a URL, or a text that is base64 or an id. */
export function toPlainFileData(source: FileSource): unknown {
  if (source.type === 'url') return new URL(source.url);
  return source.type === 'id' ? source.id : source.base64;
}
