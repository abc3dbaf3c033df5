import type { FileContent, FileSource } from '../../core/message.js';
import { toBase64 } from '../../util/bytes.js';
import { asId, asRecord, asString, rowOf } from '../../util/guards.js';
import { WRITERS } from '../history/door.js';
import { METADATA_KEY } from '../parts/metadata.js';
import type { PromptPart } from '../history/part-metadata.js';
import type { PromptReader } from './prompt-reader.js';
import { defined } from '../../util/defined.js';

const DATA_URL = /^data:([^,]*);base64,(.*)$/s;

/** File ids of OpenAI and Azure. */
const FILE_ID = /^(file|assistant)-/;

/** Reads a file part. Its `data` is bytes, base64, a URL, or (`ai` 7) one of these with a tag. */
export function readFilePart(part: PromptPart, reader: PromptReader): FileContent | undefined {
  const source = readSource(part['data'], reader.idKeys);
  return source && toFile(part, { source, kind: 'application/octet-stream' }, reader);
}

/** Reads `@ai-sdk/openai`'s options on a file, which a tool's result may have too. */
export function toFile(
  part: PromptPart,
  { source, kind }: { readonly source: FileSource; readonly kind: string },
  reader: PromptReader,
): FileContent {
  const { imageDetail: detail, promptCacheBreakpoint: cacheBreakpoint } = reader.door.optionsOf(part);
  const filename = asString(part['filename']);
  const mediaType = asString(part['mediaType']) ?? kind;
  return { type: 'file', mediaType, source, ...defined({ filename, detail, cacheBreakpoint }) };
}

/** The keys of an uploaded file's id, by default. */
const ID_KEYS: readonly string[] = [METADATA_KEY, ...WRITERS];

export function readSource(data: unknown, idKeys = ID_KEYS): FileSource | undefined {
  if (data instanceof Uint8Array) return { type: 'data', base64: toBase64(data) };
  if (data instanceof URL && !DATA_URL.test(data.href)) return { type: 'url', url: data.href };
  if (data instanceof URL || typeof data === 'string') return readString(String(data));
  const tagged = asRecord(data);
  const tag = asString(tagged?.['type']) ?? '';
  return tagged === undefined ? undefined : rowOf(TAGGED, tag)?.(tagged, idKeys);
}

/** Readers of `data` with a tag, which `ai` 7 writes. */
const TAGGED: Readonly<Record<string, (tagged: PromptPart, idKeys: readonly string[]) => FileSource | undefined>> = {
  data: ({ data }) => readSource(data),
  url: ({ url }) => readSource(url),
  text: ({ text }) => ({ type: 'data', base64: toBase64(new TextEncoder().encode(asString(text) ?? '')) }),
  reference: ({ reference }, idKeys) => readReference(asRecord(reference), idKeys),
};

/** Reads an uploaded file, which has an id for each provider. */
export function readReference(ids: PromptPart | undefined, keys: readonly string[] = ID_KEYS): FileSource | undefined {
  const id = keys.map((key) => asId(ids?.[key])).find((found) => found !== undefined);
  return id === undefined ? undefined : { type: 'id', id };
}

function readString(data: string): FileSource {
  if (/^https?:\/\//.test(data)) return { type: 'url', url: data };
  if (FILE_ID.test(data)) return { type: 'id', id: data };
  return { type: 'data', base64: DATA_URL.exec(data)?.[2] ?? data };
}

/** Reads an image or a file of a request or a server's item. */
export function readWireFile(part: PromptPart): FileContent | undefined {
  // A URL has no type; `@ai-sdk/openai` takes files by URL as PDF only.
  const kind = part['type'] === 'input_image' ? 'image/*' : 'application/pdf';
  const facts = defined({ filename: asString(part['filename']), detail: asString(part['detail']) });
  const id = asId(part['file_id']);
  if (id !== undefined) return { type: 'file', mediaType: kind, source: { type: 'id', id }, ...facts };
  const url = asId(part['image_url']) ?? asId(part['file_url']) ?? asId(part['file_data']);
  if (url === undefined) return undefined;
  const [, mediaType, base64] = DATA_URL.exec(url) ?? [];
  const source: FileSource = base64 === undefined ? { type: 'url', url } : { type: 'data', base64 };
  return { type: 'file', mediaType: mediaType || kind, source, ...facts };
}
