import { afterAbort, announced, context, nothingLeft } from './after-abort.js';
import { type Checker, type Judged, judgedOf } from './checker.js';
import { outputs } from './outputs.js';
import { carriesOn, nothingElse, pairedInputs, sameForAllRounds } from './requests.js';
import { closing, howItEnds, neverTwice, nextRound } from './rounds.js';
import { sameParts } from './same-parts.js';
import { secrets } from './secrets.js';
import { plainMessages, rolesAndTypes } from './sent.js';
import { noSocketLeft, overSockets, sameContext, sentAgain, sentFields } from './sockets.js';
import { ends, endsAtOnce, streamShape, uniqueIds } from './stream-shape.js';
import { text } from './text.js';
import { noStrayRuns, ownership, shownTools, toolRuns } from './tool-runs.js';
import type { Observation } from '../observation.js';
import type { Scenario } from '../scenario.js';

/** What is wrong with a run, and which invariant of the design says so. */
export interface Finding {
  readonly invariant: string;
  readonly problem: string;
}

/** By invariant; I4 compares two runs and stands apart. */
const CHECKERS: readonly (readonly [invariant: string, checker: Checker])[] = [
  ['ends', ends],
  ['I1', streamShape],
  ['I2', text],
  ['I3', uniqueIds],
  ['I5', howItEnds],
  ['I6', endsAtOnce],
  ['I7', nextRound],
  ['I8', outputs],
  ['I8', toolRuns],
  ['I8', noStrayRuns],
  ['I8', pairedInputs],
  ['I9', ownership],
  ['I9', carriesOn],
  ['I10', sameForAllRounds],
  ['I11', closing],
  ['I12', afterAbort],
  ['I12', nothingLeft],
  ['I12', announced],
  ['I13', neverTwice],
  ['I18', secrets],
  ['I19', shownTools],
  ['I22', rolesAndTypes],
  ['W2', sameContext],
  ['W2', sentFields],
  ['W6', sentAgain],
  ['W7', overSockets],
  ['W9', noSocketLeft],
  ['text', plainMessages],
  ['context', context],
  ['script', nothingElse],
];

export function judge(scenario: Scenario, observation: Observation, again?: Observation): Finding[] {
  const judged = judgedOf(scenario, observation);
  const findings = CHECKERS.flatMap(([invariant, checker]) => told(invariant, checker(judged)));
  if (again === undefined) return findings;
  return [...findings, ...told('I4', sameParts(judged, again)), ...secondRun(scenario, again)];
}

function secondRun(scenario: Scenario, again: Observation): Finding[] {
  const judged: Judged = judgedOf(scenario, again);
  return CHECKERS.flatMap(([invariant, checker]) =>
    told(
      invariant,
      checker(judged).map((problem) => `cut otherwise: ${problem}`),
    ),
  );
}

function told(invariant: string, problems: readonly string[]): Finding[] {
  return problems.map((problem) => ({ invariant, problem }));
}
