import { shortHash } from '../util/hash.js';
import { parseToolArguments } from '../tools/parse-tool-arguments.js';
import { stableJson } from '../util/stable-json.js';
import type { AnsweredCall } from './tool-runner.js';

/**
 * Counts the rounds in a row that brought nothing new: every call in them was made before, with the same arguments and
 * the same output. A model that goes round in circles, with one call or several in turn, would do so until the last
 * round (lmstudio-bug-tracker#1362); one that waits for something gets a new output some day.
 */
export class RepeatedRounds {
  readonly #seen = new Set<string>();
  #inARow = 0;

  note(calls: readonly AnsweredCall[]): void {
    const keys = calls.map(keyOf);
    const isNew = keys.some((key) => !this.#seen.has(key));
    this.#inARow = isNew || keys.length === 0 ? 0 : this.#inARow + 1;
    for (const key of keys) this.#seen.add(key);
  }

  get inARow(): number {
    return this.#inARow;
  }
}

function keyOf({ call, output }: AnsweredCall): string {
  const parsed = parseToolArguments(call.arguments);
  const written = parsed.ok ? stableJson(parsed.arguments) : call.arguments;
  return shortHash(`${call.name}\n${written}\n${output.isError}\n${JSON.stringify(output.content)}`);
}
