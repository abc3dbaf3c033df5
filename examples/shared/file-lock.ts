import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface FileLock {
  /** Takes it away, if it is still ours. */
  release(): void;
}

/** Another process that lives has it. */
export class LockedError extends Error {
  override readonly name = 'LockedError';
  readonly pid: number;

  constructor(path: string, pid: number) {
    super(`Process ${pid} has locked ${path}.`);
    this.pid = pid;
  }
}

interface Holder {
  readonly pid: number;
  /** When the process started, as far as the system tells: process numbers are used again. */
  readonly started: string | null;
  readonly token: string;
}

const TRIES = 200;
const RETRY_MS = 20;
/** A process that died while it took a lock over. */
const TAKEOVER_MS = 5000;

/**
 * Makes the lock file, with the number of this process in it. A lock of a process that has ended is taken over, by one of
 * several that try.
 *
 * @throws LockedError if a living process has it, this one among them.
 */
export async function lockFile(path: string): Promise<FileLock> {
  const holder: Holder = { pid: process.pid, started: startOf(process.pid), token: randomUUID() };
  const draft = `${path}.${holder.token}`;
  writeFileSync(draft, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
  try {
    for (let tries = 0; tries < TRIES; tries += 1) {
      // A link appears with its content, and only where there is none.
      if (succeeds(() => linkSync(draft, path), 'EEXIST')) return { release: () => release(path, holder) };
      const other = read(path);
      if (typeof other === 'object' && isAlive(other)) throw new LockedError(path, other.pid);
      if (!removeStale(path)) await sleep(RETRY_MS);
    }
    throw new Error(`The lock ${path} can neither be taken nor read.`);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Only one process at a time takes a lock away, and looks once more before. */
function removeStale(path: string): boolean {
  const mutex = `${path}.takeover`;
  if (!succeeds(() => mkdirSync(mutex), 'EEXIST')) {
    const since = statSync(mutex, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - since > TAKEOVER_MS) succeeds(() => rmdirSync(mutex), 'ENOENT');
    return false;
  }
  try {
    const holder = read(path);
    // One that is missing may be there again, and new, by the time it is removed.
    if (holder !== 'missing' && (holder === 'garbage' || !isAlive(holder))) rmSync(path, { force: true });
    return true;
  } finally {
    succeeds(() => rmdirSync(mutex), 'ENOENT');
  }
}

function release(path: string, { token }: Holder): void {
  const holder = read(path);
  if (typeof holder === 'object' && holder.token === token) rmSync(path, { force: true });
}

function read(path: string): Holder | 'missing' | 'garbage' {
  try {
    const { pid, started, token } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Holder>;
    return typeof pid === 'number' ? { pid, started: started ?? null, token: String(token) } : 'garbage';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'garbage';
  }
}

function isAlive({ pid, started }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const now = startOf(pid);
  return started === null || now === null || started === now;
}

/** Linux says it in ticks since the machine started, behind the name of the program, which may hold anything. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

function succeeds(action: () => void, expected: string): boolean {
  try {
    action();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === expected) return false;
    throw error;
  }
}
