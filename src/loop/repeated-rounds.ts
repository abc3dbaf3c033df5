import type { ToolOutput } from '../core/message.js';
import { parseToolArguments } from '../tools/parse-tool-arguments.js';
import { shortHash } from '../util/hash.js';
import { stableJson } from '../util/json.js';
import type { AnsweredCall } from './own-call.js';

/**
 * Counts the rounds in a row that brought nothing new: every call in them was made before, with the same arguments and
 * the same output. A model that goes round in circles, with one call or several in turn, would do so until the last
 * round (lmstudio-bug-tracker#1362); one that waits for something gets a new output some day.
 */
export class RepeatedRounds {
  /** What each call gave back, by its name and arguments. */
  readonly #seen = new Map<string, Outputs>();
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
    if (known === undefined) {
      this.#seen.set(key, { only: output, prints: new Set() });
      return true;
    }
    if (known.only !== undefined) known.prints.add(printOf(known.only));
    known.only = undefined;
    const before = known.prints.size;
    return known.prints.add(printOf(output)).size > before;
  }
}

/** The outputs of one call. */
interface Outputs {
  /** Most calls are made once: nothing is computed for them. */
  only: ToolOutput | undefined;
  readonly prints: Set<string>;
}

/** Two outputs that share it by chance would only count as a repetition. */
function printOf({ isError, content }: ToolOutput): string {
  const text = JSON.stringify(content);
  return `${isError}.${text.length}.${shortHash(text)}`;
}
