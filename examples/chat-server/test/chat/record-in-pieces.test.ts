import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Piece, recordInPieces } from '../../src/chat/record-in-pieces.js';
import type { ChatChunk } from '../../src/types.js';

const text = (id: string, delta: string): ChatChunk => ({ type: 'text-delta', id, delta });
const reasoning = (id: string, delta: string): ChatChunk => ({ type: 'reasoning-delta', id, delta });
const input = (toolCallId: string, inputTextDelta: string): ChatChunk => ({
  type: 'tool-input-delta',
  toolCallId,
  inputTextDelta,
});
const end: ChatChunk = { type: 'text-end', id: 'a' };

async function record(chunks: readonly ChatChunk[], error?: Error): Promise<{ shown: ChatChunk[]; kept: ChatChunk[] }> {
  const [shown, kept]: [ChatChunk[], ChatChunk[]] = [[], []];
  const left = [...chunks];
  const source = new ReadableStream<ChatChunk>({
    pull: (controller) => {
      const next = left.shift();
      if (next !== undefined) controller.enqueue(next);
      else if (error === undefined) controller.close();
      else controller.error(error);
    },
  });
  const onChunk = (chunk: ChatChunk) => (shown.push(chunk), { chunk, isShown: true });
  const recording = recordInPieces(source, { onChunk, onPiece: ({ chunk }) => kept.push(chunk) });
  if (error === undefined) await recording;
  else await expect(recording).rejects.toBe(error);
  return { shown, kept };
}

describe('what is recorded of a stream', () => {
  it('has deltas that follow each other as one, and everything else as it came', async () => {
    const chunks = [
      text('a', 'Qu'),
      text('a', 'ack'),
      end,
      reasoning('a', 'x'),
      text('a', 'y'),
      text('b', 'z'),
      text('b', '!'),
    ];
    const { shown, kept } = await record(chunks);
    expect(shown).toEqual(chunks);
    expect(kept).toEqual([text('a', 'Quack'), end, reasoning('a', 'x'), text('a', 'y'), text('b', 'z!')]);
  });

  it('has what is to be shown later apart from what was shown, and says of how many chunks it is', async () => {
    const chunks = [text('a', '1'), text('a', '2'), text('a', '3'), text('a', '4')];
    const pieces: Piece[] = [];
    const source = new ReadableStream<ChatChunk>({
      start: (controller) => {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
    let count = 0;
    const onChunk = (chunk: ChatChunk) => ({ chunk, isShown: (count += 1) <= 1 });
    await recordInPieces(source, { onChunk, onPiece: (piece) => pieces.push(piece) });
    expect(pieces).toEqual([
      { chunk: text('a', '1'), isShown: true, chunks: 1 },
      { chunk: text('a', '234'), isShown: false, chunks: 3 },
    ]);
  });

  it('keeps deltas apart that carry more than text, and those of different calls', async () => {
    const marked = { ...text('a', 'b'), providerMetadata: { x: { y: 1 } } } as ChatChunk;
    const { kept } = await record([
      text('a', 'a'),
      marked,
      text('a', 'c'),
      input('1', '{'),
      input('2', '{'),
      input('2', '}'),
    ]);
    expect(kept).toEqual([text('a', 'a'), marked, text('a', 'c'), input('1', '{'), input('2', '{}')]);
  });

  it('holds every text in order, however it is cut', async () => {
    const chunk = fc.oneof(
      fc.tuple(fc.constantFrom('a', 'b'), fc.string()).map(([id, delta]) => text(id, delta)),
      fc.tuple(fc.constantFrom('a', 'b'), fc.string()).map(([id, delta]) => reasoning(id, delta)),
      fc.tuple(fc.constantFrom('1', '2'), fc.string()).map(([id, delta]) => input(id, delta)),
      fc.constant(end),
    );
    const spelled = (chunks: readonly ChatChunk[]): string =>
      chunks.reduce((all, each) => {
        const { type, id, toolCallId, delta, inputTextDelta } = each as Record<string, unknown>;
        const head = `\n${String(type)} ${String(id ?? toolCallId)}: `;
        const isSame = all.lastIndexOf('\n') === all.lastIndexOf(head) && type !== 'text-end';
        return `${all}${isSame ? '' : head}${JSON.stringify(delta ?? inputTextDelta ?? '').slice(1, -1)}`;
      }, '');
    await fc.assert(
      fc.asyncProperty(fc.array(chunk), async (chunks) => {
        const { shown, kept } = await record(chunks);
        expect(shown).toEqual(chunks);
        expect(spelled(kept)).toBe(spelled(chunks));
      }),
      { numRuns: 50 },
    );
  });

  it('ends with the error of the stream, behind what was said', async () => {
    const { shown, kept } = await record([text('a', 'Qu'), text('a', 'ack')], new Error('cut'));
    expect(shown).toHaveLength(2);
    expect(kept).toEqual([text('a', 'Quack')]);
  });
});
