import type { ApiError } from '../errors/api-error.js';
import type { Observer } from '../observe/event.js';
import { notify } from '../observe/notify.js';
import { lastFour, type Redactor } from '../observe/redact.js';
import { redactThrown } from '../observe/redact-error.js';
import type { KeyPool, PickedKey } from '../request/key-pool.js';
import type { RequestDraft } from '../settings/request-hooks.js';
import { defined } from '../util/defined.js';

export interface CallKeysOptions {
  readonly pool: KeyPool;
  readonly first: PickedKey;
  readonly redactor: Redactor;
  readonly callNumber: number;
  readonly observer?: Observer | undefined;
}

/** The key of one call: the same for all its rounds, until the server refuses it. */
export class CallKeys {
  readonly #options: CallKeysOptions;
  current: PickedKey;
  #isAnnounced = false;
  /** When the present request was sent with the key; `undefined`: it was sent without the key. */
  #sentAt: number | undefined;
  readonly #tried = new Set<string>();
  #replacements = 0;
  /** For the whole call, because the pool forgets tokens of a function after a while. */
  #used: readonly string[];
  /** Removes the keys of this call and the provider's secrets from texts. */
  readonly redactor: Redactor;

  constructor(options: CallKeysOptions) {
    const { first, redactor } = options;
    this.#options = options;
    this.current = first;
    this.#used = first.key === undefined ? [] : [first.key];
    this.redactor = redactor.and(() => this.#used);
  }

  /** Allows every key again: for a new round, or after a pause. */
  startOver(): void {
    this.#tried.clear();
    this.#replacements = 0;
  }

  /**
   * Notes whether an outgoing request has the key, and reports the choice once. The user's headers or an `auth`
   * function may replace it. A refusal then concerns no key.
   */
  sends(draft: RequestDraft, now: number): void {
    this.#sentAt = holds(draft, this.current) ? now : undefined;
    this.#options.pool.sends(this.current);
    if (this.#sentAt === undefined || this.#isAnnounced) return;
    this.#announce({ what: 'chosen' });
    this.#isAnnounced = true;
  }

  worked(): void {
    if (this.#sentAt !== undefined) this.#options.pool.worked(this.current, this.#sentAt);
  }

  /**
   * Rests the refused key and takes one that was not tried for this round, if any. Only for errors that another key may
   * solve, and only before a visible part.
   */
  async replaceAfter(error: ApiError, { sameAccount }: { readonly sameAccount: boolean }): Promise<boolean> {
    if (this.#sentAt === undefined) return false;
    const failed = this.current;
    this.#tried.add(failed.fingerprint);
    const pauseMs = this.#options.pool.refused(failed, error);
    if (pauseMs > 0) this.#announce({ what: 'paused', pauseMs, reason: reasonOf(error) });
    const tried = { fingerprints: this.#tried, replacements: this.#replacements };
    const { pool } = this.#options;
    const next = await withoutSecrets(pool.replace(failed, tried, error), this.redactor);
    if (next === undefined || (sameAccount && next.fingerprint !== failed.fingerprint)) return false;
    this.#replacements += 1;
    this.use(next, error);
    return true;
  }

  /** How many keys the server has refused for this round. */
  get refused(): number {
    return this.#tried.size;
  }

  /** The first key whose rest ends after all were refused. */
  nextAvailable(): { readonly key: PickedKey; readonly waitMs: number } | undefined {
    return this.#sentAt === undefined ? undefined : this.#options.pool.nextAvailable();
  }

  use(key: PickedKey, error: ApiError): void {
    if (key.key === this.current.key) return;
    this.current = key;
    if (key.key !== undefined && !this.#used.includes(key.key)) this.#used = [...this.#used, key.key];
    this.#announce({ what: 'replaced', reason: reasonOf(error) });
  }

  #announce(news: { what: 'chosen' | 'paused' | 'replaced'; pauseMs?: number; reason?: string }): void {
    const { key, keyNumber } = this.current;
    if (key === undefined) return;
    const { observer, callNumber } = this.#options;
    notify(observer, () => ({ type: 'key', callNumber, key: lastFour(key), ...defined({ keyNumber }), ...news }));
  }
}

/** An `apiKey` function's error may include an earlier token. */
export async function withoutSecrets<T>(key: Promise<T>, redactor: Redactor): Promise<T> {
  try {
    return await key;
  } catch (error) {
    throw redactThrown(error, redactor);
  }
}

function holds({ url, headers }: RequestDraft, { key }: PickedKey): boolean {
  if (key === undefined) return false;
  const inUrls = encodeURIComponent(key);
  for (const text of [url, ...Object.values(headers)]) if (text.includes(key) || text.includes(inUrls)) return true;
  return false;
}

function reasonOf({ statusCode = 200, serverCode }: ApiError): string {
  return `HTTP ${statusCode}${serverCode === undefined ? '' : ` (${serverCode})`}`;
}
