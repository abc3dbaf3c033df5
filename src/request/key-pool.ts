import type { ApiError } from '../errors/api-error.js';
import { FailedFunction } from '../errors/failed-function.js';
import { errorText } from '../util/error-text.js';
import { shortHash } from '../util/hash.js';
import { RecentTexts } from '../util/recent-texts.js';
import { steadyNow } from '../util/timers.js';
import { checkKey, readKeys } from './read-keys.js';
import { askedInWords, retryAfterMs } from './retry-delay.js';

/** A key, a comma-separated list, an array, or a function that is called for every call (tokens that expire). */
export type ApiKeySetting = string | readonly string[] | (() => string | PromiseLike<string>);

/** The key of one call. */
export interface PickedKey {
  /** Secret. `undefined`: no key is sent. */
  readonly key: string | undefined;
  /** Distinguishes keys without showing them. */
  readonly fingerprint: string;
  /** Counts the keys of a list, from 1. */
  readonly keyNumber?: number;
}

export interface PickOptions {
  readonly modelId: string;
  /** Returns the key of the conversation's sealed reasoning; called only if there are several keys. */
  readonly wanted?: () => string | undefined;
}

/** The keys tried for one round. */
export interface TriedKeys {
  readonly fingerprints: ReadonlySet<string>;
  /** Counts the changes of key, because tokens of a function share a fingerprint. */
  readonly replacements: number;
}

const NO_KEY: PickedKey = { key: undefined, fingerprint: 'none' };

export function createKeyPool(
  setting: ApiKeySetting | undefined,
  { now = steadyNow }: { readonly now?: (() => number) | undefined } = {},
): KeyPool {
  return typeof setting === 'function' ? new AskedKeys(setting, now) : new KeyPool(readKeys(setting), now);
}

/** The keys of a provider, used in turn. */
export class KeyPool {
  readonly #keys: readonly PickedKey[];
  readonly #secrets: readonly string[];
  readonly #now: () => number;
  /** The number of turns of each model. */
  readonly #turns = new Map<string, number>();
  /** When a key began to rest, and when its rest ends. */
  readonly #rests = new Map<string, { readonly since: number; readonly until: number }>();

  constructor(keys: readonly string[], now: () => number) {
    this.#keys = keys.map((key, at) => ({ key, fingerprint: shortHash(key), keyNumber: at + 1 }));
    this.#secrets = keys;
    this.#now = now;
  }

