import { setTimeout as sleep } from 'node:timers/promises';

import type { Finding } from './oracle/oracle.js';
import { play } from './play.js';
import { goesOverSockets, isHeavy, type Played, playSeed, scenarioOf } from './played.js';
import { addCount, addTraits, createTally, type Tally } from './tally.js';
import { WARM_UP } from './warm-up.js';

export interface Failure {
  readonly seed: number;
  readonly scenario: object;
  readonly findings: readonly Finding[];
  /** It failed again when it was played alone. */
  readonly failsAlone: boolean;
}

export interface Campaign {
  readonly failures: readonly Failure[];
  readonly tally: Tally;
}

export interface CampaignOptions {
  readonly seed: number;
  readonly runs: number;
  /** Of these seeds only those whose calls travel over sockets. */
  readonly onlySockets?: boolean;
  /** Scenarios at a time. */
  readonly width?: number;
  /** Runs after which everything has to be quiet once. */
  readonly batch?: number;
  readonly onFailure?: (failure: Failure) => void;
  readonly onBatch?: (done: number) => void;
  /** Stop after so many failures. */
  readonly maxFailures?: number;
}

const BATCH = 250;
const QUIET_MS = 3_000;
/** What keeps a Node process alive. */
const HANDLES: readonly string[] = ['ProcessWrap', 'TCPServerWrap', 'TCPSocketWrap', 'Timeout', 'Immediate'];

/** Plays scenarios with the seeds `seed`, `seed + 1`, … and judges each. */
export async function runMany(options: CampaignOptions): Promise<Campaign> {
  const { seed, runs, width = 16, batch = BATCH, maxFailures = Number.POSITIVE_INFINITY } = options;
  const failures: Failure[] = [];
  const tally = createTally();
  // Whatever is loaded and compiled at first use is no part of a scenario's time.
  await play(WARM_UP);
  const stray: unknown[] = [];
  const onStray = (error: unknown): void => void stray.push(error);
  process.on('unhandledRejection', onStray);
  process.on('uncaughtException', onStray);
  try {
    for (let from = 0; from < runs && failures.length < maxFailures; from += batch) {
      const all = Array.from({ length: Math.min(batch, runs - from) }, (_, at) => seed + from + at);
      const seeds = options.onlySockets === true ? all.filter(goesOverSockets) : all;
      const idle = handles();
      const found = await runBatch(seeds, width, tally);
      const strayOfBatch = stray.splice(0);
      for (const one of found.slice(0, maxFailures)) {
        const failure = await confirm(one);
        // The machine stood still, and a time limit with it: only what fails again counts.
        if (one.wasSlow && !failure.failsAlone) addCount(tally, 'set aside');
        else report(failure);
      }
      const left = await leftOpen(idle);
      if (left.length > 0 || strayOfBatch.length > 0) report(await blame(seeds, left, strayOfBatch, stray));
      options.onBatch?.(from + all.length);
    }
  } finally {
    process.off('unhandledRejection', onStray);
    process.off('uncaughtException', onStray);
  }
  return { failures, tally };

  function report(failure: Failure): void {
    failures.push(failure);
    options.onFailure?.(failure);
  }
}

type Found = Omit<Failure, 'failsAlone'> & Pick<Played, 'wasSlow'>;

async function runBatch(seeds: readonly number[], width: number, tally: Tally): Promise<Found[]> {
  const heavy = seeds.filter(isHeavy);
  const waiting = seeds.filter((seed) => !heavy.includes(seed)).values();
  const found: Found[] = [];
  const one = async (seed: number): Promise<void> => {
    const { scenario, findings, wasSlow, traits } = await playSeed(seed);
    addTraits(tally, wasSlow ? [...traits, 'slow machine'] : traits);
    if (findings.length > 0) found.push({ seed, scenario, findings, wasSlow });
  };
  const worker = async (): Promise<void> => {
    for (const seed of waiting) await one(seed);
  };
  await Promise.all(Array.from({ length: width }, worker));
  for (const seed of heavy) await one(seed);
  return found.toSorted((a, b) => a.seed - b.seed);
}

/** A failure that does not come again alone is one all the same, but a hint that time had a hand in it. */
async function confirm({ seed, scenario, findings }: Found): Promise<Failure> {
  for (let attempt = 1; ; attempt += 1) {
    const again = await playSeed(seed);
    // A machine that stood still says nothing; asked three times, it has to do.
    if (attempt === 3 || !again.wasSlow || again.findings.length === 0)
      return { seed, scenario, findings, failsAlone: again.findings.length > 0 };
  }
}

function handles(): string[] {
  return process.getActiveResourcesInfo().filter((kind) => HANDLES.includes(kind));
}

/** Handles that were not there before and do not go away. */
async function leftOpen(before: readonly string[]): Promise<string[]> {
  const deadline = Date.now() + QUIET_MS;
  for (;;) {
    const left = handles();
    for (const kind of before) if (left.includes(kind)) left.splice(left.indexOf(kind), 1);
    if (left.length === 0 || Date.now() > deadline) return left;
    await sleep(10);
  }
}

/** Finds whose handle or stray error it is by playing the scenarios of the batch alone. */
async function blame(
  seeds: readonly number[],
  left: readonly string[],
  stray: readonly unknown[],
  straysNow: unknown[],
): Promise<Failure> {
  const problem = [
    ...left.map((kind) => `left open: ${kind}`),
    ...stray.map((error) => `nobody handled ${describe(error)}`),
  ].join('; ');
  const finding = { invariant: left.length > 0 ? 'I12' : 'unhandled', problem };
  for (const seed of seeds) {
    const idle = handles();
    const { scenario } = await playSeed(seed);
    await sleep(5);
    const strays = straysNow.splice(0).length;
    if (strays > 0 || (left.length > 0 && (await leftOpen(idle)).length > 0))
      return { seed, scenario, findings: [finding], failsAlone: true };
  }
  const seed = seeds[0] ?? 0;
  return {
    seed,
    scenario: scenarioOf(seed),
    findings: [{ ...finding, problem: `in a batch of ${seeds.length}: ${problem}` }],
    failsAlone: false,
  };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
