import type { JsonObject, JsonValue } from '../core/json.js';
import { asRecord, rowOf } from '../util/guards.js';
import type { InputItem } from '../wire/input-item.js';
import { jsonOf, keyOf, typeOf } from './item-pairs.js';

/** Outputs that a text can stand in for, and how. */
const NOTES: Readonly<Record<string, (item: JsonObject, note: string) => JsonValue>> = {
  function_call_output: (_item, note) => note,
  custom_tool_call_output: (_item, note) => note,
  local_shell_call_output: (_item, note) => note,
  apply_patch_call_output: (_item, note) => note,
  shell_call_output: ({ output }, note) => {
    const { outcome = { type: 'exit', exit_code: 0 } } = objectOf(Array.isArray(output) ? output.at(-1) : undefined);
    return [{ stdout: note, stderr: '', outcome }];
  },
};
/** Pictures: no text can stand there. */
const NO_TEXT = 'computer_call_output';

/** Rounds whose outputs stay in any case. */
const KEPT_ROUNDS = 2;

function objectOf(value: JsonValue | undefined): JsonObject {
  // What is a record in JSON is an object of it.
  return (asRecord(value) ?? {}) as JsonObject;
}

/** A program of the model reads it as JSON, and may run again. */
function isForProgram(item: InputItem): boolean {
  return objectOf(jsonOf(item)['caller'])['type'] === 'program';
}

/** Whether a note may stand in place of an output. */
export function isNotable(item: InputItem): boolean {
  return rowOf(NOTES, typeOf(item)) !== undefined && !isForProgram(item);
}

/** The output with a note in its place. */
export function writeNote(item: InputItem, note: string): InputItem {
  const json = jsonOf(item);
  const output = rowOf(NOTES, typeOf(item))?.(json, note);
  // The same item with another output.
  return output === undefined ? item : ({ ...json, output } as unknown as InputItem);
}

/** Characters of an output: of its text, or of its JSON. `undefined`: the item is none. */
export function lengthOfOutput(item: InputItem): number | undefined {
  if (keyOf(item).output === undefined) return undefined;
  const { output = '' } = jsonOf(item);
  return (typeof output === 'string' ? output : JSON.stringify(output)).length;
}

/** What stays in any case: the items of the last rounds, of the call and before it of its prompt. */
export function keptIn(items: readonly InputItem[], recent: readonly (readonly InputItem[])[]): ReadonlySet<InputItem> {
  const kept = new Set(recent.flat());
  let rounds = KEPT_ROUNDS - recent.length;
  let isInRound = false;
  for (const item of items.toReversed()) {
    if (kept.has(item)) continue;
    const { call, output } = keyOf(item);
    if (call !== undefined) isInRound = false;
    if (output === undefined) continue;
    // Behind it, a call of the next round has been seen.
    if (!isInRound) rounds -= 1;
    if (rounds < 0) break;
    isInRound = true;
    kept.add(item);
  }
  return kept;
}

/** Calls with all their outputs and the reasoning before them. */
interface Exchange {
  readonly items: InputItem[];
  /** Calls without their outputs. */
  readonly open: Set<string>;
  isAnswered: boolean;
  /** All its outputs may go, and have their calls in it. */
  mayGo: boolean;
}

/** Exchanges that the input need not hold; the oldest first. */
export function completeExchanges(items: readonly InputItem[], kept: ReadonlySet<InputItem>): InputItem[][] {
  const exchanges: Exchange[] = [];
  let current: Exchange | undefined;
  for (const item of items) {
    const { call, output } = keyOf(item);
    const isPart = call !== undefined || output !== undefined || item.type === 'reasoning';
    if (!isPart) {
      current = undefined;
      continue;
    }
    // Behind an output, whatever is none begins something new.
    if (current === undefined || (output === undefined && current.isAnswered))
      exchanges.push((current = { items: [], open: new Set(), isAnswered: false, mayGo: true }));
    current.items.push(item);
    if (call !== undefined) current.open.add(call);
    else if (output !== undefined) answer(current, output, !kept.has(item) && mayGo(item));
  }
  return exchanges.filter(isComplete).map((exchange) => exchange.items);
}

function isComplete({ isAnswered, mayGo: mayAllGo, open }: Exchange): boolean {
  return isAnswered && mayAllGo && open.size === 0;
}

function answer(exchange: Exchange, output: string, outputMayGo: boolean): void {
  exchange.isAnswered = true;
  exchange.mayGo = exchange.open.delete(output) && outputMayGo && exchange.mayGo;
}

/** What a search has found goes with nothing, nor does what a program reads. */
function mayGo(output: InputItem): boolean {
  return isNotable(output) || typeOf(output) === NO_TEXT;
}
