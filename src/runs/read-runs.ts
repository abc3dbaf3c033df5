import { createReadStream } from 'node:fs';
import { readEvents } from '../node/read-events.js';
import { errorText } from '../util/error-text.js';
import { asNumber } from '../util/guards.js';
import { type Run, RunBuilder } from './run.js';
import { wholeEvent } from './whole-event.js';

export interface RunsOfFile {
  /** Of all recorders, in the order in which they began. */
  readonly runs: readonly Run[];
  /** How many lines were not understood, for example a torn last one. */
  readonly odd: number;
}

/** The events that a replay reads. Parts of others are not put together. */
const READ: ReadonlySet<string> = new Set(['call-start', 'continuation', 'round-kept', 'round-end', 'call-end']);

/**
 * Reads the runs of a file of `recordEvents`.
 *
 * @throws Error naming the file and the fault
 */
export async function readRuns(file: string): Promise<RunsOfFile> {
  const builders = new Map<string, RunBuilder>();
  const recorders = new Map<string, Map<number, unknown>>();
  let odd = 0;
  const partsOf = (run: string): Map<number, unknown> => {
    const parts = recorders.get(run) ?? new Map<number, unknown>();
    recorders.set(run, parts);
    return parts;
  };
  try {
    const bytes = createReadStream(file, { encoding: 'utf8' });
    for await (const line of readEvents(bytes, { name: JSON.stringify(file), onOdd: () => (odd += 1) })) {
      if ('part' in line) partsOf(line.run).set(line.part, line.value);
      if (!('event' in line) || !READ.has(line.event.type)) continue;
      const callNumber = asNumber(line.event['callNumber']);
      const event = wholeEvent(line, partsOf(line.run));
      if (event === undefined || callNumber === undefined) odd += 1;
      else {
        const key = `${line.run} ${callNumber}`;
        const builder = builders.get(key) ?? new RunBuilder();
        builders.set(key, builder);
        builder.add(event);
      }
    }
  } catch (error) {
    throw new Error(`The runs of ${JSON.stringify(file)} cannot be read: ${errorText(error)}`, { cause: error });
  }
  return { runs: [...builders.values()].map(({ run }) => run), odd };
}

/** Returns why a run cannot be played again; `undefined` if it can. */
export function whyNot({ rounds, call, end }: Run): string | undefined {
  if (end === undefined) return 'it has no end in the file';
  if (end.finishReason === 'aborted') return 'it was aborted';
  if (rounds.length === 0 && end.error !== undefined) return `it failed before an answer: ${end.error}`;
  if (rounds.length === 0) return 'its input and its answers were not kept';
  if (call === undefined) return 'its input is not in the file';
  if (call.continues === true) return 'a server kept the beginning of its conversation, which is not in the file';
  return undefined;
}

/** The advice for a file in which nothing can be played again. */
export function nothingToReplay(file: string, { runs }: RunsOfFile): Error {
  const name = JSON.stringify(file);
  if (runs.every(({ rounds }) => rounds.length === 0))
    return new Error(
      `${name} was recorded without inputs and outputs in full: record with recordEvents(path, { outputs: 'full' }).`,
    );
  const reasons = runs.map((run, at) => `call ${at + 1}: ${whyNot(run) ?? ''}`);
  return new Error(`No call of ${name} can be played again. ${reasons.join('; ')}.`);
}
