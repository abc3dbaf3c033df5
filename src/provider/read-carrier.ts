import type { JsonObject } from '../core/json.js';
import type { AssistantContent, FileContent, FileSource, TextContent, ToolOutput } from '../core/message.js';
import { asArray, asId, asRecord, asRecords, asString } from '../util/guards.js';
import { optionsOf } from './prompt-reader.js';
import { defined } from '../util/defined.js';

type PromptPart = Readonly<Record<string, unknown>>;

/** What stood before the part in question and was not shown. */
export function readBefore(part: PromptPart): AssistantContent[] {
  const carrier = carrierOf(part);
  return [...readItems(carrier?.['before']), ...asRecords(carrier?.['callsBefore']).map(readCall)];
}

/** What stood behind it: items, calls and their outputs. */
export function readAfter(part: PromptPart): AssistantContent[] {
  const carrier = carrierOf(part);
  const calls = asRecords(carrier?.['calls']);
  return [
    ...readItems(carrier?.['after']),
    ...calls.map(readCall),
    ...[...calls, ...asRecords(carrier?.['outputs'])].map((entry): AssistantContent => ({
      type: 'tool-result',
      callId: asString(entry['callId']) ?? '',
      output: readOwnOutput(asRecord(entry['output'])),
    })),
    ...readAsked(carrier?.['asked']),
  ];
}

/** What the user was asked about while the client went on. */
export function readAsked(ids: unknown): AssistantContent[] {
  return asArray(ids).flatMap((callId): AssistantContent[] =>
    typeof callId === 'string' ? [{ type: 'asked', callId }] : [],
  );
}

function readCall(call: PromptPart): AssistantContent {
  return {
    type: 'tool-call',
    callId: asString(call['callId']) ?? '',
    name: asString(call['name']) ?? '',
    arguments: asString(call['arguments']) ?? '{}',
    ...defined({ inRound: asId(call['inRound']) }),
  };
}

function carrierOf(part: PromptPart): Record<string, unknown> | undefined {
  const carrier = asRecord(optionsOf(part).own['carrier']);
  return carrier?.['v'] === 1 ? carrier : undefined;
}

function readItems(items: unknown): AssistantContent[] {
  // They came from a server as JSON.
  return asRecords(items).map((item) => ({ type: 'item', item: item as JsonObject }));
}

/** We wrote it, but it has been through other people's storage: what is not whole is left out. */
export function readOwnOutput(output: PromptPart | undefined): ToolOutput {
  return { isError: output?.['isError'] === true, content: asRecords(output?.['content']).flatMap(readContent) };
}

function readContent(part: PromptPart): (TextContent | FileContent)[] {
  if (part['type'] === 'text') return [{ type: 'text', text: asString(part['text']) ?? '' }];
  const source = readSource(asRecord(part['source']));
  const mediaType = asId(part['mediaType']);
  if (part['type'] !== 'file' || source === undefined || mediaType === undefined) return [];
  const filename = asString(part['filename']);
  const detail = asString(part['detail']);
  return [
    {
      type: 'file',
      mediaType,
      source,
      ...defined({ filename, detail }),
    },
  ];
}

function readSource(source: PromptPart | undefined): FileSource | undefined {
  const url = asId(source?.['url']);
  const base64 = asId(source?.['base64']);
  const id = asId(source?.['id']);
  if (url !== undefined) return { type: 'url', url };
  if (base64 !== undefined) return { type: 'data', base64 };
  return id === undefined ? undefined : { type: 'id', id };
}
