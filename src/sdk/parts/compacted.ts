import { membersOfCall } from '../../core/call-items.js';
import { isCompaction, outlivesCompaction } from '../../core/compaction.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import type { FileSource, ToolOutput } from '../../core/message.js';
import { defined } from '../../util/defined.js';
import { asRecords, asString } from '../../util/guards.js';
import { checkItem } from '../history/check-item.js';
import { COMPACTION } from '../prompt/compaction.js';
import { compactionToMetadata, METADATA_KEY, type MetadataContext, type ProviderMetadata } from './metadata.js';

interface WithOptions {
  providerOptions?: ProviderMetadata;
}

export type CompactedUserPart =
  | { type: 'text'; text: string }
  | { type: 'file'; data: string; mediaType: string; filename?: string };

/** What is left of a conversation: messages of the AI SDK, 5, 6 or 7. */
export type CompactedMessage =
  | (WithOptions & { role: 'system'; content: string })
  | { role: 'user'; content: CompactedUserPart[] }
  | { role: 'assistant'; content: (WithOptions & { type: 'reasoning'; text: string })[] };

/** The same for AI SDK 7, which has a part for the server's summary. */
export type CompactedMessageV4 =
  | CompactedMessage
  | { role: 'assistant'; content: (WithOptions & { type: 'custom'; kind: 'openai.compaction' })[] };

/** A conversation in fewer words, to be put in front of the next call. */
export interface CompactedConversation<Message = CompactedMessageV4> {
  /** The system messages that were given, and what the server has made of the others. */
  readonly messages: Message[];
  /** What it took. */
  readonly usage: { readonly inputTokens?: number; readonly outputTokens?: number; readonly totalTokens?: number };
  readonly responseId?: string;
  readonly warnings: readonly string[];
}

/** A part that holds something of the server's, and what stands beside it. */
type Holder = (item: JsonObject) => { readonly part: { type: string }; readonly metadata: ProviderMetadata };

/** A summary by itself, as models of V4 show it. */
export const asCustom =
  (context: MetadataContext): Holder =>
  (item) => {
    const metadata = compactionToMetadata(item, context);
    return {
      part: { type: 'custom', kind: COMPACTION } as { type: string },
      metadata: { ...metadata, [METADATA_KEY]: { ...metadata[METADATA_KEY], window: true } },
    };
  };

/** Any item, in the carrier of an empty reasoning part. Never cut: there is nothing else in it. */
export const asCarrier: Holder = (item) => hiddenPart({ after: [item] });

/** A call of a tool, in the same way; its output, if it has one, travels with it. */
function asCall(item: JsonObject, output: JsonValue | undefined): ReturnType<Holder> {
  const { call_id: callId, name, arguments: made } = item;
  const said = defined({ members: membersOfCall(item), output: output === undefined ? output : toOutput(output) });
  return hiddenPart({ calls: [{ callId, name, arguments: made, ...said }] });
}

function hiddenPart(round: object): ReturnType<Holder> {
  const own = { carrier: { v: 1, ...round }, window: true };
  return {
    part: { type: 'reasoning', text: '' } as { type: string },
    metadata: { [METADATA_KEY]: own },
  };
}

/** What signs metadata, where histories are signed. */
type Sign = (part: Readonly<Record<string, unknown>>, metadata: ProviderMetadata) => Promise<ProviderMetadata>;

export interface CompactingOptions {
  readonly summary: Holder;
  readonly sign: Sign | undefined;
  readonly onWarning: (message: string) => void;
}

/** The items of a compacted conversation as messages. What the caller has laid down he has himself. */
export async function toCompactedMessages(
  output: readonly JsonObject[],
  { summary, sign, onWarning }: CompactingOptions,
): Promise<CompactedMessageV4[]> {
  const messages: CompactedMessageV4[] = [];
  const calls = new Set(output.filter(isCall).map((item) => item['call_id']));
  const outputs = new Map(output.filter(isOutput).map((item) => [item['call_id'], item['output']]));
  const hold = (item: JsonObject): ReturnType<Holder> | string => {
    if (isCall(item)) return asCall(item, outputs.get(item['call_id']));
    return problemOf(item, sign !== undefined) ?? (isCompaction(item) ? summary : asCarrier)(item);
  };
  for (const item of output) {
    if (outlivesCompaction(item) || (isOutput(item) && calls.has(item['call_id']))) continue;
    if (item['type'] === 'message' && item['role'] === 'user') {
      messages.push({ role: 'user', content: userParts(item['content']) });
      continue;
    }
    const held = hold(item);
    if (typeof held === 'string') {
      onWarning(`The summary comes with ${held}; it was left out.`);
      continue;
    }
    const { part, metadata } = held;
    const signed = { ...part, providerOptions: (await sign?.({ ...part }, metadata)) ?? metadata };
    messages.push({ role: 'assistant', content: [signed] } as CompactedMessageV4);
  }
  return messages;
}

function isCall({ type, call_id: callId, name, arguments: made }: JsonObject): boolean {
  return type === 'function_call' && [callId, name, made].every((member) => typeof member === 'string');
}

function isOutput({ type }: JsonObject): boolean {
  return type === 'function_call_output';
}

/** Why no message can hold the item, as the next call would find. */
function problemOf(item: JsonObject, signed: boolean): string | undefined {
  return asString(checkItem(item, { place: 'carrier', signed }));
}

function userParts(content: JsonValue | undefined): CompactedUserPart[] {
  return partsOf(content).map((part) => {
    if (part.type === 'text') return part;
    const { source, ...others } = part;
    return { ...others, data: dataOf(source) };
  });
}

function toOutput(output: JsonValue): ToolOutput {
  return { isError: false, content: partsOf(output) };
}

function dataOf(source: FileSource): string {
  if (source.type === 'data') return source.base64;
  return source.type === 'url' ? source.url : source.id;
}

type Part = { type: 'text'; text: string } | { type: 'file'; mediaType: string; source: FileSource; filename?: string };

function partsOf(content: JsonValue | undefined): Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return asRecords(content).flatMap((part): Part[] => {
    const text = asString(part['text']);
    if (text !== undefined) return [{ type: 'text', text }];
    const url = [part['image_url'], part['file_data'], part['file_url'], part['file_id']].find(
      (value) => typeof value === 'string',
    );
    if (typeof url !== 'string') return [];
    const kind = part['type'] === 'input_image' ? 'image/*' : 'application/pdf';
    return [{ type: 'file', ...fileOf(url, kind), ...defined({ filename: asString(part['filename']) }) }];
  });
}

const DATA_URL = 'data:';
const BASE64 = ';base64,';

/** AI SDKs take base64 and URLs of the web, and some of them no URLs of data. */
function fileOf(url: string, kind: string): { readonly mediaType: string; readonly source: FileSource } {
  const at = url.startsWith(DATA_URL) ? url.indexOf(BASE64) : -1;
  if (at !== -1) {
    const base64 = url.slice(at + BASE64.length);
    return { mediaType: url.slice(DATA_URL.length, at), source: { type: 'data', base64 } };
  }
  return { mediaType: kind, source: URL.canParse(url) ? { type: 'url', url } : { type: 'id', id: url } };
}
