import type { FileContent, FileSource, TextContent, ToolOutput } from '../../core/message.js';
import { defined } from '../../util/defined.js';
import { asId, asRecord, asRecords, asString } from '../../util/guards.js';

type Value = Readonly<Record<string, unknown>>;

/** We wrote it, but it has been through other people's storage: what is not whole is left out. */
export function readOwnOutput(value: unknown): ToolOutput | undefined {
  const output = asRecord(value);
  if (output === undefined || !Array.isArray(output['content'])) return undefined;
  return { isError: output['isError'] === true, content: asRecords(output['content']).flatMap(readContent) };
}

function readContent(part: Value): (TextContent | FileContent)[] {
  if (part['type'] === 'text') return [{ type: 'text', text: asString(part['text']) ?? '' }];
  const source = readSource(asRecord(part['source']));
  const mediaType = asId(part['mediaType']);
  if (part['type'] !== 'file' || source === undefined || mediaType === undefined) return [];
  const filename = asString(part['filename']);
  const detail = asString(part['detail']);
  return [{ type: 'file', mediaType, source, ...defined({ filename, detail }) }];
}

function readSource(source: Value | undefined): FileSource | undefined {
  const url = asId(source?.['url']);
  const base64 = asId(source?.['base64']);
  const id = asId(source?.['id']);
  if (url !== undefined) return { type: 'url', url };
  if (base64 !== undefined) return { type: 'data', base64 };
  return id === undefined ? undefined : { type: 'id', id };
}
