import type { AdapterMessage, StoredMessage } from '../types/messages.js';
import type { AgentPersister } from '../types/persister.js';
import type { SessionState } from '../types/session.js';
import { cutOffRows } from './cut-off.js';
import { SessionClaimer } from './session-claim.js';
import { SessionFacts } from './session-facts.js';
import type { SessionParts } from './session-parts.js';
import { Transcript } from './transcript.js';
import { WriteQueue } from './write-queue.js';

/** How long the end of a turn waits for its rows to be written; a slow disk must not stop the talk. */
const SETTLE_MS = 1000;

export interface SessionRecordEvents {
  /** Takes rows that another process wrote. */
  readonly onNews: (rows: readonly StoredMessage[]) => void;
  /** Another process deleted the session. */
  readonly onDeleted: () => void;
}

/** What is known of a session and is kept: its rows, its facts, and the order in which they are written. */
export class SessionRecord {
  readonly transcript: Transcript;
  readonly facts: SessionFacts;
  readonly persister: AgentPersister | undefined;
  readonly #queue: WriteQueue;
  readonly #claimer: SessionClaimer;

  constructor({ id, metadata, options, persister, messages, usage }: SessionParts, events: SessionRecordEvents) {
    const { onPersistError, onWarning } = options;
    // Whether another process is in a turn of it is asked when it matters.
    const state = metadata.state === 'active' ? 'idle' : metadata.state;
    this.persister = persister;
    this.transcript = new Transcript(messages ?? []);
    this.facts = new SessionFacts(id, metadata, state, usage);
    this.#queue = new WriteQueue({
      ...{ sessionId: id, persister, onPersistError, onWarning },
      session: () => this.facts.data(),
      onDeleted: events.onDeleted,
    });
    this.#claimer = new SessionClaimer({
      ...{ id, persister, onPersistError, facts: this.facts, transcript: this.transcript, queue: this.#queue },
      onNews: events.onNews,
      onCutOff: () => cutOffRows(this.transcript.messages).forEach((row) => this.append(row)),
    });
  }

  readonly append = (message: AdapterMessage, turn = this.transcript.lastTurn): StoredMessage => {
    const row = this.transcript.append(message, turn, crypto.randomUUID());
    this.#queue.addMessage(row);
    return row;
  };

  /** From now on the session is in this state. */
  keep(state: SessionState): void {
    this.facts.enter(state);
    this.#queue.addSession();
  }

  claim(): Promise<'claimed' | SessionState> {
    return this.#claimer.claim();
  }

  readNews(): Promise<void> {
    return this.#claimer.readNews();
  }

  /** What was said is written, or a disk is too slow to be waited for. */
  settled(): Promise<void> {
    return this.#queue.settled(SETTLE_MS);
  }

  flush(): Promise<void> {
    return this.#queue.flush();
  }

  /** Nothing more is written. */
  drop(): void {
    this.#queue.drop();
  }
}
