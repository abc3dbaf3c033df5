import type { ApiError } from '../errors/api-error.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { errorText } from '../util/error-text.js';
import { shortHash } from '../util/hash.js';
import { RecentTexts } from '../util/recent-texts.js';
import { checkKey, readKeys } from './read-keys.js';
import { askedInWords, retryAfterMs } from './retry-delay.js';

/** One key, a comma list, an array, or a function that is asked for every call (tokens that expire). */
export type ApiKeySetting = string | readonly string[] | (() => string | PromiseLike<string>);

/** The key of one call. */
export interface PickedKey {
  /** Secret. `undefined`: no key is sent. */
  readonly key: string | undefined;
  /** Distinguishes keys without showing them. */
  readonly fingerprint: string;
}

export interface PickOptions {
  readonly modelId: string;
  /** The key that the conversation's sealed reasoning belongs to; asked where there is a choice. */
  readonly wanted?: () => string | undefined;
}

/** What was tried for one round. */
export interface TriedKeys {
  readonly fingerprints: ReadonlySet<string>;
  /** How often another key took over: tokens of a function share a fingerprint. */
  readonly replacements: number;
}

export interface KeyPool {
  /**
   * Chooses a key: the wanted one, so that a conversation with sealed reasoning keeps its key, else the next in turn for
   * this model. Keys that rest are passed over; where all rest, the one that is first to be back.
   */
  pick(options: PickOptions): PickedKey | Promise<PickedKey>;
  /** Puts a refused key to rest; says for how long, in milliseconds. */
  refused(key: PickedKey, error: ApiError): number;
  /** A key that worked rests no longer, unless it was refused after this request had been sent (at `sentAt`). */
  worked(key: PickedKey, sentAt: number): void;
  /** A key to try in its place: none of those tried, none that rests. */
  replace(failed: PickedKey, tried: TriedKeys, error: ApiError): Promise<PickedKey | undefined>;
  /** The first key to be back, and how long that takes. `undefined`: there is no key to wait for. */
  nextAvailable(): { readonly key: PickedKey; readonly waitMs: number } | undefined;
  /** A request goes out with this key: an answer may repeat it, to this call or to another one. */
  sends(key: PickedKey): void;
  /** The keys, or those that a function gave or a request was sent with of late; the same array until they change. */
  secrets(): readonly string[];
}

export interface KeyPoolOptions {
  readonly now?: (() => number) | undefined;
}

const NO_KEY: PickedKey = { key: undefined, fingerprint: 'none' };

export function createKeyPool(setting: ApiKeySetting | undefined, options: KeyPoolOptions = {}): KeyPool {
  if (typeof setting === 'function') return new AskedKeys(setting, options.now);
  const keys = readKeys(setting);
  return new RotatingKeys(keys, options);
}

/** A token changes from call to call, yet belongs to one account: all of them share a fingerprint. */
class AskedKeys implements KeyPool {
  readonly #ask: () => string | PromiseLike<string>;
  readonly #tokens: RecentTexts;

  constructor(ask: () => string | PromiseLike<string>, now: () => number = Date.now) {
    this.#ask = ask;
    this.#tokens = new RecentTexts(now);
  }

