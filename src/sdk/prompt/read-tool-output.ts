import type { FileContent, TextContent, ToolOutput, ToolResultContent } from '../../core/message.js';
import { denialReason, denialText } from '../../tools/call/approval.js';
import { defined } from '../../util/defined.js';
import { asArray, asRecord, asRecords, asString, rowOf } from '../../util/guards.js';
import { membersOf } from './call-members.js';
import type { PartMetadata, PromptPart } from '../history/part-metadata.js';
import type { PromptReader } from './prompt-reader.js';
import { readAdditionalTools } from './read-controls.js';
import { readReference, readSource, toFile } from './read-file.js';

/** A tool result of the prompt, in any shape of the AI SDK. */
export function readToolResult(part: PromptPart, metadata: PartMetadata, reader: PromptReader): ToolResultContent {
  const output = metadata.own.output ?? readResultOutput(part, reader);
  // A user may have changed a history, so it can load only tools that the call declares.
  const additionalTools = readAdditionalTools(reader.door.toolsBehind(part), reader);
  return {
    type: 'tool-result',
    callId: asString(part['toolCallId']) ?? '',
    ...defined({ members: membersOf(metadata) }),
    output: { ...marked(output, part, reader), ...(additionalTools.length === 0 ? {} : { additionalTools }) },
  };
}

function readResultOutput(part: PromptPart, reader: PromptReader): ToolOutput {
  const output = asRecord(part['output']) ?? { type: 'json', value: part['output'] };
  if (output['type'] === 'execution-denied')
    return text(denialText(asString(part['toolName']) ?? '', denialReason(output['reason'])), true);
  const read = rowOf(OUTPUTS, asString(output['type']) ?? '');
  return read === undefined ? text(json(output), false) : read(output, reader);
}

/** A breakpoint after a result is at its end; the output's own wins over that of the part. */
function marked(output: ToolOutput, part: PromptPart, reader: PromptReader): ToolOutput {
  const last = output.content.at(-1);
  const mark = { ...reader.cacheMarkOf(part), ...reader.cacheMarkOf(asRecord(part['output']) ?? {}) };
  if (last === undefined || mark.cacheBreakpoint === undefined) return output;
  return { ...output, content: [...output.content.slice(0, -1), { ...last, ...mark }] };
}

type OutputReader = (output: PromptPart, reader: PromptReader) => ToolOutput;

const OUTPUTS: Readonly<Record<string, OutputReader>> = {
  text: ({ value }) => text(asString(value) ?? '', false),
  'error-text': ({ value }) => text(asString(value) ?? '', true),
  json: ({ value }, reader) => readJson(value, false, reader),
  'error-json': ({ value }, reader) => readJson(value, true, reader),
  content: ({ value }, reader) => readContent(asArray(value), reader),
};

/** A result with files is emitted to the SDK as `{type: 'content', value}` and returns as its JSON. */
function readJson(value: unknown, isError: boolean, reader: PromptReader): ToolOutput {
  const wrapped = asRecord(value);
  if (wrapped?.['type'] === 'content' && Array.isArray(wrapped['value']))
    return { ...readContent(wrapped['value'], reader), isError };
  return text(isError && typeof value === 'string' ? value : json(value), isError);
}

function readContent(parts: readonly unknown[], reader: PromptReader): ToolOutput {
  return { isError: false, content: asRecords(parts).flatMap((part) => readContentPart(part, reader)) };
}

/** V2 has `media`; V3 a type per kind and source; V4 `file`. */
function readContentPart(part: PromptPart, reader: PromptReader): (TextContent | FileContent)[] {
  if (part['type'] === 'text')
    return [{ type: 'text', text: asString(part['text']) ?? '', ...reader.cacheMarkOf(part) }];
  const source = sourceOf(part, reader.idKeys);
  if (source === undefined) {
    reader.warnAbout(part);
    return [];
  }
  const kind = String(part['type']).startsWith('image') ? 'image/png' : 'application/octet-stream';
  return [toFile(part, { source, kind }, reader)];
}

function sourceOf(part: PromptPart, idKeys: readonly string[]): FileContent['source'] | undefined {
  const id = asString(part['fileId']);
  if (id !== undefined) return { type: 'id', id };
  return readReference(asRecord(part['fileId']), idKeys) ?? readSource(part['data'] ?? part['url'], idKeys);
}

function text(value: string, isError: boolean): ToolOutput {
  return { isError, content: [{ type: 'text', text: value }] };
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}
