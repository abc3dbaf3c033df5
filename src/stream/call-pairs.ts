import type { JsonObject } from '../core/json.js';
import type { OtherSlot } from './slot.js';

/** Calls that items of their own answer, and those items: whichever comes first waits for the other, in turn. */
export class CallPairs {
  readonly #calls = new Map<string, Queue<OtherSlot>>();
  readonly #outputs = new Map<string, Queue<JsonObject>>();

  /** The output of a call, if it came before the call; else the call waits for it. */
  outputOf(key: string, call: OtherSlot): JsonObject | undefined {
    const output = take(this.#outputs, key);
    if (output === undefined) put(this.#calls, key, call);
    return output;
  }

  /** The call that an output answers, if it has come; else the output waits for it. */
  callOf(key: string, output: JsonObject): OtherSlot | undefined {
    const call = take(this.#calls, key);
    if (call === undefined) put(this.#outputs, key, output);
    return call;
  }
}

/** Not shifted: a server may send any number of them. */
interface Queue<T> {
  readonly items: T[];
  next: number;
}

function put<T>(queues: Map<string, Queue<T>>, key: string, item: T): void {
  const queue = queues.get(key);
  if (queue === undefined) queues.set(key, { items: [item], next: 0 });
  else queue.items.push(item);
}

function take<T>(queues: Map<string, Queue<T>>, key: string): T | undefined {
  const queue = queues.get(key);
  const item = queue?.items[queue.next];
  if (queue !== undefined && item !== undefined) queue.next += 1;
  return item;
}
