import type { JsonObject } from '../core/json.js';
import type { Profile } from '../core/profile.js';
import { callOfOutput, isAnsweredByItem, isServersCall, pairKey } from '../core/call-items.js';
import type { InputItem } from '../wire/input-item.js';
import { asString } from '../util/guards.js';

interface Pair {
  calls: number;
  outputs: number;
}

/** The part of an input that is being looked at. */
interface Slice {
  readonly calls: ReadonlySet<string>;
  readonly outputs: ReadonlySet<string>;
  /** Outputs that stand before their calls. */
  readonly early: Map<string, InputItem>;
  readonly runsCustom: boolean;
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

  /** `continues`: the server may have the calls. */
  of(
    items: readonly InputItem[],
    { continues = false, profile }: { readonly continues?: boolean | undefined; readonly profile: Profile },
  ): InputItem[] {
    const keys = items.map(keyOf);
    const slice: Slice = {
      calls: new Set(keys.flatMap(({ call }) => call ?? [])),
      outputs: new Set(keys.flatMap(({ output }) => output ?? [])),
      early: new Map(),
      // xAI runs what has the form of a custom tool's call, and gives no output for it.
      runsCustom: profile.vendor === 'xai',
    };
    return items.flatMap((item, at) => {
      const { call, output } = keys[at] ?? {};
      if (call !== undefined) return this.#call(item, call, slice);
      return output === undefined ? [item] : this.#output(item, { key: output, continues, slice });
    });
  }

  #call(item: InputItem, key: string, { outputs, early, runsCustom }: Slice): InputItem[] {
    const pair = this.#pairOf(key);
    const isServers = isServersItem(item, runsCustom);
    if (pair.calls > 0 && !(isServers && key.endsWith(' '))) return this.#leaveOut(item, 'it comes twice');
    if (!isServers && !outputs.has(key)) return this.#leaveOut(item, 'it has no output');
    pair.calls += 1;
    const output = early.get(key);
    if (output === undefined) return [item];
    pair.outputs += 1;
    return [item, output];
  }

  #output(
    item: InputItem,
    { key, continues, slice }: { readonly key: string; readonly continues: boolean; readonly slice: Slice },
  ): InputItem[] {
    const pair = this.#pairOf(key);
    if (pair.outputs < pair.calls || (continues && pair.outputs === 0)) {
      pair.outputs += 1;
      return [item];
    }
    const isEarly = pair.calls === 0 && slice.calls.has(key) && !slice.early.has(key);
    if (!isEarly) return this.#leaveOut(item, pair.calls === 0 ? 'it has no call' : 'it comes twice');
    slice.early.set(key, item);
    return [];
  }

  #pairOf(key: string): Pair {
    const known = this.#pairs.get(key);
    if (known !== undefined) return known;
    const pair = { calls: 0, outputs: 0 };
    this.#pairs.set(key, pair);
    return pair;
  }

  #leaveOut(item: InputItem, why: string): InputItem[] {
    const warning = `An item of type "${item.type}" was not sent: ${why}, and servers refuse that.`;
    if (!this.#said.has(warning)) this.warnings.push(warning);
    this.#said.add(warning);
    return [];
  }
}

/** What the server runs needs no output. */
function isServersItem(item: InputItem, runsCustom: boolean): boolean {
  if (item.type === 'custom_tool_call') return runsCustom;
  // Items are JSON objects, which their types do not say.
  return isServersCall(asString(item.type) ?? '', item as unknown as JsonObject);
}

/** What a call and its output have in common, as the name of the one or of the other. */
export function keyOf(item: InputItem): { readonly call?: string; readonly output?: string } {
  // Items are JSON objects, which their types do not say.
  const json = item as unknown as JsonObject;
  const type = asString(json['type']) ?? '';
  const answers = type === 'function_call_output' ? 'function_call' : callOfOutput(type);
  if (answers !== undefined) return { output: pairKey(answers, json) };
  return type === 'function_call' || isAnsweredByItem(type) ? { call: pairKey(type, json) } : {};
}
