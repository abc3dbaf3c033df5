import type { JsonObject, JsonValue } from '../core/json.js';
import { asRecord, asString, rowOf } from '../util/guards.js';
import type { InputItem } from '../wire/input-item.js';
import { keyOf } from './item-pairs.js';

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

/** Items are JSON objects, which their types do not say. */
function jsonOf(item: InputItem): JsonObject {
  return item as unknown as JsonObject;
}

function objectOf(value: JsonValue | undefined): JsonObject {
  // What is a record in JSON is an object of it.
  return (asRecord(value) ?? {}) as JsonObject;
}

function typeOf(item: InputItem): string {
  return asString(jsonOf(item)['type']) ?? '';
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

/** Calls with all their outputs and the reasoning before them, as far as the input need not hold them; the oldest first. */
export function completeExchanges(items: readonly InputItem[], kept: ReadonlySet<InputItem>): InputItem[][] {
  const exchanges: Exchange[] = [];
  let current: Exchange | undefined;
  for (const item of items) {
    const { call, output } = keyOf(item);
    const isPart = call !== undefined || output !== undefined || item.type === 'reasoning';
    // Behind an output, whatever is none begins something new.
    if (!isPart || (output === undefined && current?.isAnswered === true)) current = undefined;
    if (!isPart) continue;
    if (current === undefined) exchanges.push((current = new Exchange()));
    current.add(item, !kept.has(item) && mayGo(item));
  }
  return exchanges.flatMap((exchange) => (exchange.mayGo ? [exchange.items] : []));
}

/** What a search has found goes with nothing, nor does what a program reads. */
function mayGo(output: InputItem): boolean {
  return isNotable(output) || typeOf(output) === NO_TEXT;
}

class Exchange {
  readonly items: InputItem[] = [];
  /** Calls without their outputs. */
  readonly #open = new Set<string>();
  isAnswered = false;
  #isWhole = true;

  add(item: InputItem, outputMayGo: boolean): void {
    const { call, output } = keyOf(item);
    this.items.push(item);
    if (call !== undefined) this.#open.add(call);
    if (output === undefined) return;
    this.isAnswered = true;
    if (!this.#open.delete(output) || !outputMayGo) this.#isWhole = false;
  }

  get mayGo(): boolean {
    return this.isAnswered && this.#isWhole && this.#open.size === 0;
  }
}
