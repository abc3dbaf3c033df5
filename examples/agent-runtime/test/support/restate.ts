import { type RestateOfInstances, startRestate } from '../../../fleet/restate.js';

/** The server, or `undefined` and a word about it. */
export async function restateForTests(
  folder: string,
  settings?: Readonly<Record<string, string>>,
): Promise<RestateOfInstances | undefined> {
  const restate = await startRestate(folder, settings);
  if (!('skipped' in restate)) return restate;
  console.warn(`Tests with Restate are left out: ${restate.skipped}.`);
  return undefined;
}
