import type { FileSource } from '../core/message.js';

/** V2 and V3 tell a file's whereabouts by the type of the value: a URL, or a text that is base64 or an id. */
export function toPlainFileData(source: FileSource): unknown {
  if (source.type === 'url') return new URL(source.url);
  return source.type === 'id' ? source.id : source.base64;
}
