import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { readAllFixtures } from '../helpers/fixtures.js';
import { AIMOCK_SCENARIOS } from './record/aimock-scenarios.js';
import { BY_HAND, LLAMA_SCENARIOS } from './record/llama-scenarios.js';
import { lastingParts, recordScenario } from './record/scenario.js';

const fixtures = await readAllFixtures();
const into = await mkdtemp(join(tmpdir(), 'fixtures-'));

afterAll(() => rm(into, { recursive: true }));

describe('recorded fixtures', () => {
  it('can all be recorded again, or it is said why not', () => {
    const scenarios = [...AIMOCK_SCENARIOS, ...LLAMA_SCENARIOS].map(({ name }) => name);
    const recorded = fixtures.filter(({ meta }) => meta.origin === 'recorded').map(({ meta }) => meta.name);
    expect([...scenarios, ...BY_HAND].toSorted()).toEqual(recorded.toSorted());
  });

  it.each(AIMOCK_SCENARIOS)('$name: aimock says the same today', async (scenario) => {
    const kept = fixtures.find(({ meta }) => meta.name === scenario.name);
    const recorded = await recordScenario(scenario, into);
    expect(lastingParts(recorded)).toEqual(lastingParts(kept));
    expect(recorded?.meta.source).toBe(kept?.meta.source);
    expect(recorded?.rounds.map(({ ending, kind, status }) => ({ ending, kind, status }))).toEqual(
      kept?.rounds.map(({ ending, kind, status }) => ({ ending, kind, status })),
    );
  });
});
