import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll } from 'vitest';

/** What keeps a Node process alive. vitest ends its workers whatever is left, so nobody would notice. */
const WATCHED = ['ProcessWrap', 'TCPServerWrap', 'TCPSocketWrap', 'Timeout', 'Immediate'];
/** vitest's own timers are short; so is the end of a process that was asked to go. */
const GRACE_MS = 2_000;

function leftOpen(): readonly string[] {
  return process.getActiveResourcesInfo().filter((kind) => WATCHED.includes(kind));
}

// Each file has a worker of its own, and hooks of a setup file run last, after those of the test file.
afterAll(async () => {
  const deadline = Date.now() + GRACE_MS;
  while (leftOpen().length > 0 && Date.now() < deadline) await sleep(20, undefined, { ref: false });
  if (leftOpen().length > 0) throw new Error(`The tests of this file left open: ${leftOpen().join(', ')}`);
});
