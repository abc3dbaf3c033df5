import type { EventUsage } from '../types/events.js';
import type { AdapterMessage, StoredMessage } from '../types/messages.js';
import type { AgentPersister } from '../types/persister.js';
import type { SessionState } from '../types/session.js';
import { AgentError } from './agent-error.js';
import { cutOffRows } from './cut-off.js';
import { interruptedResult, openCalls } from './open-calls.js';
import { SessionClaimer } from './session-claim.js';
import { SessionFacts } from './session-facts.js';
import type { SessionParts } from './session-parts.js';
import { Transcript } from './transcript.js';
import { WriteQueue } from './write-queue.js';

/** How long the end of a turn waits for its rows to be written; a slow disk must not stop the talk. */
const SETTLE_MS = 1000;

export interface SessionRecordEvents {
  /** Finds the id that the driver's own program has for the talk. */
  readonly extractSessionId: (row: AdapterMessage) => string | undefined;
  /** Another process deleted the session. */
  readonly onDeleted: () => void;
  /** Another process has the session: its turn here is over. */
  readonly onLost: (error: AgentError) => void;
}

/** What is known of a session and is kept: its rows, its facts, and the order in which they are written. */
export class SessionRecord {
  readonly transcript: Transcript;
  readonly facts: SessionFacts;
  readonly #id: string;
  readonly #persister: AgentPersister | undefined;
  agentSessionId: string | null = null;
  readonly #extractSessionId: SessionRecordEvents['extractSessionId'];
  readonly #queue: WriteQueue;
  readonly #claimer: SessionClaimer;
  /** Another process has the session: the place of the last row that was kept before. */
  #lostAfter: number | undefined;

  constructor({ id, metadata, options, persister, messages, usage }: SessionParts, events: SessionRecordEvents) {
    const { onPersistError, onWarning } = options;
    // Whether another process is in a turn of it is asked when it matters.
    const state = metadata.state === 'active' ? 'idle' : metadata.state;
    this.#id = id;
    this.#persister = persister;
    this.transcript = new Transcript(messages ?? []);
    this.#extractSessionId = events.extractSessionId;
    for (const row of this.transcript.messages) this.readSessionId(row);
    this.facts = new SessionFacts(id, metadata, state, usage);
    this.#queue = new WriteQueue({
      ...{ sessionId: id, persister, onPersistError, onWarning },
      session: () => this.facts.data(),
      onDeleted: events.onDeleted,
      onLost: (error, firstSeq = this.transcript.lastSeq + 1) => {
        this.#lostAfter ??= firstSeq - 1;
        events.onLost(error);
      },
    });
    this.#claimer = new SessionClaimer({
      ...{ id, persister, onPersistError, facts: this.facts, transcript: this.transcript, queue: this.#queue },
      onNews: (rows) => rows.forEach((row) => this.readSessionId(row)),
      onCutOff: () => cutOffRows(this.transcript.held).forEach((row) => this.append(row)),
    });
  }

  readSessionId(row: AdapterMessage): void {
    this.agentSessionId = this.#extractSessionId(row) ?? this.agentSessionId;
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

  /** What is kept at the end of a turn. */
  async endTurn(usage: EventUsage | undefined, to: SessionState): Promise<void> {
    if (this.#leaveIfLost()) return;
    for (const call of openCalls(this.transcript.held)) this.append(interruptedResult(call));
    this.facts.count(usage);
    this.keep(to);
    await this.settled();
    this.#leaveIfLost();
  }

  /** Forgets what was said after another process took the session over: what that one wrote is read with the next turn. */
  #leaveIfLost(): boolean {
    if (this.#lostAfter === undefined) return false;
    this.transcript.cutAfter(this.#lostAfter);
    this.#lostAfter = undefined;
    this.#queue.begin();
    this.facts.keptState = 'idle';
    return true;
  }

  async claim(): Promise<'claimed' | SessionState> {
    await this.settled();
    this.#leaveIfLost();
    return this.#claimer.claim();
  }

  /** The state that is kept; `undefined`, if the session is kept nowhere. */
  async stateElsewhere(): Promise<SessionState | undefined> {
    if (this.#persister === undefined) return undefined;
    const data = await this.#persister.getSession(this.#id);
    // What is still to be written here counts more.
    if (this.#queue.isEmpty) this.facts.adopt(data);
    return data?.state ?? 'deleted';
  }

  async remove(): Promise<void> {
    try {
      await this.#persister?.deleteSession(this.#id);
    } catch (error) {
      throw new AgentError('persist_failed', `Session ${this.#id} could not be deleted.`, { cause: error });
    }
  }

  /** Nothing is to be written, and nobody listens. */
  get isAtRest(): boolean {
    return this.#queue.isAtRest && !this.transcript.hasListeners;
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
