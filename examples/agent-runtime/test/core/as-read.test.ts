import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { asRead, heldRows, heldTurns, takenBackRow } from '../../src/core/as-read.js';
import { throughTurn } from '../../src/core/compaction.js';
import { interruptedResult, openCalls } from '../../src/core/open-calls.js';
import { Transcript } from '../../src/core/transcript.js';
import { toMessages } from '../../src/driver/to-messages.js';
import type { AdapterMessage, StoredMessage } from '../../src/index.js';

type Step = 'turn' | 'pop' | 'compact';
interface Move {
  readonly step: Step;
  /** What the model does in a turn: `a` says, `t` thinks, `c` calls, `r` gives a result, `x` calls and is cut off. */
  readonly acts: string;
}

const moves = fc.array(
  fc.record<Move>({
    step: fc.constantFrom<Step>('turn', 'turn', 'turn', 'pop', 'compact'),
    acts: fc.string({ unit: fc.constantFrom('a', 't', 'c', 'r', 'x'), maxLength: 6 }),
  }),
  { maxLength: 25 },
);

/** Rows as a session would write them. */
function rowsOf(history: readonly Move[]): StoredMessage[] {
  const transcript = new Transcript([]);
  const add = (row: AdapterMessage, turn = transcript.lastTurn) => transcript.append(row, turn, crypto.randomUUID());
  add({ type: 'system', content: 'Be brief.', metadata: { kind: 'prompt' } }, 0);
  for (const [index, { step, acts }] of history.entries()) {
    const last = heldTurns(transcript.messages).at(-1);
    if (step === 'turn') {
      add({ type: 'user', content: `user ${index}` }, transcript.lastTurn + 1);
      for (const [at, act] of [...acts].entries()) add(rowOf(act, `${index}-${at}`, transcript.held));
      for (const call of openCalls(transcript.held)) add(interruptedResult(call));
    } else if (step === 'pop' && last !== undefined) add(takenBackRow(last), last);
    else if (step === 'compact') {
      const through = throughTurn(transcript.messages);
      if (through !== undefined && last !== undefined)
        add({ type: 'system', content: `sum ${index}`, metadata: { kind: 'summary', throughTurn: through } }, last);
    }
  }
  return [...transcript.messages];
}

function rowOf(act: string, id: string, held: readonly StoredMessage[]): AdapterMessage {
  const open = openCalls(held)[0];
  if (act === 'c' || act === 'x')
    return { type: 'tool', content: id, isToolUse: true, toolId: id, toolName: 'note', toolInput: {} };
  if (act === 'r' && open?.toolId !== undefined)
    return { type: 'tool', content: id, isToolUse: false, toolId: open.toolId, toolName: 'note', toolResult: id };
  return { type: 'agent', content: id, ...(act === 't' ? { metadata: { kind: 'thinking' } } : {}) };
}

const ofAny = (holds: (rows: StoredMessage[]) => void): void =>
  fc.assert(
    fc.property(moves, (history) => holds(rowsOf(history))),
    { numRuns: 400 },
  );

describe('of any history of turns, turns taken back and summaries', () => {
  test('the model reads every call with one result, and every result with its call', () => {
    ofAny((rows) => {
      const parts = toMessages(asRead(rows)).flatMap(({ content }) =>
        typeof content === 'string' ? [] : [...content],
      );
      const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []));
      const results = parts.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : []));
      expect(results.toSorted()).toEqual(calls.toSorted());
    });
  });

  test('it reads the last two turns that hold as they were, the prompt, and no row of a turn that was taken back', () => {
    ofAny((rows) => {
      const read = asRead(rows);
      const kept = heldTurns(rows).slice(-2);
      const ofKept = (all: readonly StoredMessage[]) =>
        all.filter(({ turn, metadata }) => kept.includes(turn) && metadata?.kind !== 'summary');
      expect(ofKept(read)).toEqual(ofKept(heldRows(rows)));
      expect(read[0]?.content).toBe('Be brief.');
      const takenBack = new Set(rows.filter(({ metadata }) => metadata?.kind === 'taken_back').map(({ turn }) => turn));
      expect(read.filter(({ turn }) => takenBack.has(turn))).toEqual([]);
    });
  });

  test('each turn that holds is read, or stands behind the one summary that is read, which knows of no other', () => {
    ofAny((rows) => {
      const read = asRead(rows);
      const summaries = read.filter(({ metadata }) => metadata?.kind === 'summary');
      expect(summaries.length).toBeLessThanOrEqual(1);
      const [summary] = summaries;
      const through = summary?.metadata?.throughTurn ?? 0;
      expect(heldTurns(rows).filter((turn) => turn > through)).toEqual(
        heldTurns(read).filter((turn) => turn > through),
      );
      const later = rows.filter(({ seq, metadata }) => metadata?.kind === 'taken_back' && seq > (summary?.seq ?? 0));
      expect(later.filter(({ turn }) => turn <= through)).toEqual([]);
    });
  });

  test('what was read once is read the same again', () => {
    ofAny((rows) => {
      expect(asRead(asRead(rows))).toEqual(asRead(rows));
    });
  });
});