  async pick(): Promise<PickedKey> {
    const key = checkKey(await this.#answer());
    if (key === '') return { key: undefined, fingerprint: 'dynamic' };
    this.#tokens.add(key);
    return { key, fingerprint: 'dynamic' };
  }

  /** There is no other account to turn to. */
  refused(): number {
    return 0;
  }

  worked(): void {}

  nextAvailable(): undefined {}

  /** A token may have expired during a long call: the function is asked once more. */
  async replace(failed: PickedKey, tried: TriedKeys, error: ApiError): Promise<PickedKey | undefined> {
    if (error.statusCode !== 401 || tried.replacements > 0) return undefined;
    const fresh = await this.pick();
    return fresh.key === failed.key ? undefined : fresh;
  }

  sends({ key }: PickedKey): void {
    if (key !== undefined) this.#tokens.add(key);
  }

  secrets(): readonly string[] {
    return this.#tokens.list();
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
  readonly #secrets: readonly string[];
  readonly #now: () => number;
  /** How often each model had its turn. */
  readonly #turns = new Map<string, number>();
  /** Since when a key rests, and when it is back. */
  readonly #rests = new Map<string, { readonly since: number; readonly ms: number }>();

  constructor(keys: readonly string[], { now = Date.now }: KeyPoolOptions) {
    this.#keys = keys.map((key) => ({ key, fingerprint: shortHash(key) }));
    this.#secrets = keys;
    this.#now = now;
  }

  pick({ modelId, wanted }: PickOptions): PickedKey {
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

  refused(key: PickedKey, error: ApiError): number {
    // A single key never rests: there is no other one to use meanwhile.
    if (this.#keys.length < 2) return 0;
    const since = this.#now();
    const rest = restMs(error, since);
    this.#rests.set(key.fingerprint, { since, ms: rest });
    return rest;
  }

  worked({ fingerprint }: PickedKey, sentAt: number): void {
    const rest = this.#rests.get(fingerprint);
    if (rest !== undefined && rest.since <= sentAt) this.#rests.delete(fingerprint);
  }

  async replace(failed: PickedKey, tried: TriedKeys): Promise<PickedKey | undefined> {
    const after = this.#keys.findIndex((entry) => entry.fingerprint === failed.fingerprint) + 1;
    return this.#from(after).find((entry) => !tried.fingerprints.has(entry.fingerprint) && !this.#isResting(entry));
  }

  nextAvailable(): { key: PickedKey; waitMs: number } | undefined {
    if (this.#keys.length < 2) return undefined;
    const [key] = this.#keys.toSorted((a, b) => this.#backAt(a) - this.#backAt(b));
    return key === undefined ? undefined : { key, waitMs: Math.max(0, this.#backAt(key) - this.#now()) };
  }

  sends(): void {}

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
    const rest = this.#rests.get(fingerprint);
    if (rest === undefined) return 0;
    // The clock was set back: how long the key has rested cannot be known, so its rest begins anew, and is no longer.
    const since = Math.min(rest.since, this.#now());
    if (since < rest.since) this.#rests.set(fingerprint, { since, ms: rest.ms });
    return since + rest.ms;
  }
}

const MINUTE_MS = 60_000;
/** No server's word is taken for longer than this: somebody may have paid meanwhile. */
const LONGEST_REST_MS = 60 * MINUTE_MS;
/** Nor for less than this: calls at the same time would each ask with every key, one after the other. */
const SHORTEST_REST_MS = 1_000;

/** How long a key rests after a refusal where the server does not say; milliseconds. */
const REST_MS: Readonly<Record<number, number>> = {
  // The key itself is wrong, or not allowed this.
  401: 10 * MINUTE_MS,
  403: 10 * MINUTE_MS,
  429: MINUTE_MS / 2,
};
/** No money left: the least that such a key rests. */
const SPENT_MS = 10 * MINUTE_MS;

const QUOTA = /quota|billing|credit/i;

function restMs(error: ApiError, now: number): number {
  const asked = retryAfterMs(error.responseHeaders, now) ?? restInWords(error);
  const rest = isSpent(error) ? Math.max(asked ?? 0, SPENT_MS) : (asked ?? usualMs(error));
  return Math.min(Math.max(rest, SHORTEST_REST_MS), LONGEST_REST_MS);
}

/** A rest is for all calls, and words may be repeated from one of them: they can only shorten it. */
function restInWords(error: ApiError): number | undefined {
  const asked = askedInWords(error);
  return asked === undefined ? undefined : Math.min(asked, usualMs(error));
}

/** Quota that is used up does not come back by waiting, unlike a rate: a server that asks for less speaks of its rate. */
function isSpent({ statusCode, serverCode }: ApiError): boolean {
  return statusCode === 402 || QUOTA.test(serverCode ?? '');
}

function usualMs({ statusCode }: ApiError): number {
  return REST_MS[statusCode ?? 0] ?? MINUTE_MS / 2;
}
