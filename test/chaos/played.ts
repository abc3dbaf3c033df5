import { generateScenario } from './generate.js';
import { generateHostile } from './hostile/generate.js';
import { judgeHostile } from './hostile/oracle/oracle.js';
import { playHostile } from './hostile/play.js';
import { hostileTraits } from './hostile/traits.js';
import { judgeLongRun, longRunTraits } from './long-runs/judge.js';
import { playLongRun } from './long-runs/play.js';
import { generateLongRun } from './long-runs/scenario.js';
import { type Finding, judge } from './oracle/oracle.js';
import { play } from './play.js';
import { traitsOf } from './tally.js';

/** A seed that was played: what it meant, what is wrong, and what was to be seen. */
export interface Played {
  /** Plain data. */
  readonly scenario: object;
  readonly findings: readonly Finding[];
  readonly wasSlow: boolean;
  readonly traits: readonly string[];
}

/** Odd seeds are attacked; of the even ones, on which everything breaks, one in five is a long run. */
function isHostile(seed: number): boolean {
  return seed % 2 !== 0;
}

function isLongRun(seed: number): boolean {
  return seed % 10 === 4;
}

export function scenarioOf(seed: number): object {
  if (isLongRun(seed)) return generateLongRun(seed);
  return isHostile(seed) ? generateHostile(seed) : generateScenario(seed);
}

export function goesOverSockets(seed: number): boolean {
  return !isHostile(seed) && !isLongRun(seed) && generateScenario(seed).sockets !== undefined;
}

/** Its CPU time counts, so that it is played alone. */
export function isHeavy(seed: number): boolean {
  return isHostile(seed) && generateHostile(seed).isHeavy;
}

export async function playSeed(seed: number): Promise<Played> {
  try {
    if (isLongRun(seed)) return await playTurns(seed);
    return await (isHostile(seed) ? playAttack(seed) : playCall(seed));
  } catch (error) {
    const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { scenario: scenarioOf(seed), findings: [{ invariant: 'play', problem }], wasSlow: false, traits: [] };
  }
}

async function playCall(seed: number): Promise<Played> {
  const scenario = generateScenario(seed);
  const observation = await play(scenario);
  const again = scenario.replay ? await play(scenario, { recut: true }) : undefined;
  return {
    scenario,
    findings: judge(scenario, observation, again),
    wasSlow: observation.wasSlow || again?.wasSlow === true,
    traits: traitsOf(scenario, observation),
  };
}

async function playTurns(seed: number): Promise<Played> {
  const scenario = generateLongRun(seed);
  const observation = await playLongRun(scenario);
  return {
    scenario,
    findings: judgeLongRun(scenario, observation),
    wasSlow: false,
    traits: longRunTraits(scenario, observation),
  };
}

async function playAttack(seed: number): Promise<Played> {
  const scenario = generateHostile(seed);
  const observation = await playHostile(scenario);
  return {
    scenario,
    findings: judgeHostile(scenario, observation),
    wasSlow: false,
    traits: hostileTraits(scenario, observation),
  };
}
