import type { StoredMessage } from '../types/messages.js';
import type { AgentPersister, OnPersistError } from '../types/persister.js';
import type { SessionState } from '../types/session.js';
import { AgentError } from './agent-error.js';
import type { SessionFacts } from './session-facts.js';
import type { Transcript } from './transcript.js';
import type { WriteQueue } from './write-queue.js';

export interface SessionClaimParts {
  readonly id: string;
  readonly persister: AgentPersister | undefined;
  readonly facts: SessionFacts;
  readonly transcript: Transcript;
  readonly queue: WriteQueue;
  readonly onPersistError: OnPersistError | undefined;
  /** Takes rows that another process wrote. */
  readonly onNews: (rows: readonly StoredMessage[]) => void;
  /** A process died in a turn of the session; the rows are read. */
  readonly onCutOff: () => void;
}

/** Takes a session for one turn, and keeps up with what other processes did to it. */
export class SessionClaimer {
  readonly #parts: SessionClaimParts;

  constructor(parts: SessionClaimParts) {
    this.#parts = parts;
  }

  /**
   * Makes sure that no other process is in a turn of this session, and reads what others have written meanwhile. Answers
   * with the state that it found in the way.
   */
  async claim(): Promise<'claimed' | SessionState> {
    const { id, persister, facts, queue, onPersistError } = this.#parts;
    if (persister?.claimSession === undefined) {
      facts.keptState = 'active';
      queue.addSession();
      return 'claimed';
    }
    try {
      const claim = await persister.claimSession(id, { after: this.#parts.transcript.lastSeq });
      if (claim.outcome === 'closed') return claim.state;
      if (claim.outcome !== 'claimed') return claim.outcome === 'busy' ? 'active' : 'deleted';
      facts.keptState = 'active';
      if (claim.hasNews !== false) await this.readNews();
      if (claim.wasActive) this.#parts.onCutOff();
    } catch (error) {
      if (error instanceof AgentError && error.code === 'disposed') throw error;
      // A database that fails does not stop the talk.
      onPersistError?.(error);
    }
    return 'claimed';
  }

  /** Takes over the rows of other processes, and what they counted. */
  async readNews(): Promise<void> {
    const { id, persister, facts, transcript, onNews } = this.#parts;
    const news = await persister?.getMessages(id, { after: transcript.lastSeq });
    if (persister === undefined || news === undefined || news.length === 0) return;
    transcript.adopt(news);
    facts.adopt(await persister.getSession(id));
    onNews(news);
  }
}
