import type { KeptOutput, KeptRound, KeptToolCall } from '../core/kept-round.js';
import { isDeeperThan, parseJson, stableJson } from '../util/json.js';

/** A call of a tool as the model wrote it. */
export type AskedCall = Pick<KeptToolCall, 'name' | 'arguments'>;

/** Deeper JSON is compared as a string, because writing it would overflow the stack. */
const MAX_LEVELS = 512;

/** The same for calls with one name and the same JSON as arguments, in any order of members. */
export function keyOf({ name, arguments: text }: AskedCall): string {
  const value = parseJson(text);
  return `${name}\n${value === undefined || isDeeperThan(value, MAX_LEVELS) ? text : stableJson(value)}`;
}

/** The recorded outputs of a run. Each is returned once, in the order of the record. */
export class Answers {
  readonly #left = new Map<string, KeptOutput[]>();
  /** The calls that the record does not have. */
  readonly missing: AskedCall[] = [];

  constructor(rounds: readonly KeptRound[]) {
    for (const call of callsOf(rounds)) {
      if (call.output === undefined) continue;
      const key = keyOf(call);
      const outputs = this.#left.get(key) ?? [];
      outputs.push(call.output);
      this.#left.set(key, outputs);
    }
    // Taken from the end, because a list is slow at its beginning.
    for (const outputs of this.#left.values()) outputs.reverse();
  }

  take(call: AskedCall): KeptOutput {
    const output = this.#left.get(keyOf(call))?.pop();
    if (output !== undefined) return output;
    this.missing.push(call);
    return { isError: true, content: [{ type: 'text', text: notInRecord(call.name) }] };
  }
}

/** Returns the calls of functions in the order of the record. */
export function callsOf(rounds: readonly KeptRound[]): readonly KeptToolCall[] {
  return rounds.flatMap(({ content }) => content.filter((entry) => entry.type === 'call'));
}

/** The words for the model. */
function notInRecord(name: string): string {
  return `Not in the recording: tools are answered from an earlier run, which has no further call like this of "${name}". Nothing was run. Go on with what you know.`;
}
