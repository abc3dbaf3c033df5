import type { KeptRound, KeptToolCall } from '../core/kept-round.js';
import { type AskedCall, keyOf } from './answers.js';
import type { Run } from './run.js';

/** The first difference of a replay. */
export type RunDifference =
  /** Another call, one more, or one less. */
  | {
      readonly at: 'call';
      /** From 0. */
      readonly round: number;
      /** Absent: the record has no further call. */
      readonly recorded?: AskedCall;
      /** Absent: the model made no further call. */
      readonly replayed?: AskedCall;
    }
  | { readonly at: 'finish'; readonly recorded: string; readonly replayed: string }
  | { readonly at: 'answer'; readonly recorded: string; readonly replayed: string };

interface PlacedCall {
  readonly round: number;
  readonly call: KeptToolCall;
}

/** Compares calls, then how the runs ended, then the answers. */
export function firstDifference(recorded: Run, replayed: Run): RunDifference | undefined {
  return differentCall(recorded.rounds, replayed.rounds) ?? differentEnd(recorded, replayed);
}

/** The text of the last round. */
export function answerOf({ rounds }: Run): string {
  const last = rounds.at(-1)?.content ?? [];
  return last.map((entry) => (entry.type === 'text' ? entry.text : '')).join('');
}

/**
 * Calls of one recorded round may occur in any order and in several rounds, because the outputs are the same. A call of
 * a later recorded round may not.
 */
function differentCall(recorded: readonly KeptRound[], replayed: readonly KeptRound[]): RunDifference | undefined {
  const groups = recorded.map(placedCalls).filter((calls) => calls.length > 0);
  let group = new CallGroup([]);
  let next = 0;
  for (const { round, call } of replayed.flatMap(placedCalls)) {
    if (group.isEmpty) group = new CallGroup(groups[next++] ?? []);
    if (!group.take(call)) return { at: 'call', round, ...group.first, replayed: asked(call) };
  }
  if (group.isEmpty) group = new CallGroup(groups[next] ?? []);
  const { first, round } = group;
  return first === undefined ? undefined : { at: 'call', round, ...first };
}

/** The calls of a recorded round that the replay has not made yet. */
class CallGroup {
  readonly #left = new Map<string, PlacedCall[]>();
  #count: number;

  constructor(calls: readonly PlacedCall[]) {
    this.#count = calls.length;
    for (const placed of calls) {
      const key = keyOf(placed.call);
      const same = this.#left.get(key);
      if (same === undefined) this.#left.set(key, [placed]);
      else same.push(placed);
    }
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** The first remaining one. */
  get first(): { readonly recorded: AskedCall } | undefined {
    const placed = this.#firstPlaced;
    return placed === undefined ? undefined : { recorded: asked(placed.call) };
  }

  get round(): number {
    return this.#firstPlaced?.round ?? 0;
  }

  take(call: AskedCall): boolean {
    const key = keyOf(call);
    const same = this.#left.get(key);
    if (same?.pop() === undefined) return false;
    if (same.length === 0) this.#left.delete(key);
    this.#count -= 1;
    return true;
  }

  get #firstPlaced(): PlacedCall | undefined {
    return [...this.#left.values()][0]?.[0];
  }
}

function placedCalls({ content }: KeptRound, round: number): PlacedCall[] {
  return content.flatMap((entry) => (entry.type === 'call' ? [{ round, call: entry }] : []));
}

function asked({ name, arguments: text }: AskedCall): AskedCall {
  return { name, arguments: text };
}

function differentEnd(recorded: Run, replayed: Run): RunDifference | undefined {
  const [before, after] = [endOf(recorded), endOf(replayed)];
  if (before !== after) return { at: 'finish', recorded: before, replayed: after };
  const answers = { recorded: answerOf(recorded), replayed: answerOf(replayed) };
  return answers.recorded === answers.replayed ? undefined : { at: 'answer', ...answers };
}

function endOf({ end }: Run): string {
  return end?.finishReason ?? 'aborted';
}
