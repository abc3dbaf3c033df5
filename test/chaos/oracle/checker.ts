import type { LaneOutcome, ModelCall, Observation, Part } from '../observation.js';
import { type RoundView, viewRounds } from '../model/rounds.js';
import type { Lane, Scenario } from '../scenario.js';

/** A lane together with what was seen of it and what it should have been. */
export interface JudgedLane {
  readonly number: number;
  readonly lane: Lane;
  readonly outcome: LaneOutcome;
  readonly rounds: readonly RoundView[];
  /** Ended from outside: by the caller's abort or a reader that went away. */
  readonly isStopped: boolean;
}

export interface Judged {
  readonly scenario: Scenario;
  readonly observation: Observation;
  readonly lanes: readonly JudgedLane[];
}

/** Says what is wrong, if anything. */
export type Checker = (judged: Judged) => string[];

export function judgedOf(scenario: Scenario, observation: Observation): Judged {
  const lanes = scenario.lanes.flatMap((lane, number): JudgedLane[] => {
    const outcome = observation.lanes[number];
    if (outcome === undefined) return [];
    const rounds = viewRounds({ scenario, lane, outcome, lagMs: observation.lagMs });
    return [{ number, lane, outcome, rounds, isStopped: outcome.aborted || outcome.cancelled }];
  });
  return { scenario, observation, lanes };
}

export function eachLane(check: (lane: JudgedLane, judged: Judged) => string[]): Checker {
  return (judged) =>
    judged.lanes.flatMap((lane) => check(lane, judged).map((problem) => `lane ${lane.number}: ${problem}`));
}

export function eachCall(
  check: (call: ModelCall, lane: JudgedLane, judged: Judged, index: number) => string[],
): Checker {
  return eachLane((lane, judged) =>
    lane.outcome.calls.flatMap((call, index) =>
      check(call, lane, judged, index).map((problem) => `${call.method} ${index}: ${problem}`),
    ),
  );
}

export function partsOf<T extends Part['type']>(parts: readonly Part[], type: T): Extract<Part, { type: T }>[] {
  return parts.filter((part): part is Extract<Part, { type: T }> => part.type === type);
}

export function roundsOfCall({ rounds }: JudgedLane, call: number): RoundView[] {
  return rounds.filter((round) => round.modelCall === call);
}

/** Markers of the runs that belong to an exchange. */
export function runsOf(judged: Judged, round: RoundView): string[] {
  const markers = new Set(round.calls.map(({ call }) => call.marker));
  return judged.observation.runs.flatMap((run) => (markers.has(run.marker) ? [run.marker] : []));
}

/** How a model call ended, as far as it can be told apart. */
export function endOf(call: ModelCall): 'ok' | 'error' | 'reject' | 'stopped' {
  if (call.rejected !== undefined) return 'reject';
  if (call.method === 'doGenerate') return call.result === undefined ? 'stopped' : 'ok';
  if (partsOf(call.parts, 'finish').length === 0) return 'stopped';
  return partsOf(call.parts, 'error').length === 0 ? 'ok' : 'error';
}

export function finishReasonOf(call: ModelCall): string | undefined {
  return call.result?.finishReason ?? partsOf(call.parts, 'finish').at(-1)?.finishReason;
}
