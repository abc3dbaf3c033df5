import type { Session } from '../types/session.js';

/** How many sessions stay loaded although nothing of them is in use. */
const MOST = 100;

/**
 * The sessions that are loaded: those that are in use, and the last ones of all others. A session is one object for as long
 * as anyone has it, also if it did not stay.
 */
export class LiveSessions {
  readonly #loaded = new Map<string, WeakRef<Session>>();
  /** Those that stay; the last one that was asked for is at the end. */
  readonly #staying = new Map<string, Session>();
  readonly #collected = new FinalizationRegistry<string>((id) => {
    if (this.#loaded.get(id)?.deref() === undefined) this.#loaded.delete(id);
  });

  get all(): readonly Session[] {
    return [...this.#loaded.values()].map((session) => session.deref()).filter((session) => session !== undefined);
  }

  peek(id: string): Session | undefined {
    return this.#loaded.get(id)?.deref();
  }

  add(session: Session): void {
    this.#loaded.set(session.id, new WeakRef(session));
    this.#collected.register(session, session.id);
    this.use(session);
  }

  delete(id: string): void {
    this.#loaded.delete(id);
    this.#staying.delete(id);
  }

  /** It was asked for, or begins a turn: it stays, in place of those that nobody has used for longest. */
  use(session: Session): void {
    if (this.peek(session.id) !== session) return;
    this.#staying.delete(session.id);
    this.#staying.set(session.id, session);
    for (const [id, other] of this.#staying) {
      if (this.#staying.size <= MOST) return;
      if (other !== session && other.letGo?.() === true) this.#staying.delete(id);
    }
  }
}
