import type { AdapterMessage, StoredMessage } from '../types/messages.js';
import { AgentError } from './agent-error.js';

type Rows = readonly StoredMessage[];

/** The rows that hold: not those of turns that were taken back, and no summary that knows of such a turn. */
export function heldRows(messages: Rows): Rows {
  const takenBack = new Set(messages.filter(isTakenBack).map(({ turn }) => turn));
  if (takenBack.size === 0) return messages;
  let earliest = Infinity;
  const held = messages.toReversed().filter((row) => {
    if (isTakenBack(row)) earliest = Math.min(earliest, row.turn);
    return !takenBack.has(row.turn) && !(isSummary(row) && through(row) >= earliest);
  });
  return held.toReversed();
}

/** What the model reads: the rows that hold, where a summary stands for those of the turns that it was made of. */
export function asRead(messages: Rows): Rows {
  const held = heldRows(messages);
  const summary = held.findLast(isSummary);
  if (summary === undefined) return held;
  const rest = held.filter((row) => !isPrompt(row) && !isSummary(row) && row.turn > through(summary));
  return [...held.filter(isPrompt), summary, ...rest];
}

/** The last turn that the summary stands for. */
export function summarisedTurn(messages: Rows): number {
  const summary = heldRows(messages).findLast(isSummary);
  return summary === undefined ? 0 : through(summary);
}

/** The numbers of the turns that hold, oldest first. */
export function heldTurns(messages: Rows): readonly number[] {
  return [...new Set(heldRows(messages).map(({ turn }) => turn))].filter((turn) => turn > 0).toSorted((a, b) => a - b);
}

/** The rows that hold up to a turn; all of them, if none is named. @throws AgentError `no_such_turn` */
export function rowsUpTo(messages: Rows, last: number | undefined): Rows {
  const turns = heldTurns(messages);
  if (last === undefined) return heldRows(messages);
  if (turns.includes(last)) return heldRows(messages).filter(({ turn }) => turn <= last);
  const there = turns.length === 0 ? 'It has none.' : `It has ${turns.join(', ')}.`;
  throw new AgentError('no_such_turn', `The session has no turn ${last}. ${there}`);
}

/** The note that a turn was taken back; it belongs to that turn. */
export function takenBackRow(turn: number): AdapterMessage {
  return { type: 'system', content: `Turn ${turn} was undone.`, metadata: { kind: 'taken_back' } };
}

export function isPrompt({ type, metadata }: StoredMessage): boolean {
  return type === 'system' && (metadata?.kind === undefined || metadata.kind === 'prompt');
}

function isTakenBack({ metadata }: StoredMessage): boolean {
  return metadata?.kind === 'taken_back';
}

export function isSummary({ metadata }: StoredMessage): boolean {
  return metadata?.kind === 'summary';
}

function through({ metadata }: StoredMessage): number {
  return metadata?.throughTurn ?? 0;
}
