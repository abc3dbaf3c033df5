// Loaded in front of a program: on SIGUSR2 it collects garbage and writes the bytes that are held then to a file.
import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

process.on('SIGUSR2', () => void measure());

async function measure() {
  // What finalizers let go of is collected the next time.
  for (let round = 0; round < 3; round += 1) {
    collect();
    await wait(20);
  }
  writeFileSync(process.env.HEAP_FILE, String(process.memoryUsage().heapUsed));
}
