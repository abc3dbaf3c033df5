import { type ScriptedFetch, scriptedFetch, type ScriptedStep } from '../../../src/testing.js';
import { FAMILIES } from '../families.js';
import { type Family, madeTool } from '../families/family.js';
import { type Answer, says, stepOf } from '../families/written.js';
import type { Scenario } from './scenario.js';

/** What the server says when it is asked more than the family says. */
const MORE: Answer = { id: 'resp_more', output: [says('More.')] };

/** Answers whatever is asked for in the form it is asked for. */
const step =
  (answer: Answer): ScriptedStep =>
  (request) =>
    stepOf(answer, request.body['stream'] === true);

function answering({ answers, approved }: Family): ScriptedFetch {
  const all = approved === undefined ? answers : [...answers, approved.answer];
  return scriptedFetch(all.map(step), { otherwise: step(MORE) });
}

/** The families, as calls. */
export const FROM_FAMILIES: readonly Scenario[] = FAMILIES.map(scenarioOf);

/** A family as a call; the SDK runs what belongs to the client. */
export function scenarioOf(family: Family): Scenario {
  return {
    name: `family/${family.name}`,
    tools: family.functions ?? [],
    hosted: Object.fromEntries(
      Object.entries(family.hosted ?? {}).map(([name, tool]) => [name, (make) => madeTool(tool, make)]),
    ),
    options: { openai: { store: false, ...family.options } },
    ...(family.call !== undefined && { call: family.call }),
    // One more than there are: a call that should not be made shows.
    rounds: family.answers.length + 1,
    only: ([2, 3, 4] as const).filter((major) => major >= (family.since ?? 2) && major <= (family.until ?? 4)),
    answer: () => answering(family),
    next: family.approved === undefined ? 'asks' : family.approved.decision ? 'approves' : 'denies',
  };
}
