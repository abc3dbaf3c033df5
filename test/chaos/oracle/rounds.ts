import { toolChoiceOf } from '../model/owner.js';
import { isClosing, isRepeated } from '../model/rounds.js';
import { type Checker, eachCall, eachLane, endOf, finishReasonOf, roundsOfCall, runsOf } from './checker.js';

/** I7: another round follows exactly when calls were answered by us and none waits for the client. */
export const nextRound: Checker = eachLane(({ rounds }) =>
  rounds.flatMap((round) => {
    const { followedBy, allowed, index } = round;
    if (followedBy === undefined || allowed.has(followedBy)) return [];
    return [`request ${index} was followed by a ${followedBy}, but only ${[...allowed].join(' or ')} is allowed`];
  }),
);

/** I5, I7: a call ends as its last answer says: never `stop` after a stream that broke. */
export const howItEnds: Checker = eachCall((call, lane, _judged, index) => {
  if (lane.isStopped) return [];
  const last = roundsOfCall(lane, index).at(-1);
  if (last === undefined) return ['never asked anything'];
  const end = endOf(call);
  const { allowed } = last;
  if (allowed.has(end as never)) return end === 'ok' ? wrongReason() : [];
  // Collected, an error part is a rejection.
  if (call.method === 'doGenerate' && end === 'reject' && allowed.has('error')) return [];
  return [`ended with ${end} after request ${last.index}, but only ${[...allowed].join(' or ')} is allowed`];

  function wrongReason(): string[] {
    const reason = finishReasonOf(call);
    const { folded, calls } = last ?? { folded: undefined, calls: [] };
    if (folded?.isUncertain === true) return reason === 'error' ? ['finished "error" without an error'] : [];
    const expected = expectedReason();
    return reason === expected ? [] : [`finished "${reason}" instead of "${expected}"`];

    function expectedReason(): string {
      if (folded?.outcome === 'incomplete') return 'length';
      if (calls.some(({ owner }) => owner === 'client')) return 'tool-calls';
      return calls.length > 0 ? 'other' : 'stop';
    }
  }
});

/** I11: at `maxRounds`, or once `maxToolCalls` tools have run, one closing request; its answer ends the call. */
export const closing: Checker = eachCall((call, lane, judged, index) => {
  const { maxRounds, maxToolCalls = Number.POSITIVE_INFINITY } = judged.scenario.settings;
  const problems: string[] = [];
  let ran = 0;
  let attempted = 0;
  for (const round of roundsOfCall(lane, index)) {
    const context = { scenario: judged.scenario, lane: lane.lane, outcome: lane.outcome, lagMs: 0 };
    const closes = isClosing(context, round.index);
    const must = round.round >= maxRounds || ran >= maxToolCalls;
    if (toolChoiceOf(lane.lane) !== 'none' && must && !closes)
      problems.push(`request ${round.index} had to be the closing one`);
    if (closes && !must && attempted < maxToolCalls) problems.push(`request ${round.index} closes too early`);
    if (round.round > maxRounds) problems.push(`request ${round.index} is round ${round.round + 1} of ${maxRounds}`);
    if (closes && runsOf(judged, round).length > 0) problems.push(`tools ran in the closing round ${round.index}`);
    if (isRepeated(round)) continue;
    ran += new Set(runsOf(judged, round)).size;
    attempted += round.calls.filter(({ owner }) => owner === 'loop').length;
  }
  if (ran > maxToolCalls) problems.push(`${ran} tools ran, but maxToolCalls is ${maxToolCalls}`);
  return [...problems, ...unsaid()];

  function unsaid(): string[] {
    const context = { scenario: judged.scenario, lane: lane.lane, outcome: lane.outcome, lagMs: 0 };
    const closed = roundsOfCall(lane, index).some((round) => isClosing(context, round.index));
    if (!closed || lane.isStopped || endOf(call) !== 'ok') return [];
    const said = JSON.stringify([call.result?.warnings, call.result?.providerMetadata, call.parts.at(-1)]);
    return said.includes('The call reached max') ? [] : ['nobody was told that the limit was reached'];
  }
});

/** I13: nothing is asked twice that has acted once, and no call that has acted can be repeated as a whole. */
export const neverTwice: Checker = eachLane((lane, judged) => [
  ...lane.rounds
    .filter((round) => isRepeated(round) && runsOf(judged, round).length > 0)
    .map((round) => `request ${round.index} was repeated after its tools had run`),
  ...lane.outcome.calls.flatMap((call, index) => {
    if (call.rejected === undefined || lane.isStopped) return [];
    const ran = roundsOfCall(lane, index).flatMap((round) => runsOf(judged, round));
    if (ran.length === 0) return [];
    if (call.method === 'doStream') return ['doStream rejected after a tool had run'];
    const error = call.rejected.error as { isRetryable?: unknown; completedCalls?: unknown };
    if (error.isRetryable !== false) return ['the error of a call whose tools have run may be retried'];
    return Array.isArray(error.completedCalls) && error.completedCalls.length > 0
      ? []
      : ['the error does not tell what ran'];
  }),
]);
