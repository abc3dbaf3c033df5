import { dataDirOf } from '../config/folders.js';
import { undoTurn } from '../engine/undo.js';
import { createCheckpoints } from '../files/checkpoints.js';
import { lockSession } from '../rollout/lock.js';
import { pastOf } from '../rollout/past.js';
import { readRollout } from '../rollout/read.js';
import { RolloutWriter } from '../rollout/write.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { findSession } from './find-session.js';
import { say, write } from './say.js';

/** Puts back the files of the last turn that changed some, or of the one that is named. */
export async function undo(prefix: string, { turn }: { readonly turn?: number }): Promise<ExitCode> {
  const { place } = findSession(dataDirOf(process.env), prefix);
  const lock = await lockSession(place);
  const rollout = new RolloutWriter({
    path: place.rollout,
    onError: ({ message }) => say(`coder: that this was undone cannot be written down: ${message}`),
  });
  try {
    const { changes } = pastOf(readRollout(place.rollout).lines);
    const addChange = (change: Omit<(typeof changes)[number], 'type'>): void =>
      rollout.write({ type: 'file_change', ...change });
    const { message, skipped } = await undoTurn({ changes, addChange }, createCheckpoints(place.before), turn);
    write(`${message}\n`);
    for (const { path, reason } of skipped) say(`coder: ${path}: ${reason}`);
    return skipped.length === 0 && rollout.isWhole ? EXIT.done : EXIT.taskFailed;
  } finally {
    rollout.close();
    lock.release();
  }
}
