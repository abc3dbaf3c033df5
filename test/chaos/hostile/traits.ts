import type { HostileObservation } from './observation.js';
import type { Answer, HostileScenario } from './scenario.js';

/** What was there to be seen of an attack, for the tally. */
export function hostileTraits(scenario: HostileScenario, { posts, outcomes, runs }: HostileObservation): string[] {
  const { attack, version, crowd, mcp, replay, settings } = scenario;
  const answers = posts.flatMap(({ answer }) => answer ?? []);
  return [
    `attack-${attack}`,
    `attack-${version}`,
    ...(settings.secret === undefined ? [] : ['attack-secret']),
    ...(settings.carrier === 'none' ? ['attack-no-carrier'] : []),
    ...(crowd === undefined ? [] : [`crowd-${crowd.of}`]),
    ...(mcp === undefined ? [] : mcp.stdio ? [`stdio-${mcp.stdio}`] : [`list-${mcp.list}`, `call-${mcp.call}`]),
    ...(replay === undefined ? [] : [`tamper-${replay.tamper}`]),
    ...answers.map(traitOf),
    ...(runs.some(({ tool }) => tool === 'pay') ? ['attack-paid'] : []),
    ...(outcomes.some(({ error }) => error !== undefined) ? ['attack-error'] : []),
  ];
}

function traitOf(answer: Answer): string {
  if (answer.kind === 'flood') return `flood-${answer.of}`;
  if (answer.kind === 'endless') return `endless-${answer.of}`;
  return answer.kind === 'error' ? `error-${answer.shape}-${answer.echo}` : `says-${answer.status}`;
}
