import type { Usage } from '../core/usage.js';
import { excerpt } from '../util/excerpt.js';
import type { AskedCall } from './answers.js';
import { callsOf } from './answers.js';
import { answerOf, firstDifference, type RunDifference } from './compare-runs.js';
import { nothingToReplay, readRuns, whyNot } from './read-runs.js';
import { type ReplayProvider, replayRun, type ReplaySettings } from './replay-run.js';
import type { Run } from './run.js';

/** How recorded calls are played again. */
export interface ReplayEventsOptions {
  /**
   * Makes the provider that answers one call: `createResponsesProvider({ ...settings, apiKey })`. Do not replace `tools`: those
   * of the settings run nothing.
   */
  readonly provider: (settings: ReplaySettings) => ReplayProvider;
  /** @default the model of each recorded call */
  readonly model?: string | undefined;
  /** @default the URL of each recorded call */
  readonly baseURL?: string | undefined;
  /** The numbers of the calls to play, from 1. @default all */
  readonly calls?: readonly number[] | undefined;
  /** Ends the replay. */
  readonly signal?: AbortSignal | undefined;
  /** Is called before each call. */
  readonly onCall?:
    | ((call: { readonly number: number; readonly modelId: string; readonly url: string }) => void)
    | undefined;
}

/** The record, or its replay. */
export interface ReplayedSide {
  /** The model that answered. */
  readonly modelId: string;
  /** The text of the last round. */
  readonly answer: string;
  /** The calls of tools, in order. */
  readonly calls: readonly AskedCall[];
  /** How many requests it took. */
  readonly rounds: number;
  /** The tokens of all rounds. */
  readonly usage: Usage;
  /** Milliseconds from the first request to the end. */
  readonly durationMs: number;
  /** Why the answer ended: `stop`, `tool-calls`, `length`, `error`, … */
  readonly finishReason: string;
  /** The text of the error, if the call failed. */
  readonly error?: string;
}

/** A call, as it was recorded and as it went now. */
export interface ReplayedCall {
  /** The place of the call in the file, from 1. */
  readonly number: number;
  /** As it was recorded. */
  readonly recorded: ReplayedSide;
  /** As it went now. */
  readonly replayed: ReplayedSide;
  /** Absent: calls, end and answer are the same. */
  readonly difference?: RunDifference;
  /** Calls of the replay that had no recorded output. */
  readonly notInRecord: readonly AskedCall[];
  /** Names of the tools of the server that were not offered again. */
  readonly leftOut: readonly string[];
}

/** The outcome of a replay. */
export interface EventsReplay {
  /** The calls that were played, in the order of the record. */
  readonly calls: readonly ReplayedCall[];
  /** Calls that cannot be played again, and why. */
  readonly skipped: readonly { readonly number: number; readonly why: string }[];
  /** How many lines of the file were not understood. */
  readonly oddLines: number;
  /**
   * Throws if a call differed from the recording.
   *
   * @throws Error with the first difference of each call
   */
  assertSame(options?: AssertSameOptions): void;
}

/** Options of `assertSame`. */
export interface AssertSameOptions {
  /** `'same'`: word for word. `'any'`: only calls and ends count. A function judges. @default `'same'` */
  readonly answers?: 'same' | 'any' | ((recorded: string, replayed: string) => boolean) | undefined;
}

/**
 * Plays the calls of a file of `recordEvents` (`outputs: 'full'`) again. Tools are answered from the record: the same name and
 * the same arguments get the recorded outputs in their order, and for any other call the model reads that the record does not
 * have it. No tool runs, and nothing is written.
 *
 * @throws Error for a file without a call that can be played again, and for a server that does not answer
 * @example
 * const replay = await replayEvents('runs/refund.jsonl', {
 *   model: 'gpt-5.1-mini',
 *   provider: (settings) => createResponsesProvider({ ...settings, apiKey: process.env.OPENAI_API_KEY }),
 * });
 * replay.assertSame({ answers: 'any' });
 */
