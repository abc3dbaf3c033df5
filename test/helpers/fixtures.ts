import { fileURLToPath } from 'node:url';

import { type Fixture, listFixtures, readFixture } from '../../src/testing.js';

/** Where the repository keeps its fixtures. */
export const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));

/** All of them, sorted by name. */
export async function readAllFixtures(): Promise<readonly Fixture[]> {
  return Promise.all((await listFixtures(FIXTURES)).map((directory) => readFixture(directory)));
}