  /**
   * Chooses a key: the wanted one, so that a conversation with sealed reasoning keeps its key, else the next in turn
   * for this model. Resting keys are skipped; if all rest, that whose rest ends first.
   */
  pick({ modelId, wanted }: PickOptions): PickedKey | Promise<PickedKey> {
    // An only key has no turns, and never rests.
    if (this.#keys.length < 2) return this.#keys[0] ?? NO_KEY;
    const sealedFor = wanted?.();
    const own = this.#keys.find((entry) => entry.fingerprint === sealedFor && !this.#isResting(entry));
    if (own !== undefined) return own;
    const turn = this.#turns.get(modelId) ?? 0;
    const order = this.#from(turn);
    const step = order.findIndex((entry) => !this.#isResting(entry));
    this.#turns.set(modelId, turn + Math.max(step, 0) + 1);
    return order[step] ?? this.nextAvailable()?.key ?? NO_KEY;
  }

  /** Rests a refused key, and returns for how long, in milliseconds. */
  refused(key: PickedKey, error: ApiError): number {
    // A single key never rests, because no other could replace it.
    if (this.#keys.length < 2) return 0;
    const since = this.#now();
    const ms = restMs(error);
    this.#rests.set(key.fingerprint, { since, until: since + ms });
    return ms;
  }

  /** Ends the rest of a key that worked, unless a server refused it after this request was sent (at `sentAt`). */
  worked({ fingerprint }: PickedKey, sentAt: number): void {
    const rest = this.#rests.get(fingerprint);
    if (rest !== undefined && rest.since <= sentAt) this.#rests.delete(fingerprint);
  }

  /** Returns a replacement that was not tried and does not rest. */
  async replace(failed: PickedKey, tried: TriedKeys, _error: ApiError): Promise<PickedKey | undefined> {
    const after = this.#keys.findIndex((entry) => entry.fingerprint === failed.fingerprint) + 1;
    return this.#from(after).find((entry) => !tried.fingerprints.has(entry.fingerprint) && !this.#isResting(entry));
  }

  /** Returns the key whose rest ends first, and the wait. `undefined`: only one key. */
  nextAvailable(): { readonly key: PickedKey; readonly waitMs: number } | undefined {
    if (this.#keys.length < 2) return undefined;
    const [key] = this.#keys.toSorted((a, b) => this.#backAt(a) - this.#backAt(b));
    return key === undefined ? undefined : { key, waitMs: Math.max(0, this.#backAt(key) - this.#now()) };
  }

  /** Notes the key of a request, because an answer to any call may repeat it. */
  sends(_key: PickedKey): void {}

  /** The keys, or those that a function recently returned or a request used; the same array until they change. */
  secrets(): readonly string[] {
    return this.#secrets;
  }

  #from(start: number): readonly PickedKey[] {
    const at = start % this.#keys.length;
    return [...this.#keys.slice(at), ...this.#keys.slice(0, at)];
  }

  #isResting(key: PickedKey): boolean {
    return this.#backAt(key) > this.#now();
  }

  #backAt({ fingerprint }: PickedKey): number {
    return this.#rests.get(fingerprint)?.until ?? 0;
  }
}

/**
 * A token changes from call to call, but belongs to one account, so all share a fingerprint. No token rests, because no
 * other could replace it.
 */
class AskedKeys extends KeyPool {
  readonly #ask: () => string | PromiseLike<string>;
  readonly #tokens: RecentTexts;

  constructor(ask: () => string | PromiseLike<string>, now: () => number) {
    super([], now);
    this.#ask = ask;
    this.#tokens = new RecentTexts(now);
  }

  override async pick(): Promise<PickedKey> {
    const key = checkKey(await this.#answer());
    const picked = { key: key === '' ? undefined : key, fingerprint: 'dynamic' };
    this.sends(picked);
    return picked;
  }

  /** A token may have expired during a long call: the function is called again. */
  override async replace(failed: PickedKey, tried: TriedKeys, error: ApiError): Promise<PickedKey | undefined> {
    if (error.statusCode !== 401 || tried.replacements > 0) return undefined;
    const fresh = await this.pick();
    return fresh.key === failed.key ? undefined : fresh;
  }

  override sends({ key }: PickedKey): void {
    if (key !== undefined) this.#tokens.add(key);
  }

  override secrets(): readonly string[] {
    return this.#tokens.list();
  }

  async #answer(): Promise<unknown> {
    try {
      return await this.#ask();
    } catch (cause) {
      throw new FailedFunction('missing-api-key', `The apiKey function failed: ${errorText(cause)}`, cause);
    }
  }
}

const MINUTE_MS = 60_000;
/** The longest rest that a server can set, because the account may have been paid meanwhile. */
const LONGEST_REST_MS = 60 * MINUTE_MS;
/** The shortest rest; otherwise concurrent calls would each try every key. */
const SHORTEST_REST_MS = 1_000;

/** An empty account, or a wrong or unauthorized key: a short wait does not help. */
const LONG_REST_MS = 10 * MINUTE_MS;
const LONG_REST_STATUSES: ReadonlySet<number | undefined> = new Set([401, 403]);
const QUOTA = /quota|billing|credit/i;

/**
 * Returns how long a key rests, as the headers request. An error text may echo one call's input, but a rest affects all
 * calls, so the text can only shorten it. Waiting restores no spent quota, so a shorter time in the same error concerns
 * the rate.
 */
function restMs(error: ApiError): number {
  const { statusCode, serverCode, responseHeaders } = error;
  const usual = LONG_REST_STATUSES.has(statusCode) ? LONG_REST_MS : MINUTE_MS / 2;
  // A server may name a date.
  const asked = retryAfterMs(responseHeaders, Date.now()) ?? Math.min(askedInWords(error) ?? usual, usual);
  const isSpent = statusCode === 402 || QUOTA.test(serverCode ?? '');
  const least = isSpent ? LONG_REST_MS : SHORTEST_REST_MS;
  return Math.min(Math.max(asked, least), LONGEST_REST_MS);
}
