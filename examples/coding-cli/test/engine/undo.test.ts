import { expect, test } from 'vitest';

import { netChanges, undoTurn, type Undoable } from '../../src/engine/undo.js';
import type { Checkpoints } from '../../src/files/checkpoints.js';
import type { FileChange } from '../../src/rollout/lines.js';

const change = (turn: number, path: string, before: string | null, after: string | null): FileChange => ({
  type: 'file_change',
  turn,
  path,
  before,
  after,
});

/** Checkpoints that put back everything but one file. */
const checkpoints = (stubborn?: string): Checkpoints => ({
  keep: () => Promise.reject(new Error('not here')),
  undo: (changes) => {
    const paths = changes.map(({ path }) => path);
    return Promise.resolve({
      restored: paths.filter((path) => path !== stubborn),
      skipped: paths.filter((path) => path === stubborn).map((path) => ({ path, reason: 'it was changed since' })),
    });
  },
});

function sessionWith(...changes: FileChange[]): Undoable & { changes: FileChange[] } {
  return { changes, addChange: (added) => void changes.push({ type: 'file_change', ...added }) };
}

test('what a turn did to a file is from its first change to its last', () => {
  const changes = [
    change(1, '/a', 'x', 'y'),
    change(1, '/b', null, 'z'),
    change(1, '/a', 'y', 'w'),
    change(1, '/b', 'z', null),
  ];
  expect(netChanges(changes, 1)).toEqual([change(1, '/a', 'x', 'w')]);
});

test('the last turn that changed something is undone, then the one before, and then there is none', async () => {
  const session = sessionWith(change(1, '/a', null, 'x'), change(2, '/a', 'x', 'y'), change(3, '/b', 'z', 'z'));
  expect((await undoTurn(session, checkpoints())).message).toContain('turn 2: restored /a');
  expect((await undoTurn(session, checkpoints())).message).toContain('turn 1: restored /a');
  expect((await undoTurn(session, checkpoints())).message).toContain('No turn has');
  expect((await undoTurn(session, checkpoints(), 2)).message).toContain('Turn 2 has not');
});

test('a file that holds something else is named and stays open to be undone', async () => {
  const session = sessionWith(change(1, '/a', null, 'x'), change(1, '/b', null, 'y'));
  const { message, skipped } = await undoTurn(session, checkpoints('/b'));
  expect(message).toMatch(/Undid turn 1: restored \/a\.\nLeft unchanged.*: \/b\./);
  expect(skipped).toHaveLength(1);
  expect(netChanges(session.changes, 1)).toEqual([change(1, '/b', null, 'y')]);
});
