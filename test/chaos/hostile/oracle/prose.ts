import type { JsonObject } from '../../../../src/core/json.js';
import { isError } from '../answers.js';
import type { HostileScenario } from '../scenario.js';
import type { HostileChecker } from './checker.js';

/** Fields that protect the user are kept, whatever a server says in words. */
const PROTECTED = ['store', 'safety_identifier', 'moderation'];

/** I26: what protects is in every request, unless a server refuses it by name. */
export const keepsProtection: HostileChecker = ({ scenario, observation: { posts } }) => {
  const [first] = posts;
  return posts.flatMap(({ body }, at) =>
    protectedIn(scenario)
      .filter((name) => !isSame(body, first?.body, name))
      .map((name) => `request ${at} has another ${name} than the first: ${JSON.stringify(body[name])}`),
  );
};

/** I26: an error in prose changes nothing of what later calls send. */
export const saysNoMore: HostileChecker = ({ scenario, observation: { probe } }) => {
  if (probe === undefined) return [];
  const { after, fresh } = probe;
  const all = [...new Set([...Object.keys(after ?? {}), ...Object.keys(fresh ?? {})])];
  const names = isProse(scenario) ? all : protectedIn(scenario);
  return names
    .filter((name) => !isSame(after, fresh, name))
    .map((name) => `a later call sends another ${name}: ${JSON.stringify(after?.[name])?.slice(0, 200)}`);
};

function isProse({ answers }: HostileScenario): boolean {
  return answers.filter(isError).every(({ code, param }) => code === undefined && param === undefined);
}

/** Those that no error names in a field of its own. */
function protectedIn({ answers }: HostileScenario): string[] {
  const named = answers.filter(isError).map(({ param }) => param);
  return PROTECTED.filter((name) => !named.includes(name));
}

function isSame(one: JsonObject | undefined, other: JsonObject | undefined, name: string): boolean {
  return JSON.stringify(one?.[name]) === JSON.stringify(other?.[name]);
}
