import { brokenRules } from '../../../acceptance/support/parts.js';
import type { HostileScenario } from '../scenario.js';
import { eachOutcome, type HostileChecker, messageOf } from './checker.js';

/** Every call ends within a bound. */
export const itEnds: HostileChecker = eachOutcome(({ ended }) => (ended ? [] : ['did not end']));

/** I1: a stream is what a stream has to be, whatever came in. */
export const properStream: HostileChecker = eachOutcome(({ parts, broke }, { scenario }) => {
  if (broke !== undefined) return [`the stream itself failed: ${messageOf(broke)}`];
  if (parts.length === 0) return [];
  // Ten thousand calls are looked at by those who count.
  if (scenario.isHeavy) return [];
  // What was approved runs first, and its call is in the history.
  const isPosted = (callId = ''): boolean => scenario.replay !== undefined || callIdsIn(scenario.posted).has(callId);
  return brokenRules(parts).filter((problem) => !isPosted(/^result of (.*), which was not called$/.exec(problem)?.[1]));
});

function callIdsIn(posted: HostileScenario['posted']): ReadonlySet<string | undefined> {
  return new Set(Array.from(JSON.stringify(posted).matchAll(/"toolCallId":"([^"]*)"/g), ([, callId]) => callId));
}

/** I5: an error is an error of ours, not one of the language. */
export const properErrors: HostileChecker = eachOutcome(({ error }) => {
  const isBare = error instanceof RangeError || error instanceof SyntaxError || error instanceof TypeError;
  return isBare || /Maximum call stack|Invalid string length/.test(messageOf(error ?? ''))
    ? [`failed with ${String(error).slice(0, 200)}`]
    : [];
});

/** No JSON from outside changes what all objects have. */
export const noPollution: HostileChecker = ({ observation }) =>
  observation.isPolluted ? ['all objects are changed'] : [];

export const closes: HostileChecker = ({ observation }) =>
  observation.closedInTime ? [] : ['close() did not come back'];
