import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Processes that were started in a folder. */
export function livingIn(folder: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      const state = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0];
      return (
        /^\d+$/.test(pid) && state !== 'Z' && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`PWD=${folder}\0`)
      );
    } catch {
      return false;
    }
  });
}

/** Polls for a condition. */
export async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 15_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('It did not come to that.');
    await sleep(50);
  }
}
