import type { ClaimedSession, SessionClaim } from '../types/persister.js';
import { sessionGone, sessionLost } from './acceptable.js';
import { isAlive, newOwner } from './owner.js';
import type { KeptSession, SessionStore } from './store.js';

/** What attempts at one claim have seen: one of them may have taken the session although its answer was lost. */
export interface SeenByAttempts {
  wasActive: boolean;
}

/** The sessions that this process has for a turn, and the rule that another one may have them meanwhile. */
export class Claims {
  readonly owner = newOwner();
  /** `false`: no answer came yet to the question whether another process has it. */
  readonly #held = new Map<string, boolean>();

  get isEmpty(): boolean {
    return this.#held.size === 0;
  }

  async claim(
    store: SessionStore,
    id: string,
    { owner = this.owner, after }: ClaimedSession = {},
    seen: SeenByAttempts = { wasActive: false },
  ): Promise<SessionClaim> {
    const taken = await store.take(id, owner, after ?? 0);
    if (taken === undefined) {
      const found = await store.read(id);
      if (found === undefined) return { outcome: 'deleted' };
      const { state, owner: holder } = found.row;
      if (state === 'completed' || state === 'aborted') return { outcome: 'closed', state };
      if (state === 'active' && isHeldByOthers(found, owner)) return { outcome: 'busy' };
      seen.wasActive ||= state === 'active' && holder !== owner;
      // Only if it is still as it was read: another process may be claiming it, too.
      if (!(await store.claim(id, owner, found.row))) return { outcome: 'busy' };
    }
    if (owner === this.owner) this.#held.set(id, true);
    return { outcome: 'claimed', wasActive: seen.wasActive, ...(after !== undefined && taken) };
  }

  /** A claim failed: the talk goes on, and what is said is written once the session is this process's own. */
  want(id: string): void {
    this.#held.set(id, false);
  }

  release(id: string): void {
    this.#held.delete(id);
  }

  /** Whose rows these are: those of a turn of this process are written only while it has the session. */
  async heldBy(store: SessionStore, id: string): Promise<{ readonly owner: string } | undefined> {
    const isSure = this.#held.get(id);
    if (isSure === undefined) return undefined;
    if (!isSure) {
      const { outcome } = await this.claim(store, id);
      if (outcome === 'deleted') throw sessionGone(id);
      if (outcome !== 'claimed') throw sessionLost(id);
    }
    return { owner: this.owner };
  }
}

export function isHeldByOthers({ row: { owner, heartbeat }, now }: KeptSession, self: string): boolean {
  return owner !== self && isAlive(owner, heartbeat, now);
}
