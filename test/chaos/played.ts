import { generateScenario } from './generate.js';
import { generateHostile } from './hostile/generate.js';
import { judgeHostile } from './hostile/oracle/oracle.js';
import { playHostile } from './hostile/play.js';
import { hostileTraits } from './hostile/traits.js';
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

/** Even seeds are calls on which everything breaks, odd ones are attacked. */
function isHostile(seed: number): boolean {
  return seed % 2 !== 0;
}

export function scenarioOf(seed: number): object {
  return isHostile(seed) ? generateHostile(seed) : generateScenario(seed);
}

export function goesOverSockets(seed: number): boolean {
  return !isHostile(seed) && generateScenario(seed).sockets !== undefined;
}

/** Its CPU time counts, so that it is played alone. */
export function isHeavy(seed: number): boolean {
  return isHostile(seed) && generateHostile(seed).isHeavy;
}

export async function playSeed(seed: number): Promise<Played> {
  try {
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
