import type { Finding } from '../../oracle/oracle.js';
import type { HostileObservation } from '../observation.js';
import type { HostileScenario } from '../scenario.js';
import * as budget from './budget.js';
import type { HostileChecker } from './checker.js';
import { cpuTime, longStreams, partsOfInput } from './growth.js';
import { approvedRuns, checkedArguments, honestWorks, noLies, rolesAndTypes } from './history.js';
import { secretsElsewhere, secretsInEvents, secretsInLogs, secretsShown } from './leaks.js';
import { keepsProtection, saysNoMore } from './prose.js';
import { closes, itEnds, noPollution, properErrors, properStream } from './shape.js';
import { plainEvents, plainMessages, wellFormedBodies } from './text.js';

const CHECKERS: readonly (readonly [invariant: string, checker: HostileChecker])[] = [
  ['ends', itEnds],
  ['I1', properStream],
  ['I5', properErrors],
  ['I12', closes],
  ['I22', rolesAndTypes],
  ['I22', noLies],
  ['I22', approvedRuns],
  ['I22', honestWorks],
  ['I22', noPollution],
  ['I23', budget.requestsOfRound],
  ['I23', budget.callsOfRound],
  ['I23', budget.bytesRead],
  ['I23', budget.namesTheLimit],
  ['I23', budget.toolsOfServer],
  ['I23', budget.outputSize],
  ['I23', budget.goesOn],
  ['I23', checkedArguments],
  ['I24', cpuTime],
  ['I24', partsOfInput],
  ['I24', longStreams],
  ['I25', secretsShown],
  ['I25', secretsInEvents],
  ['I25', secretsInLogs],
  ['I25', secretsElsewhere],
  ['I26', keepsProtection],
  ['I26', saysNoMore],
  ['text', wellFormedBodies],
  ['text', plainMessages],
  ['text', plainEvents],
];

/** Two hundred calls at once all have the same to say. */
const MOST_PROBLEMS = 5;

export function judgeHostile(scenario: HostileScenario, observation: HostileObservation): Finding[] {
  return CHECKERS.flatMap(([invariant, checker]) =>
    checker({ scenario, observation })
      .slice(0, MOST_PROBLEMS)
      .map((problem) => ({ invariant, problem })),
  );
}
