import type { FileContent, TextContent, ToolOutput, ToolResultContent } from '../../core/message.js';
import { denialReason, denialText } from '../../tools/call/approval.js';
import { asArray, asRecord, asString, rowOf } from '../../util/guards.js';
import { membersBeside } from './call-members.js';
import type { PartMetadata } from '../history/part-metadata.js';
import { cacheMarkOf, type PromptReader } from './prompt-reader.js';
import { readAdditionalTools } from './read-controls.js';
import { filePartOptions, readReference, readSource } from './read-file.js';
import { defined } from '../../util/defined.js';

/** A tool result of the prompt, in any of the shapes the AI SDK has given it. */
export function readToolResult(
  part: Readonly<Record<string, unknown>>,
  metadata: PartMetadata,
  reader: PromptReader,
): ToolResultContent {
  return {
    type: 'tool-result',
    callId: asString(part['toolCallId']) ?? '',
    ...membersBeside(metadata),
    output: withAdditionalTools(
      marked(metadata.own.output ?? readResultOutput(part, reader), part, reader),
      part,
      reader,
    ),
  };
}

function readResultOutput(part: Readonly<Record<string, unknown>>, reader: PromptReader): ToolOutput {
  const output = asRecord(part['output']) ?? { type: 'json', value: part['output'] };
  if (output['type'] !== 'execution-denied') return readOutput(output, reader);
  return text(denialText(asString(part['toolName']) ?? '', denialReason(output['reason'])), true);
}

/** A breakpoint behind a result stands at the end of it; the output's own counts before that of the part. */
function marked(output: ToolOutput, part: Readonly<Record<string, unknown>>, reader: PromptReader): ToolOutput {
  const last = output.content.at(-1);
  const ofOutput = cacheMarkOf(reader.optionsOf(asRecord(part['output']) ?? {}));
  const mark = { ...cacheMarkOf(reader.optionsOf(part)), ...ofOutput };
  if (last === undefined || mark.cacheBreakpoint === undefined) return output;
  return { ...output, content: [...output.content.slice(0, -1), { ...last, ...mark }] };
}

/** A history may have been in the hands of a user: only tools that the call declares itself can be loaded by it. */
function withAdditionalTools(
  output: ToolOutput,
  part: Readonly<Record<string, unknown>>,
  reader: PromptReader,
): ToolOutput {
  const additionalTools = readAdditionalTools(reader.toolsBehind(part), reader);
  return additionalTools.length === 0 ? output : { ...output, additionalTools };
}

type OutputReader = (output: Readonly<Record<string, unknown>>, reader: PromptReader) => ToolOutput;

const OUTPUTS: Readonly<Record<string, OutputReader>> = {
  text: ({ value }) => text(asString(value) ?? '', false),
  'error-text': ({ value }) => text(asString(value) ?? '', true),
  json: ({ value }, reader) => readJson(value, false, reader),
  'error-json': ({ value }, reader) => readJson(value, true, reader),
  content: ({ value }, reader) => readContent(asArray(value), reader),
};

function readOutput(output: Readonly<Record<string, unknown>>, reader: PromptReader): ToolOutput {
  const type = asString(output['type']) ?? '';
  const read = rowOf(OUTPUTS, type);
  return read === undefined ? text(json(output), false) : read(output, reader);
}

/** A result with files is told to the SDK as `{type: 'content', value}` and comes back as JSON of that. */
function readJson(value: unknown, isError: boolean, reader: PromptReader): ToolOutput {
  const wrapped = asRecord(value);
  if (wrapped?.['type'] === 'content' && Array.isArray(wrapped['value']))
    return { ...readContent(wrapped['value'], reader), isError };
  return text(isError && typeof value === 'string' ? value : json(value), isError);
}

function readContent(parts: readonly unknown[], reader: PromptReader): ToolOutput {
  return {
    isError: false,
    content: parts.flatMap((part): (TextContent | FileContent)[] => {
      const record = asRecord(part);
      return record === undefined ? [] : readContentPart(record, reader);
    }),
  };
}

/** V2 calls it `media`; V3 has a type per kind and source; V4 has `file`. */
function readContentPart(part: Readonly<Record<string, unknown>>, reader: PromptReader): (TextContent | FileContent)[] {
  if (part['type'] === 'text')
    return [{ type: 'text', text: asString(part['text']) ?? '', ...cacheMarkOf(reader.optionsOf(part)) }];
  const source = sourceOf(part, reader);
  if (source === undefined) {
    reader.warnAbout(part);
    return [];
  }
  const filename = asString(part['filename']);
  const kind = String(part['type']).startsWith('image') ? 'image/png' : 'application/octet-stream';
  return [
    {
      type: 'file',
      mediaType: asString(part['mediaType']) ?? kind,
      source,
      ...defined({ filename }),
      ...filePartOptions(part, reader),
    },
  ];
}

function sourceOf(
  part: Readonly<Record<string, unknown>>,
  { idKeys }: PromptReader,
): FileContent['source'] | undefined {
  const id = asString(part['fileId']);
  if (id !== undefined) return { type: 'id', id };
  const reference = readReference(asRecord(part['fileId']), idKeys);
  if (reference !== undefined) return reference;
  return readSource(part['data'] ?? part['url'], idKeys);
}

function text(value: string, isError: boolean): ToolOutput {
  return { isError, content: [{ type: 'text', text: value }] };
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}
