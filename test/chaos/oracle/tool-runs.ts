import { isMcp, isReadOnly, losesMcp } from '../model/owner.js';
import type { RoundView } from '../model/rounds.js';
import type { ToolName } from '../scenario.js';
import { type Checker, eachCall, eachLane, finishReasonOf, type Judged, partsOf, roundsOfCall } from './checker.js';

/** I8: a tool runs at most once for a call, never for a call of a broken, failed or incomplete response unless read-only. */
export const toolRuns: Checker = eachLane((lane, judged) => {
  const { runs } = judged.observation;
  const problems: string[] = [];
  for (const round of lane.rounds) {
    for (const { call, owner } of round.calls) {
      const count = runs.filter((run) => run.marker === call.marker).length;
      // A tool that changes nothing may be asked again if its server was lost meanwhile.
      const most = owner !== 'loop' || call.broken ? 0 : isMcp(call.name) && isReadOnly(call.name) ? 2 : 1;
      if (count > most) problems.push(`${call.marker} (${call.name}, ${owner}) ran ${count} times`);
      if (count > 0 && !mayRun(round) && !isReadOnly(call.name))
        problems.push(`${call.marker} (${call.name}) ran although its response was ${round.folded?.outcome}`);
    }
  }
  return [...problems, ...wrongOrder(lane.rounds, judged), ...crowded(lane.rounds, judged)];

  function mayRun({ folded, allowed }: RoundView): boolean {
    return (
      folded?.outcome === 'completed' ||
      folded?.isUncertain === true ||
      allowed.has('follow') ||
      (allowed.has('ok') && folded?.outcome !== 'incomplete')
    );
  }
});

/** Every run belongs to a call that was complete: nothing runs on a guess, or after the end of a response. */
export const noStrayRuns: Checker = (judged) => {
  const known = new Set(
    judged.lanes.flatMap(({ rounds }) => rounds.flatMap(({ calls }) => calls.map(({ call }) => call.marker))),
  );
  return judged.observation.runs
    .filter((run) => !known.has(run.marker))
    .map((run) => `${run.marker} ran, but was never called`);
};

/** Tools that change something run in the order the model called them, unless they may overlap. */
function wrongOrder(rounds: readonly RoundView[], { scenario, observation }: Judged): string[] {
  const { toolConcurrency } = scenario.settings;
  if (toolConcurrency === 3) return [];
  return rounds.flatMap(({ calls, index }) => {
    const ordered = calls.filter(
      ({ call, owner }) => owner === 'loop' && (toolConcurrency === 1 || !isReadOnly(call.name)),
    );
    const orders = ordered.flatMap(
      ({ call }) => observation.runs.find((run) => run.marker === call.marker)?.order ?? [],
    );
    const isSorted = orders.every((order, at) => at === 0 || order > (orders[at - 1] ?? -1));
    return isSorted ? [] : [`the tools of request ${index} ran in another order than they were called`];
  });
}

/** Never more at a time than the settings say; what changes something runs alone. */
function crowded(rounds: readonly RoundView[], { scenario, observation }: Judged): string[] {
  const { toolConcurrency } = scenario.settings;
  // What was lost with its server is never over, and nobody is told.
  if (losesMcp(scenario)) return [];
  // An MCP server hears a moment later that it was given up.
  const givenUp = new Set(
    rounds.flatMap(({ calls }) =>
      calls.flatMap(({ call }) => (call.does === 'hang' && isMcp(call.name) ? [call.marker] : [])),
    ),
  );
  const markers = new Set(rounds.flatMap(({ calls }) => calls.map(({ call }) => call.marker)));
  return observation.runs.flatMap(({ marker, tool, besides }) => {
    if (!markers.has(marker)) return [];
    const most =
      toolConcurrency === 'auto' ? (isReadOnly(tool as ToolName) ? Number.POSITIVE_INFINITY : 0) : toolConcurrency - 1;
    const others = besides.filter((other) => !givenUp.has(other));
    return others.length <= most ? [] : [`${marker} (${tool}) ran beside ${others.join(', ')}`];
  });
}

/** I9: the client gets its calls, and only those, once the round counts; unknown names never reach it while we have tools. */
export const ownership: Checker = eachCall((call, lane, _judged, index) => {
  const content = [...call.parts, ...(call.result?.content ?? [])];
  const forClient = content
    .filter((part) => part.type === 'tool-call')
    .filter((part) => part.providerExecuted !== true);
  const markers = forClient.map((part) => part.input);
  const rounds = roundsOfCall(lane, index);
  const pending = rounds.at(-1);
  // Nobody runs the calls of a response that failed.
  const mayCount = finishReasonOf(call) === 'tool-calls' || lane.isStopped;
  const theirs = (mayCount ? (pending?.calls ?? []) : []).filter(({ owner }) => owner === 'client');
  const problems = forClient
    .filter(
      (part) => !theirs.some(({ call: made }) => part.toolName === made.name && hasMarker(part.input, made.marker)),
    )
    .map((part) => `the client was asked for ${JSON.stringify(part.input)}`);
  const counts = pending?.folded?.outcome === 'completed' && !pending.folded.isUncertain;
  if (lane.isStopped || !counts || call.rejected !== undefined) return problems;
  const missing = theirs.filter(({ call: made }) => !markers.some((input) => hasMarker(input, made.marker)));
  return [...problems, ...missing.map(({ call: made }) => `${made.marker} never reached the client`)];
});

function hasMarker(input: string, marker: string): boolean {
  return input.includes(`"${marker}"`);
}

/** I19: parts of loop tools only where they can be shown. */
export const shownTools: Checker = eachCall((call, { lane }, { scenario }) => {
  const content = [...call.parts, ...(call.result?.content ?? [])];
  const shown = content.filter((part) => part.type === 'tool-call').filter((part) => part.providerExecuted === true);
  const { toolParts } = scenario.settings;
  const mayShow = toolParts === 'all' || (toolParts === 'declared' && lane.declaresLoopTools);
  const problems = mayShow || shown.length === 0 ? [] : [`${shown.length} parts of loop tools were shown`];
  const broken = shown.filter((part) => !isJson(part.input));
  return [...problems, ...broken.map(() => 'a loop tool call was shown with broken input'), ...unanswered(call.parts)];
});

function unanswered(parts: Parameters<typeof partsOf>[0]): string[] {
  if (parts.at(-1)?.type !== 'finish') return [];
  const answered = new Set(partsOf(parts, 'tool-result').map((part) => part.toolCallId));
  return partsOf(parts, 'tool-call')
    .filter((part) => part.providerExecuted === true && !answered.has(part.toolCallId))
    .map((part) => `${part.toolCallId} was shown without a result`);
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
