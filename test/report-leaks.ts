import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, vi } from 'vitest';

/** Resources that keep a Node process alive. vitest ends its workers anyway, so nobody would notice them. */
const WATCHED = new Set(['ProcessWrap', 'TCPServerWrap', 'TCPSocketWrap', 'Timeout', 'Immediate']);
/** vitest's own timers are short; so is the end of a process that was asked to stop. */
const GRACE_MS = 2_000;

// Files share a worker, and each runs this file anew: what an earlier file left is not counted again.
const before = open();
const env = { ...process.env };
const globals = globalsNow();

function open(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo())
    if (WATCHED.has(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** The kinds of which more are open than when the file began, each as often as it was added. */
function leftOpen(): readonly string[] {
  return [...open()].flatMap(([kind, count]) =>
    Array.from({ length: Math.max(0, count - (before.get(kind) ?? 0)) }, () => kind),
  );
}

/** What the next file of this worker would meet: the folder, and globals that tests like to replace. */
function globalsNow(): Readonly<Record<string, unknown>> {
  const { console: log, Date: date, fetch: request, Promise: promise, setTimeout: timer } = globalThis;
  return {
    'process.cwd()': process.cwd(),
    console: log,
    Date: date,
    fetch: request,
    Promise: promise,
    setTimeout: timer,
  };
}

/** Variables of the environment and globals that are not as they were. */
function leftChanged(): readonly string[] {
  const variables = Object.keys({ ...env, ...process.env }).filter((name) => env[name] !== process.env[name]);
  const now = globalsNow();
  return [...variables, ...Object.keys(now).filter((name) => globals[name] !== now[name])];
}

// Hooks of a setup file run last, after those of the test file.
afterAll(async () => {
  const deadline = Date.now() + GRACE_MS;
  while (leftOpen().length > 0 && Date.now() < deadline) await sleep(20, undefined, { ref: false });
  const left = leftOpen();
  if (left.length > 0) throw new Error(`The tests of this file left open: ${left.join(', ')}`);
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  const changed = leftChanged();
  if (changed.length > 0) throw new Error(`The tests of this file left changed: ${changed.join(', ')}`);
});
