import type { TextStreamPart, ToolSet } from 'ai';
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { toMessages } from '../../src/engine/history.js';
import { TurnParts } from '../../src/engine/turn-parts.js';
import type { StoredPart } from '../../src/rollout/lines.js';

type Part = TextStreamPart<ToolSet>;

/** What a model said, each with the pieces that it comes in. */
type Said =
  | { readonly kind: 'text' | 'reasoning'; readonly pieces: readonly string[] }
  | { readonly kind: 'call'; readonly result: 'none' | 'good' | 'bad' };

const SAID = fc.oneof(
  fc.record({
    kind: fc.constantFrom('text' as const, 'reasoning' as const),
    pieces: fc.array(fc.string(), { maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('call' as const),
    result: fc.constantFrom('none' as const, 'good' as const, 'bad' as const),
  }),
);

function piecesOf(said: Said, id: string): Part[] {
  if (said.kind !== 'call') {
    const deltas = said.pieces.map((text) => ({ type: `${said.kind}-delta`, id, text }));
    const metadata = { 'responses-loop': { itemId: id } };
    const parts = [
      { type: `${said.kind}-start`, id },
      ...deltas,
      { type: `${said.kind}-end`, id, providerMetadata: metadata },
    ];
    return parts as unknown as Part[];
  }
  const named = { toolCallId: id, toolName: 'any', providerExecuted: true, input: { id } };
  const results = {
    none: [],
    good: [{ type: 'tool-result', ...named, output: `of ${id}` }],
    bad: [{ type: 'tool-error', ...named, error: new Error(`of ${id}`) }],
  };
  return [{ type: 'tool-call', ...named }, ...results[said.result]] as unknown as Part[];
}

/** The pieces of each in order, all of them mixed as the numbers say. */
function mix(streams: Part[][], numbers: readonly number[]): Part[] {
  const mixed: Part[] = [];
  for (let at = 0; streams.some(({ length }) => length > 0); at += 1) {
    const open = streams.filter(({ length }) => length > 0);
    const piece = open[(numbers[at % numbers.length] ?? 0) % open.length]?.shift();
    if (piece !== undefined) mixed.push(piece);
  }
  return mixed;
}

function collect(pieces: readonly Part[]) {
  const [parts, texts, deltas]: [StoredPart[], string[], string[]] = [[], [], []];
  const collector = new TurnParts({
    onPart: (part) => parts.push(part),
    onText: (_kind, text) => texts.push(text),
    onDelta: (_kind, text) => deltas.push(text),
  });
  for (const piece of pieces) collector.add(piece);
  collector.end();
  return { parts, texts, deltas };
}

function idOf(part: StoredPart): unknown {
  if ('toolCallId' in part) return part.toolCallId;
  const { itemId } = (part.providerMetadata?.['responses-loop'] ?? {}) as { itemId?: string };
  return itemId;
}

test('however pieces are mixed, parts are whole, in the order in which they began, and what is read back is sent alike', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(SAID, { maxLength: 6 }), fc.array(fc.nat(), { minLength: 1 }), async (all, numbers) => {
      const mixed = mix(
        all.map((said, index) => piecesOf(said, `id${index}`)),
        numbers,
      );
      const { parts, texts, deltas } = collect(mixed);
      const begun = mixed.flatMap((piece) => {
        if (piece.type === 'text-start' || piece.type === 'reasoning-start') return [piece.id];
        return 'toolCallId' in piece ? [piece.toolCallId] : [];
      });
      expect(parts.map(idOf)).toEqual(begun);
      expect(texts.join('').length).toBe(deltas.join('').length);
      const turn = (stored: StoredPart[]) => [{ number: 1, text: 'x', parts: stored }];
      const readBack = JSON.parse(JSON.stringify(parts)) as StoredPart[];
      expect(await toMessages(turn(readBack))).toEqual(await toMessages(turn(parts)));
    }),
    { numRuns: 60 },
  );
});

test('where a stream breaks off, what came of a text is kept', () => {
  const pieces = [
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', text: 'half' },
  ] as unknown as Part[];
  expect(collect(pieces)).toEqual({ parts: [{ type: 'text', text: 'half' }], texts: ['half'], deltas: ['half'] });
});
