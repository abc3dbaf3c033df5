// Placeholder until shared/file-lock.ts is there.
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';

export class SessionLockedError extends Error {
  override readonly name = 'SessionLockedError';
  readonly pid: number;

  constructor(pid: number) {
    super(`The session is in use by the process ${pid}.`);
    this.pid = pid;
  }
}

export function lockSession(path: string): () => void {
  try {
    const file = openSync(path, 'wx', 0o600);
    writeSync(file, String(process.pid));
    closeSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const pid = Number(readFileSync(path, 'utf8'));
    if (isAlive(pid)) throw new SessionLockedError(pid);
    rmSync(path, { force: true });
    return lockSession(path);
  }
  return () => rmSync(path, { force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
