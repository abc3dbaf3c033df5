import type { ChatChunk } from '../types.js';

/**
 * Shows chunks as they come, and gives them to the record with deltas that follow each other as one: to build the message of
 * a chunk costs more than to stream it, and the record is read only where something ends. Rejects with the error of the
 * stream, once what came before it was given.
 */
export async function recordInPieces(
  chunks: ReadableStream<ChatChunk>,
  { onChunk, onPiece }: RecordOptions,
): Promise<void> {
  const joined = new DeltaJoiner();
  try {
    // An async iterator would cost three promises more for each chunk.
    const reader = chunks.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      for (const piece of joined.add(onChunk(read.value))) onPiece(piece);
    }
  } finally {
    for (const piece of joined.end()) onPiece(piece);
  }
}

export interface RecordOptions {
  /** Shows it or not, and says what is recorded of it. */
  readonly onChunk: (chunk: ChatChunk) => ShownChunk;
  /** Gets what goes into the record. */
  readonly onPiece: (piece: Piece) => void;
}

export interface ShownChunk {
  readonly chunk: ChatChunk;
  /** `false`: it is to be shown when it comes out of the record. */
  readonly isShown: boolean;
}

export interface Piece extends ShownChunk {
  /** How many chunks it was made of. */
  readonly chunks: number;
}

type Delta = Extract<ChatChunk, { type: 'text-delta' | 'reasoning-delta' | 'tool-input-delta' }>;

class DeltaJoiner {
  #first: Delta | undefined;
  #isShown = false;
  #texts: string[] = [];

  /** What is complete now. */
  add({ chunk, isShown }: ShownChunk): readonly Piece[] {
    if (!isDelta(chunk)) return [...this.end(), { chunk, isShown, chunks: 1 }];
    const goesOn = this.#first === undefined || (isOfOne(this.#first, chunk) && isShown === this.#isShown);
    const ended = goesOn ? [] : this.end();
    this.#first ??= chunk;
    this.#isShown = isShown;
    this.#texts.push(textOf(chunk));
    return ended;
  }

  end(): readonly Piece[] {
    if (this.#first === undefined) return [];
    const text = this.#texts.join('');
    const chunks = this.#texts.length;
    const chunk =
      this.#first.type === 'tool-input-delta'
        ? { ...this.#first, inputTextDelta: text }
        : { ...this.#first, delta: text };
    this.#first = undefined;
    this.#texts = [];
    return [{ chunk, isShown: this.#isShown, chunks }];
  }
}

/** One that carries more than text stands alone. */
function isDelta(chunk: ChatChunk): chunk is Delta {
  if (chunk.type === 'tool-input-delta') return true;
  return (chunk.type === 'text-delta' || chunk.type === 'reasoning-delta') && chunk.providerMetadata === undefined;
}

function isOfOne(one: Delta, other: Delta): boolean {
  return one.type === other.type && idOf(one) === idOf(other);
}

function idOf(delta: Delta): string {
  return delta.type === 'tool-input-delta' ? delta.toolCallId : delta.id;
}

function textOf(delta: Delta): string {
  return delta.type === 'tool-input-delta' ? delta.inputTextDelta : delta.delta;
}
