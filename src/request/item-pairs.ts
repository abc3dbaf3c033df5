import type { JsonObject } from '../core/json.js';
import type { Profile } from '../core/profile.js';
import type { InputItem } from '../wire/input-item.js';
import { callKind, isServersCall } from '../items/kinds.js';
import { type PairKey, pairOf } from '../items/pairs.js';
import { asString } from '../util/guards.js';

interface Pair {
  calls: number;
  outputs: number;
}

/** The part of an input that is being looked at. */
interface Slice {
  /** What its calls and outputs have in common. */
  readonly calls: ReadonlySet<string | undefined>;
  readonly outputs: ReadonlySet<string | undefined>;
  /** Outputs that stand before their calls. */
  readonly early: Map<string, InputItem>;
  /** The server may have the calls. */
  readonly continues: boolean;
  /** The server runs custom tools and sends no output for them. */
  readonly runsAlone: boolean;
}

/**
 * Servers refuse a request in which a call has no output, an output no call, or one of them comes twice; and so every
 * later turn. What a response had so is left out, and said. Looks at the items of one request, part by part.
 */
export class ItemPairs {
  readonly #pairs = new Map<string, Pair>();
  /** Each sentence once; only ever grows. */
  readonly warnings: string[] = [];
  readonly #said = new Set<string>();

  of(
    items: readonly InputItem[],
    { continues = false, profile }: { readonly continues?: boolean; readonly profile: Profile },
  ): InputItem[] {
    const keys = items.map(keyOf);
    const slice: Slice = {
      calls: new Set(keys.map(({ call }) => call)),
      outputs: new Set(keys.map(({ output }) => output)),
      early: new Map(),
      continues,
      runsAlone: profile.runsCustomTools === true,
    };
    return items.flatMap((item, at) => {
      const { call, output } = keys[at] ?? {};
      if (call !== undefined) return this.#call(item, call, slice);
      return output === undefined ? [item] : this.#output(item, output, slice);
    });
  }

  #call(item: InputItem, key: string, { outputs, early, runsAlone }: Slice): InputItem[] {
    const pair = this.#pairOf(key);
    const isServers = isServersItem(item, runsAlone);
    if (pair.calls > 0 && !(isServers && key.endsWith(' '))) return this.leaveOut(item, 'it comes twice');
    if (!isServers && !outputs.has(key)) return this.leaveOut(item, 'it has no output');
    pair.calls += 1;
    const output = early.get(key);
    if (output === undefined) return [item];
    pair.outputs += 1;
    return [item, output];
  }

  #output(item: InputItem, key: string, { calls, early, continues }: Slice): InputItem[] {
    const pair = this.#pairOf(key);
    if (pair.outputs < pair.calls || (continues && pair.outputs === 0)) {
      pair.outputs += 1;
      return [item];
    }
    const isEarly = pair.calls === 0 && calls.has(key) && !early.has(key);
    if (!isEarly) return this.leaveOut(item, pair.calls === 0 ? 'it has no call' : 'it comes twice');
    early.set(key, item);
    return [];
  }

  #pairOf(key: string): Pair {
    const pair = this.#pairs.get(key) ?? { calls: 0, outputs: 0 };
    this.#pairs.set(key, pair);
    return pair;
  }

  /** What is not sent, and said. */
  leaveOut(item: InputItem, why: string): InputItem[] {
    const warning = `An item of type "${item.type}" was not sent: ${why}, and servers refuse that.`;
    if (!this.#said.has(warning)) this.warnings.push(warning);
    this.#said.add(warning);
    return [];
  }
}

/** Items are JSON objects, which their types do not say. */
export function jsonOf(item: InputItem): JsonObject {
  return item as unknown as JsonObject;
}

export function typeOf(item: InputItem): string {
  return asString(jsonOf(item)['type']) ?? '';
}

/** Whether a call needs no output, because the server runs it. */
function isServersItem(item: InputItem, runsAlone: boolean): boolean {
  const mayRunAlone = callKind(typeOf(item))?.ranAlone !== undefined;
  return mayRunAlone ? runsAlone : isServersCall(typeOf(item), jsonOf(item));
}

/** What a call and its output have in common, as the name of the one or of the other. */
export function keyOf(item: InputItem): PairKey {
  return pairOf(jsonOf(item));
}
