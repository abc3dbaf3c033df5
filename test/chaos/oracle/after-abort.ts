import type { LogEntry } from '../log.js';
import { losesMcp, isMcp } from '../model/owner.js';
import type { ToolName } from '../scenario.js';
import { type Checker, eachLane, endOf, type Judged, type JudgedLane, partsOf } from './checker.js';

const BEGINNINGS: ReadonlySet<LogEntry['what']> = new Set(['asked', 'tool', 'tool-start']);

/** I12: after an abort nothing is asked and nothing begun; whatever still runs is told; the call just ends. */
export const afterAbort: Checker = eachLane((lane, judged) => {
  if (!lane.isStopped) return [];
  return [...begunLater(lane, judged), ...wrongEnd(lane)];
});

function begunLater({ number, outcome }: JudgedLane, { observation }: Judged): string[] {
  const stop = observation.log.find(
    ({ lane, what }) => lane === number && (what === 'aborted' || what === 'cancelled'),
  );
  if (stop === undefined) return [];
  const later = observation.log.filter(({ at, lane, what }) => lane === number && at > stop.at && BEGINNINGS.has(what));
  // What is on its way to an MCP server when the caller aborts arrives there all the same.
  const begun = later.filter(({ what, detail }) => what !== 'tool' || !isOnItsWay(detail));
  return begun.map(({ what, detail }) => `${what} ${detail} after the ${outcome.cancelled ? 'reader left' : 'abort'}`);

  function isOnItsWay(marker: string): boolean {
    return observation.runs.some((run) => run.marker === marker && isMcp(run.tool as ToolName));
  }
}

function wrongEnd({ outcome }: JudgedLane): string[] {
  const call = outcome.calls.at(-1);
  if (call === undefined || outcome.cancelled) return [];
  const end = endOf(call);
  if (end === 'reject') return isAbort(call.rejected?.error, outcome.abortReason) ? [] : failedBefore(call);
  return end === 'stopped' && partsOf(call.parts, 'error').length > 0 ? failedBefore(call) : [];
}

/** An error that came before the abort is an error all the same. */
function failedBefore(call: JudgedLane['outcome']['calls'][number]): string[] {
  const error = call.rejected?.error ?? partsOf(call.parts, 'error').at(-1)?.error;
  const known = typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string';
  return known ? [] : [`ended with ${String(error)}, which is no abort`];
}

function isAbort(error: unknown, reason: unknown): boolean {
  return error === reason || (error instanceof Error && error.name === 'AbortError');
}

/** I12: no signal is left unfired, no listener on the caller's signal, no process; closing takes a moment only. */
export const nothingLeft: Checker = ({ scenario, observation, lanes }) => {
  const { runs, untold, closedInTime, survivors } = observation;
  const lost = losesMcp(scenario);
  const unaware = runs.filter((run) => untold.includes(run.marker) && !(lost && isMcp(run.tool as ToolName)));
  const listening = lanes.filter(({ lane, outcome }) => isDirect(lane.via) && outcome.listenersLeft > 0);
  return [
    ...unaware.map((run) => `${run.marker} was never told to stop`),
    ...listening.map(
      ({ number, outcome }) => `lane ${number}: ${outcome.listenersLeft} listeners on the caller's signal`,
    ),
    ...(closedInTime ? [] : ['close() did not come back']),
    ...(survivors === 0 ? [] : [`${survivors} processes live on`]),
  ];
};

/** `ai` has listeners of its own. */
function isDirect(via: string): boolean {
  return via === 'doStream' || via === 'doGenerate';
}

/** Every call that was announced is announced to be over, once. */
export const announced: Checker = ({ observation: { events } }) => {
  const numbers = (type: 'call-start' | 'call-end'): string =>
    events
      .flatMap((event) => (event.type === type ? [event.callNumber] : []))
      .toSorted((a, b) => a - b)
      .join();
  const started = numbers('call-start');
  const ended = numbers('call-end');
  return started === ended ? [] : [`calls ${started} began, calls ${ended} ended`];
};

/** Tools and callbacks see the asynchronous context of the call that caused them. */
export const context: Checker = ({ observation: { runs } }) =>
  runs
    .filter(
      (run) =>
        run.context !== undefined && run.marker !== `M${run.context}` && !run.marker.startsWith(`M${run.context}.`),
    )
    .map((run) => `${run.marker} ran in the context of lane ${run.context}`);
