import type { ChatChunk } from '../types.js';

type Reasoning = Extract<ChatChunk, { type: 'reasoning-start' | 'reasoning-delta' | 'reasoning-end' }>;

/** Where the time of a reasoning part is, in its metadata. */
const THOUGHT = 'chat-server';

/** Adds to each end of reasoning how long it took, in milliseconds; other chunks stay as they are. */
export function timeThoughts(now: () => number = Date.now): (chunk: ChatChunk) => ChatChunk {
  const open = new Map<string, { readonly since: number; metadata: Reasoning['providerMetadata'] }>();
  return (chunk) => {
    if (chunk.type !== 'reasoning-start' && chunk.type !== 'reasoning-delta' && chunk.type !== 'reasoning-end')
      return chunk;
    const thought = open.get(chunk.id) ?? { since: now(), metadata: undefined };
    // A part keeps the metadata that came last.
    thought.metadata = chunk.providerMetadata ?? thought.metadata;
    open.set(chunk.id, thought);
    if (chunk.type !== 'reasoning-end') return chunk;
    open.delete(chunk.id);
    const thoughtMs = now() - thought.since;
    return { ...chunk, providerMetadata: { ...thought.metadata, [THOUGHT]: { thoughtMs } } };
  };
}
