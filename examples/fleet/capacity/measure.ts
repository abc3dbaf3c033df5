import { setTimeout as sleep } from 'node:timers/promises';
import type { Instance } from '../instance.js';
import type { Candidate } from './candidates.js';
import type { DatabaseCost, DatabaseMeter } from './database-cost.js';
import { costOfProcess } from './process-cost.js';

export interface Level {
  /** How many turns run at the same time. */
  readonly atOnce: number;
  /** Half of the turns took at most so long, in seconds. */
  readonly median: number;
  readonly longest: number;
  /** Of the server, for each turn. */
  readonly cpuMs: number;
  /** Of one core. */
  readonly cpuPercent: number;
  readonly memoryMb: number;
  readonly isWhole: boolean;
}

export interface Measured {
  readonly levels: readonly Level[];
  /** Before the first turn, and after the last one. */
  readonly memoryMb: readonly [before: number, after: number];
  readonly turns: number;
  /** For each turn; of one that nobody asks for anything, for each second. */
  readonly database?: { readonly turn: DatabaseCost; readonly idle: DatabaseCost } | undefined;
}

export interface MeasureOptions {
  readonly candidate: Candidate;
  readonly instance: Instance;
  readonly meter?: DatabaseMeter | undefined;
  readonly levels: readonly number[];
  readonly idleMs: number;
}

const WARM_UP = 5;
/** Connections of Postgres that are idle report within ten seconds what they did. */
const REPORTED_MS = 11_000;

export async function measure({ candidate, instance, meter, levels, idleMs }: MeasureOptions): Promise<Measured> {
  const pid = instance.child.pid ?? 0;
  await takeMany(candidate, instance, WARM_UP);
  await sleep(REPORTED_MS);
  const idle = meter && (await costOver(meter, idleMs / 1000, () => sleep(idleMs)));
  const before = costOfProcess(pid).memoryMb;
  const found: Level[] = [];
  const turns = levels.reduce((sum, level) => sum + level, 0);
  const run = async (): Promise<void> => {
    for (const level of levels) found.push(await levelOf(candidate, instance, level));
    // What is written behind the end of a turn belongs to it.
    await sleep(REPORTED_MS);
  };
  const began = performance.now();
  let turn: DatabaseCost | undefined;
  if (meter === undefined) await run();
  else turn = await costOver(meter, turns, run);
  const seconds = (performance.now() - began) / 1000;
  const after = costOfProcess(pid).memoryMb;
  const database = turn && idle && { turn: without(turn, idle, seconds / turns), idle };
  return { levels: found, memoryMb: [before, after], turns, database };
}

async function levelOf(candidate: Candidate, instance: Instance, atOnce: number): Promise<Level> {
  const pid = instance.child.pid ?? 0;
  const before = costOfProcess(pid);
  let memoryMb = before.memoryMb;
  const watch = setInterval(() => (memoryMb = Math.max(memoryMb, costOfProcess(pid).memoryMb)), 250);
  const began = performance.now();
  const taken = await takeMany(candidate, instance, atOnce);
  const elapsedMs = performance.now() - began;
  clearInterval(watch);
  const cpuMs = costOfProcess(pid).cpuMs - before.cpuMs;
  const seconds = taken.map((one) => one.seconds).toSorted((one, other) => one - other);
  return {
    ...{ atOnce, memoryMb, cpuMs: cpuMs / atOnce, cpuPercent: (cpuMs / elapsedMs) * 100 },
    ...{ median: seconds[Math.floor(atOnce / 2)] ?? 0, longest: seconds.at(-1) ?? 0 },
    isWhole: taken.every((one) => one.isWhole),
  };
}

let names = 0;

function takeMany(candidate: Candidate, { url }: Instance, count: number) {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const name = `n${(names += 1)}`;
      const began = performance.now();
      const text = await candidate.take(url, `Turn ${name} look`);
      return { seconds: (performance.now() - began) / 1000, isWhole: text.endsWith(`Turn ${name} is done.`) };
    }),
  );
}

async function costOver(meter: DatabaseMeter, units: number, work: () => Promise<unknown>): Promise<DatabaseCost> {
  const before = await meter.read();
  await work();
  const after = await meter.read();
  return mapped(after, (value, name) => (value - before[name]) / units);
}

/** What the instance does anyway is no part of a turn, but for what stays. */
function without(turn: DatabaseCost, idle: DatabaseCost, secondsPerTurn: number): DatabaseCost {
  return mapped(turn, (value, name) => Math.max(0, value - idle[name] * secondsPerTurn));
}

function mapped(cost: DatabaseCost, change: (value: number, name: keyof DatabaseCost) => number): DatabaseCost {
  const entries = Object.entries(cost) as [keyof DatabaseCost, number][];
  return Object.fromEntries(entries.map(([name, value]) => [name, change(value, name)])) as unknown as DatabaseCost;
}
