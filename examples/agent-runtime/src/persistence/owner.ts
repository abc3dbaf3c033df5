import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process is taken for dead if it has not said for so long that it lives. */
const STALE_MS = 20_000;

let count = 0;

/** A name that others can ask the machine about: `<pid>.<when it started>.<number>@<machine>`. */
export function newOwner(): string {
  count += 1;
  return `${process.pid}.${startOf(process.pid) ?? 'unknown'}.${count}@${machine()}`;
}

/** Whether the process that holds a session lives: asked where that can be known, else by its last sign of life. */
export function isAlive(owner: string | null, heartbeat: string | null, now = Date.now()): boolean {
  const [, pid, start, where] = /^(\d+)\.([^.@]*)\.\d+@(.*)$/s.exec(owner ?? '') ?? [];
  if (pid !== undefined && where === machine() && !runs(Number(pid), start)) return false;
  return heartbeat !== null && now - Date.parse(heartbeat) < STALE_MS;
}

function runs(pid: number, start: string | undefined): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  // Its number may have been given to another process since.
  return start === 'unknown' || start === startOf(pid);
}

/** When a process started, in ticks since the machine did; known on Linux only. One that only waits to be buried has none. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? 'ended' : fields[19];
  } catch {
    return undefined;
  }
}

let known: string | undefined;

/** Two containers may have one name and one folder, but their numbers of processes are not the same. */
function machine(): string {
  known ??= [hostname(), fact('/proc/sys/kernel/random/boot_id', readFileSync), fact('/proc/self/ns/pid', readlinkSync)]
    .filter((text) => text !== '')
    .join('/');
  return known;
}

function fact(path: string, read: (path: string, encoding: 'utf8') => string): string {
  try {
    return read(path, 'utf8').trim();
  } catch {
    return '';
  }
}
