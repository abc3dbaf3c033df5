import {
  describeRunDifference,
  type EventsReplay,
  type ReplayedCall,
  type ReplayedSide,
} from '../../runs/replay-events.js';
import { showControls } from '../../util/control-characters.js';
import { amount, count, oneLine } from '../words.js';

interface ReportOptions {
  /** Another answer counts as a difference. */
  readonly isStrict: boolean;
  /** Width of the terminal. */
  readonly columns: number;
}

/** Below this the two answers follow each other. */
const MIN_COLUMNS = 60;
const MAX_CHARS = 200;
const GAP = ' │ ';

/** Returns what a person reads about a replay, and whether every call matched the recording. */
export function reportOf(
  { calls, skipped, oddLines }: EventsReplay,
  options: ReportOptions,
): { readonly text: string; readonly isSame: boolean } {
  const judged = calls.map((call) => ({ call, isSame: isSame(call, options) }));
  const different = judged.filter((one) => !one.isSame).length;
  const end = [
    different === 0
      ? `${count(calls.length, 'call')} matched the recording.`
      : `${different} of ${count(calls.length, 'call')} differed from the recording.`,
    ...skipped.map(({ number, why }) => `Call ${number} was not replayed: ${showControls(why)}`),
    ...(oddLines > 0 ? [`${count(oddLines, 'line')} of the file could not be read.`] : []),
  ];
  const lines = [...judged.flatMap(({ call, isSame: same }) => [...linesOf(call, same, options), '']), ...end];
  return { text: `${lines.join('\n')}\n`, isSame: different === 0 };
}

function isSame({ difference }: ReplayedCall, { isStrict }: ReportOptions): boolean {
  return difference === undefined || (difference.at === 'answer' && !isStrict);
}

function linesOf(call: ReplayedCall, same: boolean, { columns }: ReportOptions): readonly string[] {
  const { number, recorded, replayed, difference, notInRecord, leftOut } = call;
  const verdict = difference === undefined ? 'the same' : showControls(describeRunDifference(difference));
  return [
    `Call ${number}: ${same && difference !== undefined ? 'the same, except for the wording' : verdict}`,
    ...notInRecord.map(
      ({ name, arguments: text }) => `  not in the record, so not answered: ${plain(`${name} ${text}`)}`,
    ),
    ...(leftOut.length > 0 ? [`  not offered again, because the server runs them: ${plain(leftOut.join(', '))}`] : []),
    ...sideBySide([headOf('recorded', recorded)], [headOf('replayed', replayed)], columns),
    ...sideBySide(factsOf(recorded), factsOf(replayed), columns),
    ...sideBySide(answerOf(recorded), answerOf(replayed), columns),
  ];
}

const headOf = (title: string, { modelId }: ReplayedSide): string => `${title}: ${plain(modelId)}`;

function factsOf({ rounds, calls, usage, durationMs, finishReason }: ReplayedSide): readonly string[] {
  const tokens = [usage.inputTokens, usage.outputTokens].map((value) => (value === undefined ? '?' : amount(value)));
  return [
    `${count(rounds, 'round')}, ${count(calls.length, 'call')}, ended with ${finishReason}`,
    `${tokens[0]} tokens in, ${tokens[1]} out, ${(durationMs / 1000).toFixed(1)} s`,
  ];
}

/** An error replaces the answer that it prevented. */
const answerOf = ({ answer, error }: ReplayedSide): readonly string[] =>
  showControls(answer === '' && error !== undefined ? `(${error})` : answer || '(no text)').split('\n');

const plain = (text: string): string => showControls(oneLine(text, MAX_CHARS));

function sideBySide(left: readonly string[], right: readonly string[], columns: number): readonly string[] {
  if (columns < MIN_COLUMNS) return [...left, ...right].map((line) => `  ${line}`);
  const width = Math.floor((columns - GAP.length) / 2);
  const [ours, theirs] = [left, right].map((lines) => lines.flatMap((line) => wrapped(line, width)));
  const rows = Math.max(ours?.length ?? 0, theirs?.length ?? 0);
  return Array.from({ length: rows }, (_, at) =>
    `${(ours?.[at] ?? '').padEnd(width)}${GAP}${theirs?.[at] ?? ''}`.trimEnd(),
  );
}

/** Breaks a line at spaces, and a longer word anywhere. */
function wrapped(line: string, width: number): readonly string[] {
  const rows: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const end = space > 0 ? space : width;
    rows.push(rest.slice(0, end));
    rest = rest.slice(space > 0 ? end + 1 : end);
  }
  return [...rows, rest];
}
