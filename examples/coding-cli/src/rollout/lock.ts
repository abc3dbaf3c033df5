import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { type FileLock, LockedError, lockFile } from 'responses-loop-example-shared/file-lock.js';
import type { SessionPlace } from './place.js';

/** Another process has the session. */
export class SessionLockedError extends Error {
  override readonly name = 'SessionLockedError';
  readonly pid: number;

  constructor(pid: number) {
    super(`The session is in use by process ${pid}.`);
    this.pid = pid;
  }
}

/** @throws SessionLockedError if another process has it. */
export async function lockSession({ lock }: SessionPlace): Promise<FileLock> {
  try {
    return await lockFile(lock);
  } catch (error) {
    throw error instanceof LockedError ? new SessionLockedError(error.pid) : error;
  }
}

/** As `lockSession`; where nothing can be written there is nothing to lock, and the first line that is written says so. */
export async function lockIfWritable(place: SessionPlace): Promise<FileLock> {
  try {
    mkdirSync(dirname(place.lock), { recursive: true, mode: 0o700 });
    return await lockSession(place);
  } catch (error) {
    if (error instanceof SessionLockedError) throw error;
    return { release: () => {} };
  }
}