export async function replayEvents(file: string, options: ReplayEventsOptions): Promise<EventsReplay> {
  const read = await readRuns(file);
  const numbered = read.runs.map((recorded, at) => ({ number: at + 1, recorded }));
  const chosen = choose(file, numbered, options.calls);
  if (chosen.every(({ recorded }) => whyNot(recorded) !== undefined))
    throw nothingToReplay(file, { ...read, runs: chosen.map(({ recorded }) => recorded) });
  const calls: ReplayedCall[] = [];
  const skipped: EventsReplay['skipped'][number][] = [];
  for (const { number, recorded } of chosen) {
    const why = whyNot(recorded);
    if (recorded.call === undefined || why !== undefined) skipped.push({ number, why: why ?? '' });
    else calls.push(await replayOne(number, { ...recorded, call: recorded.call }, options));
  }
  return { calls, skipped, oddLines: read.odd, assertSame: (how) => assertSame(file, calls, how) };
}

function choose<T extends { readonly number: number }>(
  file: string,
  all: readonly T[],
  wanted: readonly number[] | undefined,
): readonly T[] {
  const unknown = wanted?.find((number) => !all.some((one) => one.number === number));
  if (unknown !== undefined)
    throw new Error(`${JSON.stringify(file)} has no call ${unknown}: its calls are numbered from 1 to ${all.length}.`);
  return wanted === undefined ? all : all.filter(({ number }) => wanted.includes(number));
}

type PlayableRun = Run & { readonly call: NonNullable<Run['call']> };

async function replayOne(number: number, recorded: PlayableRun, options: ReplayEventsOptions): Promise<ReplayedCall> {
  const { model, baseURL, provider, signal } = options;
  const { call } = recorded;
  const modelId = model ?? call.modelId;
  options.onCall?.({ number, modelId, url: baseURL ?? call.url });
  const { run, missing } = await replayRun({ call, recorded, modelId, baseURL, signal, provider });
  const difference = firstDifference(recorded, run);
  return {
    number,
    recorded: sideOf(recorded),
    replayed: sideOf(run),
    ...(difference !== undefined && { difference }),
    notInRecord: missing,
    leftOut: call.serverTools,
  };
}

function sideOf(run: Run): ReplayedSide {
  const { modelId, rounds, usage, end } = run;
  return {
    modelId,
    answer: answerOf(run),
    calls: callsOf(rounds).map(({ name, arguments: text }) => ({ name, arguments: text })),
    rounds: rounds.length,
    usage,
    durationMs: end?.durationMs ?? 0,
    finishReason: end?.finishReason ?? 'aborted',
    ...(end?.error !== undefined && { error: end.error }),
  };
}

function assertSame(file: string, calls: readonly ReplayedCall[], { answers = 'same' }: AssertSameOptions = {}): void {
  const lines = calls.flatMap(({ number, difference, recorded, replayed }) => {
    const counts = difference !== undefined && (difference.at !== 'answer' || answers === 'same');
    if (counts) return [`call ${number}: ${describeRunDifference(difference)}`];
    if (typeof answers !== 'function' || answers(recorded.answer, replayed.answer)) return [];
    return [`call ${number}: the answer was judged to be another one: ${quoted(replayed.answer)}`];
  });
  if (lines.length > 0)
    throw new Error(`The replay of ${JSON.stringify(file)} differed from the recording:\n- ${lines.join('\n- ')}`);
}

const MAX_CHARS = 200;

/** Describes a difference on one line. */
export function describeRunDifference(difference: RunDifference): string {
  if (difference.at === 'finish') return `it ended with ${difference.replayed}, recorded ${difference.recorded}`;
  if (difference.at === 'answer')
    return `another answer: ${quoted(difference.replayed)}, recorded ${quoted(difference.recorded)}`;
  const { round, recorded, replayed } = difference;
  const [before, after] = [recorded, replayed].map((call) => (call === undefined ? 'no call' : written(call)));
  return `round ${round + 1}: ${after}, recorded ${before}`;
}

function written({ name, arguments: text }: AskedCall): string {
  return excerpt(`${name} ${text}`.replaceAll(/\s+/g, ' '), MAX_CHARS);
}

function quoted(text: string): string {
  return JSON.stringify(excerpt(text, MAX_CHARS));
}
