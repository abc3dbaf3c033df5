import type { JsonObject } from '../../../../src/core/json.js';
import { isError } from '../answers.js';
import type { HostileScenario } from '../scenario.js';
import type { HostileChecker } from './checker.js';

/** Fields that protect the user are kept, whatever a server says. */
const PROTECTED = ['store', 'safety_identifier', 'moderation'];

/** I26: what protects is in every request. */
export const keepsProtection: HostileChecker = ({ observation: { posts } }) => {
  const [first] = posts;
  return posts.flatMap(({ body }, at) =>
    PROTECTED.filter((name) => JSON.stringify(body[name]) !== JSON.stringify(first?.body[name])).map(
      (name) => `request ${at} has another ${name} than the first: ${JSON.stringify(body[name])}`,
    ),
  );
};

/** I26: an error in prose changes nothing of what later calls send. */
export const saysNoMore: HostileChecker = ({ scenario, observation: { probe } }) => {
  if (probe === undefined) return [];
  const names = isProse(scenario) ? membersOf(probe) : PROTECTED;
  return names
    .filter((name) => JSON.stringify(probe.after?.[name]) !== JSON.stringify(probe.fresh?.[name]))
    .map((name) => `a later call sends another ${name}: ${JSON.stringify(probe.after?.[name])?.slice(0, 200)}`);
};

function isProse({ answers }: HostileScenario): boolean {
  return answers.filter(isError).every(({ code, param }) => code === undefined && param === undefined);
}

function membersOf(probe: {
  readonly after: JsonObject | undefined;
  readonly fresh: JsonObject | undefined;
}): string[] {
  return [...new Set([...Object.keys(probe.after ?? {}), ...Object.keys(probe.fresh ?? {})])];
}
