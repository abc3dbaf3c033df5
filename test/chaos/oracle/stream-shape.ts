import { brokenRules } from '../../acceptance/support/parts.js';
import type { LogEntry } from '../log.js';
import { type Checker, eachCall, eachLane, partsOf } from './checker.js';

const OF_AN_OPEN_END = /^(does not end with finish|not one finish)$|left open$/;

/** I1: one `stream-start` first, one `finish` last, everything opened is closed, and the stream itself never fails. */
export const streamShape: Checker = eachCall((call, { outcome }) => {
  const problems = call.broke === undefined ? [] : [`the stream itself failed: ${String(call.broke.error)}`];
  if (call.method === 'doGenerate' || call.rejected !== undefined) return problems;
  const broken = brokenRules(call.parts);
  // An abort just ends the stream, wherever it is.
  const hasFinish = call.parts.at(-1)?.type === 'finish';
  const forgiven = (outcome.aborted || outcome.cancelled) && !hasFinish;
  const counts = forgiven ? broken.filter((problem) => !OF_AN_OPEN_END.test(problem)) : broken;
  if (forgiven && call.parts.length === 0) return problems;
  const errors = partsOf(call.parts, 'error').length;
  const reason = partsOf(call.parts, 'finish').at(-1)?.finishReason;
  if (errors > 1) problems.push(`${errors} error parts`);
  if (hasFinish && (errors === 1) !== (reason === 'error'))
    problems.push(`${errors} error parts, but finished "${reason}"`);
  return [...problems, ...counts];
});

/** Everything ends within a bound. */
export const ends: Checker = eachLane(({ outcome, number }, { observation }) => [
  ...(outcome.ended ? [] : [`did not end; the last that happened: ${lastOf(observation.log, number)}`]),
  ...outcome.calls.filter((call) => !call.ended).map((call) => `a ${call.method} never ended`),
]);

/** I3: ids of parts and of calls are unique over the rounds of a call and the steps of a conversation. */
export const uniqueIds: Checker = eachLane(({ outcome }) => {
  const parts = outcome.calls.flatMap((call) => call.parts);
  const starts = parts.flatMap((part) =>
    part.type === 'text-start' || part.type === 'reasoning-start' ? [`part ${part.id}`] : [],
  );
  const calls = [
    ...partsOf(parts, 'tool-call').map((part) => part.toolCallId),
    ...outcome.calls
      .flatMap((call) => call.result?.content ?? [])
      .flatMap((item) => (item.type === 'tool-call' ? [item.toolCallId] : [])),
  ].map((id) => `call ${id}`);
  return twice([...starts, ...calls]).map((id) => `${id} comes twice`);
});

/** I6: a terminal event ends the round at once, even on a connection that stays open and silent for ever. */
export const endsAtOnce: Checker = eachLane(({ outcome, rounds }) => {
  const last = rounds.at(-1)?.exchange;
  const staysOpen =
    last?.kind === 'answer' && last.form === 'sse' && last.ending === 'stall' && last.stopAfter === undefined;
  return staysOpen && !outcome.ended ? ['somebody waits for the connection to close'] : [];
});

function lastOf(log: readonly LogEntry[], lane: number): string {
  const own = log.filter((entry) => entry.lane === lane);
  return own
    .slice(-8)
    .map(({ what, detail }) => `${what} ${detail}`.trim())
    .join(', ');
}

function twice(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))];
}
