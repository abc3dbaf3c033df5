import type { ToolOutput } from '../core/message.js';
import { parseToolArguments } from '../tools/parse-tool-arguments.js';
import { stableJson } from '../util/stable-json.js';
import type { AnsweredCall } from './tool-runner.js';

/**
 * Counts the rounds in a row that brought nothing new: every call in them was made before, with the same arguments and
 * the same output. A model that goes round in circles, with one call or several in turn, would do so until the last
 * round (lmstudio-bug-tracker#1362); one that waits for something gets a new output some day.
 */
export class RepeatedRounds {
  /** What each call gave back, by its name and arguments. */
  readonly #seen = new Map<string, ToolOutput[]>();
  #inARow = 0;

  note(calls: readonly AnsweredCall[]): void {
    const isNew = calls.map((call) => this.#isNew(call)).some(Boolean);
    this.#inARow = isNew || calls.length === 0 ? 0 : this.#inARow + 1;
  }

  get inARow(): number {
    return this.#inARow;
  }

  #isNew({ call, output }: AnsweredCall): boolean {
    const parsed = parseToolArguments(call.arguments);
    const key = `${call.name}\n${parsed.ok ? stableJson(parsed.arguments) : call.arguments}`;
    const known = this.#seen.get(key);
    if (known?.some((other) => isSame(other, output)) === true) return false;
    if (known === undefined) this.#seen.set(key, [output]);
    else known.push(output);
    return true;
  }
}

/** Only asked of outputs of the same call, which most calls have one of. */
function isSame(one: ToolOutput, other: ToolOutput): boolean {
  return one.isError === other.isError && JSON.stringify(one.content) === JSON.stringify(other.content);
}
