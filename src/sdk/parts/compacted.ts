import { membersOfCall } from '../../core/call-items.js';
import { isCompaction, outlivesCompaction } from '../../core/compaction.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import type { FileContent, FileSource, TextContent } from '../../core/message.js';
import { defined } from '../../util/defined.js';
import { asRecords, asString } from '../../util/guards.js';
import { checkItem } from '../history/check-item.js';
import { readWireFile } from '../prompt/read-file.js';
import {
  COMPACTION,
  compactionToMetadata,
  METADATA_KEY,
  type MetadataContext,
  type ProviderMetadata,
  type WithOptions,
} from './metadata.js';

export type CompactedUserPart =
  | { type: 'text'; text: string }
  | { type: 'file'; data: string; mediaType: string; filename?: string };

/** The rest of a conversation: messages of the AI SDK, 5, 6 or 7. */
export type CompactedMessage =
  | (WithOptions & { role: 'system'; content: string })
  | { role: 'user'; content: CompactedUserPart[] }
  | { role: 'assistant'; content: (WithOptions & { type: 'reasoning'; text: string })[] };

/** The same for AI SDK 7, which has a part for the server's summary. */
export type CompactedMessageV4 =
  | CompactedMessage
  | { role: 'assistant'; content: (WithOptions & { type: 'custom'; kind: 'openai.compaction' })[] };

/** A shortened conversation for the beginning of the next call. */
export interface CompactedConversation<Message = CompactedMessageV4> {
  /** The given system messages, and the server's summary of the others. */
  readonly messages: Message[];
  /** The tokens that it used. */
  readonly usage: { readonly inputTokens?: number; readonly outputTokens?: number; readonly totalTokens?: number };
  /** The server's id of the response that summed up. */
  readonly responseId?: string;
  /** Names each part of the conversation that was left out, and the reason. */
  readonly warnings: readonly string[];
}

export interface CompactingOptions {
  /** Of a version that has a part for summaries. */
  readonly context: MetadataContext | undefined;
  /** Signs metadata, if histories are signed. */
  readonly sign: ((part: Held['part'], metadata: ProviderMetadata) => Promise<ProviderMetadata>) | undefined;
  readonly onWarning: (message: string) => void;
}

/** The items of a compacted conversation as messages. The caller already has its own instructions. */
export async function toCompactedMessages(
  output: readonly JsonObject[],
  { context, sign, onWarning }: CompactingOptions,
): Promise<CompactedMessageV4[]> {
  const messages: CompactedMessageV4[] = [];
  const calls = new Set(output.filter(isCall).map((item) => item['call_id']));
  const outputs = new Map(output.filter(isOutput).map((item) => [item['call_id'], item['output']]));
  for (const item of output) {
    if (outlivesCompaction(item) || (isOutput(item) && calls.has(item['call_id']))) continue;
    if (item['type'] === 'message' && item['role'] === 'user') {
      messages.push({ role: 'user', content: partsOf(item['content']).map(toUserPart) });
      continue;
    }
    // Returns why no message can include it, as the next call would find.
    const problem = isCall(item) ? undefined : checkItem(item, { place: 'carrier', signed: sign !== undefined });
    if (typeof problem === 'string') {
      onWarning(`The summary comes with ${problem}; it was left out.`);
      continue;
    }
    const { part, metadata } = isCall(item) ? asCall(item, outputs.get(item['call_id'])) : asItem(item, context);
    const signed = { ...part, providerOptions: (await sign?.(part, metadata)) ?? metadata };
    messages.push({ role: 'assistant', content: [signed] } as CompactedMessageV4);
  }
  return messages;
}

/** A part with an item of the server, and its metadata. */
interface Held {
  readonly part: Readonly<Record<string, unknown>>;
  readonly metadata: ProviderMetadata;
}

/** A summary by itself, as models of V4 show it; any other item in a carrier. */
function asItem(item: JsonObject, context: MetadataContext | undefined): Held {
  if (context === undefined || !isCompaction(item)) return asCarrier({ item });
  const metadata = compactionToMetadata(item, context);
  return {
    part: { type: 'custom', kind: COMPACTION },
    metadata: { ...metadata, [METADATA_KEY]: { ...metadata[METADATA_KEY], window: true } },
  };
}

/** A tool call, with its output if any. */
function asCall(item: JsonObject, given: JsonValue | undefined): Held {
  const { call_id: callId, name, arguments: made } = item;
  const output = given === undefined ? undefined : { isError: false, content: partsOf(given) };
  return asCarrier({ callId, name, arguments: made, ...defined({ members: membersOfCall(item), output }) });
}

/** An empty reasoning part that is never cut, because it contains nothing else. */
function asCarrier(entry: object): Held {
  const own = { carrier: { v: 2, round: 'compacted', entries: [{ at: 0, ...entry }] }, window: true };
  return { part: { type: 'reasoning', text: '' }, metadata: { [METADATA_KEY]: own } };
}

function isCall({ type, call_id: callId, name, arguments: made }: JsonObject): boolean {
  return type === 'function_call' && [callId, name, made].every((member) => typeof member === 'string');
}

function isOutput({ type }: JsonObject): boolean {
  return type === 'function_call_output';
}

/** AI SDKs take base64 and URLs of the web, and some of them no URLs of data. */
function toUserPart(part: TextContent | FileContent): CompactedUserPart {
  if (part.type === 'text') return part;
  const { mediaType, source, filename } = part;
  return { type: 'file', mediaType, data: dataOf(source), ...defined({ filename }) };
}

function dataOf(source: FileSource): string {
  if (source.type === 'data') return source.base64;
  return source.type === 'url' ? source.url : source.id;
}

function partsOf(content: JsonValue | undefined): (TextContent | FileContent)[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return asRecords(content).flatMap((part): (TextContent | FileContent)[] => {
    const text = asString(part['text']);
    const file = readWireFile(part);
    if (text !== undefined) return [{ type: 'text', text }];
    return file === undefined ? [] : [file];
  });
}
