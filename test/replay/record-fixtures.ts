/**
 * Records fixtures anew from the servers that run here: `npm run fixtures:record -- [--into directory] [name…]`. aimock is
 * started for it; llama.cpp is asked where RESPONSES_LOOP_LLAMA_URL and RESPONSES_LOOP_LLAMA_THINK_URL name servers. Says
 * which fixtures have other parts than before: read those before you keep them.
 */
import { isDeepStrictEqual, parseArgs } from 'node:util';

import type { Fixture } from '../../src/testing.js';
import { FIXTURES, readAllFixtures } from '../helpers/fixtures.js';
import { AIMOCK_SCENARIOS } from './record/aimock-scenarios.js';
import { LLAMA_SCENARIOS } from './record/llama-scenarios.js';
import { lastingParts, recordScenario } from './record/scenario.js';

const { values, positionals: names } = parseArgs({ options: { into: { type: 'string' } }, allowPositionals: true });
const scenarios = [...AIMOCK_SCENARIOS, ...LLAMA_SCENARIOS];
const unknown = names.filter((name) => !scenarios.some((scenario) => scenario.name === name));
if (unknown.length > 0) throw new Error(`No such scenario: ${unknown.join(', ')}`);

const before = await readAllFixtures();
for (const scenario of scenarios) {
  if (names.length > 0 && !names.includes(scenario.name)) continue;
  const recorded = await recordScenario(scenario, values.into ?? FIXTURES);
  const old = before.find(({ meta }) => meta.name === scenario.name);
  console.log(`${scenario.name}: ${outcomeOf(old, recorded)}`);
}

function outcomeOf(old: Fixture | undefined, recorded: Fixture | undefined): string {
  if (recorded === undefined) return 'skipped, no server';
  return isDeepStrictEqual(lastingParts(recorded), lastingParts(old)) ? 'the same parts' : 'OTHER PARTS';
}
