// What really happened, beside what the loops say happened.
import { existsSync, readFileSync } from 'node:fs';
import { REQUESTS, RUNS, TOOLS } from './model.mjs';

export class Ledger {
  #file;

  constructor(file) {
    this.#file = file;
  }

  entries() {
    if (!existsSync(this.#file)) return [];
    const lines = readFileSync(this.#file, 'utf8').split('\n');
    return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  }

  /** How many runs of tools there were for loops of this name. */
  count(prefix) {
    return this.entries().filter(({ effect, loop }) => effect !== undefined && loop.startsWith(prefix)).length;
  }

  /** Holds loops against what they promised: counts for the table, and every promise that was broken, in words. */
  judge(loops, answers, asked) {
    const entries = this.entries();
    const sum = { finished: 0, runs: 0, second: 0, writes: 0, orphans: 0, requests: 0, unknown: 0, attempts: 0 };
    const broken = [];
    for (const loop of loops) {
      const one = judgeLoop(loop, answers.get(loop), entries, asked.get(loop) ?? 0, broken);
      for (const name of Object.keys(sum)) sum[name] += one[name];
    }
    const expected = { runs: RUNS * loops.length, requests: REQUESTS * loops.length };
    return { ...sum, loops: loops.length, expected, broken };
  }
}

function judgeLoop(loop, answer, entries, requests, broken) {
  const effects = entries.filter((entry) => entry.effect !== undefined && entry.loop === loop);
  const attempts = entries.filter((entry) => entry.attempt === loop).length;
  const calls = answer?.calls ?? [];
  const isFinished = answer?.text?.endsWith(`Loop ${loop} is done.`) === true && calls.length === RUNS;
  if (!isFinished) broken.push(`${loop} did not finish: ${JSON.stringify(answer)?.slice(0, 200)}`);
  const named = new Set(calls.map(({ callId }) => callId));
  const orphans = effects.filter(({ callId }) => !named.has(callId));
  for (const { effect, callId } of orphans)
    broken.push(`${loop}: ${effect} ran for ${callId}, which its history does not name`);
  const repeated = effects.filter(({ callId }, at) => effects.findIndex((other) => other.callId === callId) < at);
  const writes = repeated.filter(({ effect }) => TOOLS[effect] === 'writing');
  for (const { effect, callId } of writes) broken.push(`${loop}: ${effect} ran twice for ${callId}`);
  const unknown = calls.filter(({ said }) => said.includes('outcome of this call is unknown'));
  for (const { tool } of unknown) if (TOOLS[tool] !== 'writing') broken.push(`${loop}: ${tool} was not run again`);
  const extra = requests - REQUESTS;
  // An attempt that follows another one was cut, by a kill.
  if (extra > Math.max(0, attempts - 1)) broken.push(`${loop}: ${extra} repeated requests in ${attempts} attempts`);
  return {
    finished: isFinished ? 1 : 0,
    runs: effects.length,
    second: repeated.length,
    writes: writes.length,
    orphans: orphans.length,
    requests,
    unknown: unknown.length,
    attempts,
  };
}
