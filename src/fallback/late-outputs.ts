import { callOfOutput, pairKey, type ServerItem } from '../core/call-items.js';
import { asString } from '../util/guards.js';

/**
 * Outputs of calls that the server ran. The stock provider shows such a call with its result, which comes behind the event
 * of its output: the item of the output waits for that, so that it stands behind its call, as the server had it.
 */
export class LateOutputs {
  /** Calls that are not shown yet, counted by type and call id: searches of the server have no id. */
  readonly #open = new Map<string, number>();
  readonly #waiting = new Map<string, ServerItem[]>();

  called(call: ServerItem): void {
    const key = keyOf(call);
    this.#open.set(key, (this.#open.get(key) ?? 0) + 1);
  }

  /** Whether it is the output of such a call; then it comes out with the call. */
  holds(item: ServerItem): boolean {
    const type = asString(item['type']) ?? '';
    const answers = callOfOutput(type);
    if (answers === undefined) return false;
    const key = pairKey(answers, item);
    if ((this.#open.get(key) ?? 0) === 0) return false;
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) this.#waiting.set(key, [item]);
    else waiting.push(item);
    return true;
  }

  /** The call is shown: what waited for it. */
  shown(call: ServerItem): readonly ServerItem[] {
    const key = keyOf(call);
    const waited = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    this.#open.set(key, Math.max(0, (this.#open.get(key) ?? 0) - 1));
    return waited;
  }
}

function keyOf(call: ServerItem): string {
  return pairKey(asString(call['type']) ?? '', call);
}
