import type { Checkpoints, UndoResult } from '../files/checkpoints.js';
import type { FileChange } from '../rollout/lines.js';

/** What an undo needs of a session, whether it runs or lies on disk. */
export interface Undoable {
  readonly changes: readonly FileChange[];
  addChange(change: Omit<FileChange, 'type'>): void;
}

export interface UndoOutcome extends UndoResult {
  /** For people. */
  readonly message: string;
}

/** Puts back the files of a turn, or of the last one that changed some. An undo is a change too: it is not undone twice. */
export async function undoTurn(session: Undoable, checkpoints: Checkpoints, turn?: number): Promise<UndoOutcome> {
  const number = turn ?? lastChanged(session.changes);
  const changes = number === undefined ? [] : netChanges(session.changes, number);
  if (number === undefined || changes.length === 0) {
    const which = turn === undefined ? 'No turn has' : `Turn ${turn} has not`;
    return { message: `${which} changed a file that could be restored.`, restored: [], skipped: [] };
  }
  const result = await checkpoints.undo(changes);
  for (const { path, before, after } of changes) {
    if (result.restored.includes(path)) session.addChange({ turn: number, path, before: after, after: before });
  }
  return { ...result, message: messageOf(`turn ${number}`, result) };
}

/** Puts back the files of a turn and of all that followed it. */
export async function undoSince(session: Undoable, checkpoints: Checkpoints, turn: number): Promise<UndoOutcome> {
  const since = session.changes.filter((change) => change.turn >= turn);
  const changes = netChanges(since);
  if (changes.length === 0) return { message: 'No file was changed since.', restored: [], skipped: [] };
  const result = await checkpoints.undo(changes);
  // In each turn, so that none of them can be undone once more.
  for (const number of [...new Set(since.map((change) => change.turn))].toReversed())
    for (const { path, before, after } of netChanges(since, number))
      if (result.restored.includes(path)) session.addChange({ turn: number, path, before: after, after: before });
  return { ...result, message: messageOf(`everything from turn ${turn} on`, result) };
}

/** What a turn did to each file in all: changes that were put back are none. */
export function netChanges(changes: readonly FileChange[], turn?: number): FileChange[] {
  const net = new Map<string, FileChange>();
  for (const change of changes) {
    if (turn !== undefined && change.turn !== turn) continue;
    const first = net.get(change.path);
    net.set(change.path, first === undefined ? change : { ...first, after: change.after });
  }
  return [...net.values()].filter(({ before, after }) => before !== after);
}

function lastChanged(changes: readonly FileChange[]): number | undefined {
  const turns = [...new Set(changes.map(({ turn }) => turn))].toSorted((one, other) => other - one);
  return turns.find((turn) => netChanges(changes, turn).length > 0);
}

function messageOf(which: string, { restored, skipped }: UndoResult): string {
  const lines = [
    restored.length === 0 ? `Nothing of ${which} was restored.` : `Undid ${which}: restored ${restored.join(', ')}.`,
    ...(skipped.length === 0
      ? []
      : [
          `Left unchanged, because they differ from what the turn wrote: ${skipped.map(({ path }) => path).join(', ')}.`,
        ]),
    'Changes made by shell commands are not undone.',
  ];
  return lines.join('\n');
}
