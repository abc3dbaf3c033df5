import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { openJsonl } from 'responses-loop-example-shared/jsonl.js';
import type { Line, SessionMeta } from './lines.js';
import { newPlace, type SessionPlace } from './place.js';
import { readRollout } from './read.js';

/**
 * Makes another session of what was said before a turn. The session itself stays as it is.
 *
 * @returns its id, or `undefined` if nothing was said before.
 */
export function forkSession(dataDir: string, place: SessionPlace, beforeTurn: number): string | undefined {
  const { lines } = readRollout(place.rollout);
  const kept = linesBefore(lines, beforeTurn);
  const meta = lines.find((line) => line.type === 'session_meta');
  if (meta === undefined || kept.length === 0) return undefined;
  const forkId = randomUUID();
  const createdAt = new Date();
  const fork = newPlace(dataDir, forkId, createdAt);
  mkdirSync(dirname(fork.rollout), { recursive: true, mode: 0o700 });
  // So that the files of the turns that are kept can still be restored.
  if (existsSync(place.before)) cpSync(place.before, fork.before, { recursive: true });
  if (existsSync(place.images)) cpSync(place.images, fork.images, { recursive: true });
  const file = openJsonl(fork.rollout);
  const own: SessionMeta = { ...meta, id: forkId, created_at: createdAt.toISOString() };
  for (const line of [own, ...kept]) file.append(line, { isSynced: line === kept.at(-1) });
  file.close();
  return forkId;
}

/** A summary of turns that are left out is left out, too. */
function linesBefore(lines: readonly Line[], beforeTurn: number): Line[] {
  return lines.filter((line) => {
    if (line.type === 'session_meta') return false;
    return line.type === 'compacted' ? line.through_turn < beforeTurn : line.turn < beforeTurn;
  });
}
