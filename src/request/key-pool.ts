import type { ApiError } from '../errors/api-error.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { delay } from '../util/delay.js';
import { errorText } from '../util/error-text.js';
import { shortHash } from '../util/hash.js';
import { checkKey, readKeys } from './read-keys.js';
import { restMs } from './key-rest.js';

/** One key, a comma list, an array, or a function that is asked for every call (tokens that expire). */
export type ApiKeySetting = string | readonly string[] | (() => string | PromiseLike<string>);

/** The key of one call. */
export interface PickedKey {
  /** Secret. `undefined`: no key is sent. */
  readonly key: string | undefined;
  /** Tells keys apart without giving them away. */
  readonly fingerprint: string;
}

export interface PickOptions {
  readonly modelId: string;
  /** The key that the conversation's sealed reasoning belongs to. */
  readonly wanted?: string | undefined;
  readonly signal: AbortSignal;
}

export interface KeyPool {
  /**
   * Chooses a key: the wanted one, so that a conversation with sealed reasoning keeps its key, else the next in turn for
   * this model. Keys that rest are passed over; where all rest, the one that is first to be back.
   */
  pick(options: PickOptions): Promise<PickedKey>;
  /** Puts a refused key to rest; says for how long, in milliseconds. */
  refused(key: PickedKey, error: ApiError): number;
  /** A key to try in its place: none of those tried, none that rests. */
  replace(failed: PickedKey, tried: ReadonlySet<string>, error: ApiError): Promise<PickedKey | undefined>;
  /** Every key seen, to take them out of texts. */
  secrets(): readonly string[];
}

export interface KeyPoolOptions {
  /** Where all keys rest: how long to wait for the first to be back, before it is tried all the same. Default 0. */
  readonly maxWaitMs?: number | undefined;
  readonly now?: (() => number) | undefined;
}

const NO_KEY: PickedKey = { key: undefined, fingerprint: 'none' };

export function createKeyPool(setting: ApiKeySetting | undefined, options: KeyPoolOptions = {}): KeyPool {
  if (typeof setting === 'function') return new AskedKeys(setting);
  const keys = readKeys(setting);
  return new RotatingKeys(keys, options);
}

/** A token changes from call to call, yet belongs to one account: all of them share a fingerprint. */
class AskedKeys implements KeyPool {
  readonly #ask: () => string | PromiseLike<string>;
  readonly #seen = new Set<string>();

  constructor(ask: () => string | PromiseLike<string>) {
    this.#ask = ask;
  }

  async pick(): Promise<PickedKey> {
    const key = checkKey(await this.#answer());
    if (key === '') return { key: undefined, fingerprint: 'dynamic' };
    this.#seen.add(key);
    return { key, fingerprint: 'dynamic' };
  }

  /** There is no other account to turn to. */
  refused(): number {
    return 0;
  }

  /** A token may have expired during a long call: whoever hands them out is asked once more. */
  async replace(failed: PickedKey, tried: ReadonlySet<string>, error: ApiError): Promise<PickedKey | undefined> {
    if (error.statusCode !== 401 || tried.size > 1) return undefined;
    const fresh = await this.pick();
    return fresh.key === failed.key ? undefined : fresh;
  }

  secrets(): readonly string[] {
    return [...this.#seen];
  }

  async #answer(): Promise<unknown> {
    try {
      return await this.#ask();
    } catch (cause) {
      const message = `The apiKey function failed: ${errorText(cause)}`;
      throw new ResponsesLoopError({ code: 'missing-api-key', message, cause });
    }
  }
}

class RotatingKeys implements KeyPool {
  readonly #keys: readonly PickedKey[];
  readonly #maxWaitMs: number;
  readonly #now: () => number;
  /** How often each model had its turn. */
  readonly #turns = new Map<string, number>();
  /** When a resting key is back. */
  readonly #backAt = new Map<string, number>();

  constructor(keys: readonly string[], { maxWaitMs, now }: KeyPoolOptions) {
    this.#keys = keys.map((key) => ({ key, fingerprint: shortHash(key) }));
    this.#maxWaitMs = maxWaitMs ?? 0;
    this.#now = now ?? Date.now;
  }

  async pick({ modelId, wanted, signal }: PickOptions): Promise<PickedKey> {
    if (this.#keys.length === 0) return NO_KEY;
    const own = this.#keys.find((entry) => entry.fingerprint === wanted && !this.#rests(entry));
    if (own !== undefined) return own;
    const turn = this.#turns.get(modelId) ?? 0;
    const order = this.#from(turn);
    const step = order.findIndex((entry) => !this.#rests(entry));
    this.#turns.set(modelId, turn + Math.max(step, 0) + 1);
    return order[step] ?? this.#firstBack(signal);
  }

  refused(key: PickedKey, error: ApiError): number {
    // An only key has nobody to rest for.
    if (this.#keys.length < 2) return 0;
    const rest = restMs(error, this.#now());
    this.#backAt.set(key.fingerprint, this.#now() + rest);
    return rest;
  }

  async replace(failed: PickedKey, tried: ReadonlySet<string>): Promise<PickedKey | undefined> {
    const after = this.#keys.findIndex((entry) => entry.fingerprint === failed.fingerprint) + 1;
    return this.#from(after).find((entry) => !tried.has(entry.fingerprint) && !this.#rests(entry));
  }

  secrets(): readonly string[] {
    return this.#keys.flatMap(({ key }) => key ?? []);
  }

  #from(start: number): readonly PickedKey[] {
    const at = start % this.#keys.length;
    return [...this.#keys.slice(at), ...this.#keys.slice(0, at)];
  }

  #rests({ fingerprint }: PickedKey): boolean {
    const backAt = this.#backAt.get(fingerprint);
    return backAt !== undefined && backAt > this.#now();
  }

  async #firstBack(signal: AbortSignal): Promise<PickedKey> {
    const backAt = (entry: PickedKey): number => this.#backAt.get(entry.fingerprint) ?? 0;
    const first = this.#keys.toSorted((a, b) => backAt(a) - backAt(b))[0] ?? NO_KEY;
    const wait = Math.min(backAt(first) - this.#now(), this.#maxWaitMs);
    if (wait > 0) await delay(wait, signal);
    return first;
  }
}
