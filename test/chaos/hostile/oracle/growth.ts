import type { HostileScenario } from '../scenario.js';
import type { Attacked, HostileChecker } from './checker.js';

/** Generous: a slow machine, a first compilation. What grows with the square of ten thousand is far above. */
const BASE_MS = 800;
const PER_THING_MS = 0.03;
/** A call is run, shown and sent again with its output. */
const PER_CALL_MS = 0.3;
const PER_MB_MS = 300;

/** I24, a smoke alarm: CPU time by what there was to look at. */
export const cpuTime: HostileChecker = ({ scenario, observation }) => {
  if (!scenario.isHeavy) return [];
  const { posts, units, cpuMs } = observation;
  const bytes = posts.reduce((sum, { text, meter }) => sum + text.length + meter.taken, 0);
  const things = units + (scenario.crowd?.count ?? 0) + scenario.tools;
  const most = BASE_MS + things * (hasCalls(scenario) ? PER_CALL_MS : PER_THING_MS) + (bytes / 1e6) * PER_MB_MS;
  return cpuMs <= most
    ? []
    : [`${cpuMs.toFixed(0)} ms of CPU, more than ${most.toFixed(0)} for ${things} things and ${bytes} bytes`];
};

function hasCalls({ answers, crowd }: HostileScenario): boolean {
  const [answer] = answers;
  const flood = answer?.kind === 'flood' ? answer.of : '';
  return flood.startsWith('calls-') || flood === 'same-ids' || crowd !== undefined;
}

/** I24: parts and events are no more than what there was to say. */
export const partsOfInput: HostileChecker = ({ scenario, observation }) => {
  const { units, outcomes, events, posts } = observation;
  const said = posts.reduce((sum, { answer }) => sum + (answer?.kind === 'says' ? 10 + answer.calls.length : 1), 0);
  const history = scenario.crowd?.count ?? 0;
  const most = 200 + 8 * (units + said + history);
  const parts = outcomes.reduce((sum, outcome) => sum + outcome.parts.length, 0);
  return [
    ...(parts > most ? [`${parts} parts for ${units + said} things`] : []),
    ...(events.length > 2 * most ? [`${events.length} events for ${units + said} things`] : []),
  ];
};

/** A good stream of any length is read to its end. */
export const longStreams: HostileChecker = ({ scenario, observation }: Attacked) => {
  const [answer] = scenario.answers;
  if (answer?.kind !== 'flood' || answer.of !== 'deltas') return [];
  const [outcome] = observation.outcomes;
  const text =
    outcome?.parts.reduce((sum, part) => sum + (part.type.endsWith('-delta') ? String(part['delta']) : ''), '') ?? '';
  const generated = JSON.stringify(outcome?.result?.['content'] ?? '');
  const length =
    outcome?.result === undefined
      ? text.length
      : [...generated.matchAll(/w{2,}/g)].reduce((sum, [run]) => sum + run.length, 0);
  return length === answer.count ? [] : [`${length} of ${answer.count} characters came through`];
};
