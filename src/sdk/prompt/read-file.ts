import type { FileContent, FileSource } from '../../core/message.js';
import { toBase64 } from '../../util/bytes.js';
import { asId, asRecord, asString, rowOf } from '../../util/guards.js';
import { WRITERS } from '../history/door.js';
import { METADATA_KEY } from '../parts/metadata.js';
import { cacheMarkOf, type PromptReader } from './prompt-reader.js';
import { defined } from '../../util/defined.js';

/** File ids of OpenAI and Azure. */
const FILE_ID = /^(file|assistant)-/;

/** A file part: `data` is bytes, base64, a URL, or (`ai` 7) one of these with a tag. */
export function readFilePart(part: Readonly<Record<string, unknown>>, reader: PromptReader): FileContent | undefined {
  const source = readSource(part['data'], reader.idKeys);
  if (source === undefined) {
    reader.warnAbout(part);
    return undefined;
  }
  const filename = asString(part['filename']);
  return {
    type: 'file',
    mediaType: asString(part['mediaType']) ?? 'application/octet-stream',
    source,
    ...defined({ filename }),
    ...filePartOptions(part, reader),
  };
}

/** The stock provider's options on a file, which may also stand in the result of a tool. */
export function filePartOptions(
  part: Readonly<Record<string, unknown>>,
  reader: PromptReader,
): Pick<FileContent, 'detail' | 'cacheBreakpoint'> {
  const options = reader.optionsOf(part);
  return { ...defined({ detail: options.imageDetail }), ...cacheMarkOf(options) };
}

/** Under which names an id of an uploaded file may stand, where nobody says more. */
const ID_KEYS: readonly string[] = [METADATA_KEY, ...WRITERS];

export function readSource(data: unknown, idKeys = ID_KEYS): FileSource | undefined {
  if (data instanceof Uint8Array) return { type: 'data', base64: toBase64(data) };
  if (data instanceof URL) return { type: 'url', url: data.toString() };
  if (typeof data === 'string') return readString(data);
  const tagged = asRecord(data);
  const tag = asString(tagged?.['type']) ?? '';
  return tagged === undefined ? undefined : rowOf(TAGGED, tag)?.(tagged, idKeys);
}

/** `ai` 7 says which of them it is. */
const TAGGED: Readonly<
  Record<string, (tagged: Readonly<Record<string, unknown>>, idKeys: readonly string[]) => FileSource | undefined>
> = {
  data: ({ data }) => readSource(data),
  url: ({ url }) => readSource(url),
  text: ({ text }) => ({ type: 'data', base64: toBase64(new TextEncoder().encode(asString(text) ?? '')) }),
  reference: ({ reference }, idKeys) => readReference(asRecord(reference), idKeys),
};

/** A file that was uploaded before: each provider's id of it. */
export function readReference(
  ids: Readonly<Record<string, unknown>> | undefined,
  keys: readonly string[] = ID_KEYS,
): FileSource | undefined {
  const id = keys.map((key) => asId(ids?.[key])).find((found) => found !== undefined);
  return id === undefined ? undefined : { type: 'id', id };
}

function readString(data: string): FileSource {
  if (/^https?:\/\//.test(data)) return { type: 'url', url: data };
  if (FILE_ID.test(data)) return { type: 'id', id: data };
  const inline = /^data:[^,]*;base64,(.*)$/s.exec(data);
  return { type: 'data', base64: inline?.[1] ?? data };
}
