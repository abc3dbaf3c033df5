import type { ModelCall, Observation, SeenRequest } from '../observation.js';
import type { Judged } from './checker.js';

/** I4: the same bytes, cut otherwise, give the same parts. Compared only where nothing but the cut differs. */
export function sameParts({ scenario, lanes, observation }: Judged, again: Observation): string[] {
  if (observation.wasSlow || again.wasSlow) return [];
  return lanes.flatMap(({ number, isStopped, rounds }) => {
    const other = again.lanes[number];
    // What is lost when a connection breaks, and what a time limit ends, is a matter of the moment.
    const isFickle = rounds.some(
      ({ exchange, folded }) =>
        folded?.isUncertain === true ||
        // How far a tool got that began early, and then was stopped.
        (folded !== undefined && folded.outcome !== 'completed' && folded.early.length > 0) ||
        exchange?.kind === 'silent' ||
        (exchange?.kind === 'answer' && (exchange.ending === 'stall' || exchange.pause !== undefined)),
    );
    // An error before anything visible rejects, unless it took its time.
    const mayReject =
      other?.calls.some((call) => call.rejected !== undefined) !==
      lanes[number]?.outcome.calls.some((call) => call.rejected !== undefined);
    // Which way a round takes may hang on the moment, and with it which of the faults it meets.
    const ways = (requests: readonly SeenRequest[]) =>
      requests.map(({ wire }) => (wire === undefined ? 'h' : 's')).join('');
    const wentElsewhere = ways(rounds) !== ways(other?.requests ?? []);
    if (isStopped || isFickle || wentElsewhere || mayReject || other === undefined || hasMcpTrouble()) return [];
    const before = observation.lanes[number]?.calls.map(plain) ?? [];
    const after = other.calls.map(plain);
    if (JSON.stringify(before) === JSON.stringify(after)) return [];
    return [`lane ${number}: other cuts gave other parts: ${difference(before.flat(), after.flat())}`];
  });

  function hasMcpTrouble(): boolean {
    return scenario.mcp !== undefined && JSON.stringify(scenario).match(/"(kill|die|hang)"/) !== null;
  }
}

/** Parts as text; results that came side by side in a fixed order; nothing made of the port. */
function plain(call: ModelCall): string[] {
  if (call.rejected !== undefined) return [`rejected ${errorCode(call.rejected.error)}`];
  const items: readonly object[] = call.method === 'doGenerate' ? (call.result?.content ?? []) : call.parts;
  const lines = items.map((item) =>
    'type' in item && item.type === 'error' && 'error' in item
      ? `error ${errorCode(item.error)}`
      : withoutPorts(JSON.stringify(item)),
  );
  return sortRuns(withoutUnseen(lines), (line) => line.startsWith('{"type":"tool-result"'));
}

/** Parts that show nothing. */
const UNSEEN = /^\{"type":"(?:response-metadata|raw|(?:text|reasoning|tool-input)-(?:start|end))"/;

/** What shows nothing is left out before an error, unless it stood there for longer than the round is looked ahead. */
function withoutUnseen(lines: readonly string[]): string[] {
  return lines.filter((line, at) => {
    const next = lines.slice(at).find((later) => !UNSEEN.test(later));
    return !UNSEEN.test(line) || next?.startsWith('error ') !== true;
  });
}

function errorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
}

function withoutPorts(text: string): string {
  return text.replaceAll(/127\.0\.0\.1:\d+/g, 'host').replaceAll(/"origin":"[^"]*"/g, '"origin":""');
}

function sortRuns(lines: readonly string[], belongs: (line: string) => boolean): string[] {
  const sorted: string[] = [];
  let run: string[] = [];
  for (const line of [...lines, '']) {
    if (belongs(line)) run.push(line);
    else {
      sorted.push(...run.toSorted(), line);
      run = [];
    }
  }
  return sorted.slice(0, -1);
}

function difference(before: readonly string[], after: readonly string[]): string {
  const at = before.findIndex((line, index) => line !== after[index]);
  return `part ${at}: ${String(before[at]).slice(0, 300)} / ${String(after[at]).slice(0, 300)}`;
}
