import type { ApiError } from '../errors/api-error.js';
import type { Observer } from '../observe/event.js';
import { notify } from '../observe/notify.js';
import { lastFour } from '../observe/redact.js';
import type { KeyPool, PickedKey } from '../request/key-pool.js';

export interface CallKeysOptions {
  readonly pool: KeyPool;
  readonly first: PickedKey;
  readonly callNumber: number;
  readonly observer?: Observer | undefined;
}

/** The key of one call: the same for all its rounds, until the server refuses it. */
export class CallKeys {
  readonly #options: CallKeysOptions;
  #current: PickedKey;
  #isAnnounced = false;

  constructor(options: CallKeysOptions) {
    this.#options = options;
    this.#current = options.first;
  }

  /** Says once which key was chosen. */
  announce(): void {
    if (!this.#isAnnounced) this.#tell({ what: 'chosen' });
    this.#isAnnounced = true;
  }

  get current(): PickedKey {
    return this.#current;
  }

  /**
   * Puts the refused key to rest and takes another, if there is one that was not tried for this round. Only for errors
   * that another key may help against, and only while nothing of the round was seen.
   */
  async replaceAfter(error: ApiError, tried: Set<string>): Promise<boolean> {
    const failed = this.#current;
    const reason = error.serverCode ?? `HTTP ${error.statusCode ?? 0}`;
    tried.add(failed.fingerprint);
    const restMs = this.#options.pool.refused(failed, error);
    if (restMs > 0) this.#tell({ what: 'resting', restMs, reason });
    const next = await this.#options.pool.replace(failed, tried, error);
    if (next === undefined) return false;
    // A function's tokens share a fingerprint: it is asked again once a round.
    tried.add(next.key ?? '');
    this.#current = next;
    this.#tell({ what: 'replaced', reason });
    return true;
  }

  #tell(news: { what: 'chosen' | 'resting' | 'replaced'; restMs?: number; reason?: string }): void {
    const { key } = this.#current;
    if (key === undefined) return;
    const { observer, callNumber } = this.#options;
    notify(observer, () => ({ type: 'key', callNumber, key: lastFour(key), ...news }));
  }
}
