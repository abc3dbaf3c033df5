import { isCompaction } from '../../core/compaction.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import { defined } from '../../util/defined.js';
import { asRecords, asString } from '../../util/guards.js';
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
export const asCarrier: Holder = (item) => ({
  part: { type: 'reasoning', text: '' } as { type: string },
  // An item is JSON.
  metadata: { [METADATA_KEY]: { carrier: { v: 1, after: [item] }, window: true } } as unknown as ProviderMetadata,
});

/** What signs metadata, where histories are signed. */
type Sign = (part: Readonly<Record<string, unknown>>, metadata: ProviderMetadata) => Promise<ProviderMetadata>;

/** The items of a compacted conversation as messages. What the caller has laid down he has himself. */
export async function toCompactedMessages(
  output: readonly JsonObject[],
  { summary, sign }: { readonly summary: Holder; readonly sign: Sign | undefined },
): Promise<CompactedMessageV4[]> {
  const messages: CompactedMessageV4[] = [];
  for (const item of output) {
    const role = item['type'] === 'message' ? item['role'] : 'assistant';
    if (role === 'system' || role === 'developer') continue;
    if (role === 'user') {
      messages.push({ role, content: userParts(item['content']) });
      continue;
    }
    const { part, metadata } = (isCompaction(item) ? summary : asCarrier)(item);
    const held = { ...part, providerOptions: (await sign?.({ ...part }, metadata)) ?? metadata };
    messages.push({ role: 'assistant', content: [held] } as CompactedMessageV4);
  }
  return messages;
}

function userParts(content: JsonValue | undefined): CompactedUserPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return asRecords(content).flatMap((part): CompactedUserPart[] => {
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
function fileOf(url: string, kind: string): { readonly data: string; readonly mediaType: string } {
  const at = url.startsWith(DATA_URL) ? url.indexOf(BASE64) : -1;
  if (at === -1) return { data: url, mediaType: kind };
  return { data: url.slice(at + BASE64.length), mediaType: url.slice(DATA_URL.length, at) };
}
