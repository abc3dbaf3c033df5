import { isCompaction } from '../../core/compaction.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import { defined } from '../../util/defined.js';
import { asRecords, asString } from '../../util/guards.js';
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

/** What signs metadata, where histories are signed. */
type Sign = (part: Readonly<Record<string, unknown>>, metadata: ProviderMetadata) => Promise<ProviderMetadata>;

/**
 * The items of a compacted conversation as messages. What the caller has laid down he has himself. `context`: of a version
 * that has a part for summaries.
 */
export async function toCompactedMessages(
  output: readonly JsonObject[],
  { context, sign }: { readonly context: MetadataContext | undefined; readonly sign: Sign | undefined },
): Promise<CompactedMessageV4[]> {
  const messages: CompactedMessageV4[] = [];
  for (const item of output) {
    const role = item['type'] === 'message' ? item['role'] : 'assistant';
    if (role === 'system' || role === 'developer') continue;
    if (role === 'user') {
      messages.push({ role, content: userParts(item['content']) });
      continue;
    }
    const { part, metadata } = context !== undefined && isCompaction(item) ? asCustom(item, context) : asCarrier(item);
    const held = { ...part, providerOptions: (await sign?.(part, metadata)) ?? metadata };
    messages.push({ role: 'assistant', content: [held] } as CompactedMessageV4);
  }
  return messages;
}

/** A summary by itself, as models of V4 show it. */
function asCustom(item: JsonObject, context: MetadataContext) {
  const metadata = compactionToMetadata(item, context);
  return {
    part: { type: 'custom', kind: COMPACTION },
    metadata: { ...metadata, [METADATA_KEY]: { ...metadata[METADATA_KEY], window: true } },
  };
}

/** Any item, in the carrier of an empty reasoning part. Never cut: there is nothing else in it. */
function asCarrier(item: JsonObject) {
  const own = { carrier: { v: 1, after: [item] }, window: true };
  // An item is JSON.
  return { part: { type: 'reasoning', text: '' }, metadata: { [METADATA_KEY]: own } as unknown as ProviderMetadata };
}

function userParts(content: JsonValue | undefined): CompactedUserPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return asRecords(content).flatMap((part): CompactedUserPart[] => {
    const text = asString(part['text']);
    if (text !== undefined) return [{ type: 'text', text }];
    const { type, image_url, file_data, file_url, file_id } = part;
    const url = asString(image_url) ?? asString(file_data) ?? asString(file_url) ?? asString(file_id);
    if (url === undefined) return [];
    const kind = type === 'input_image' ? 'image/*' : 'application/pdf';
    return [{ type: 'file', ...fileOf(url, kind), ...defined({ filename: asString(part['filename']) }) }];
  });
}

const DATA_URL = 'data:';
const BASE64 = ';base64,';

/** AI SDKs take base64 and URLs of the web, and some of them no URLs of data. */
function fileOf(url: string, kind: string): { readonly data: string; readonly mediaType: string } {
  const at = url.startsWith(DATA_URL) ? url.indexOf(BASE64) : -1;
  if (at === -1) return { data: url, mediaType: kind };
  return { data: url.slice(at + BASE64.length), mediaType: url.slice(DATA_URL.length, at) };
}
