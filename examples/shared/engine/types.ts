/**
 * Turns that any of several instances can run, and that go on elsewhere if their instance dies. An application gives one
 * function that runs a turn; the engine decides where it runs, keeps its steps and its events in Postgres, and tells every
 * instance about them. The provider's `journal` is `() => journalOfTurn.getStore()` (`journal-of-turn.ts`).
 */
export interface TurnEngine {
  /** Takes turns now: it is neither closed nor cut off from the database. */
  readonly isReady: boolean;
  readonly isClosed: boolean;
  /** This instance among the others. */
  readonly member: Member;
  /** Starts a turn here. `busy`: the stream has a turn that runs, here or elsewhere. */
  start(turn: NewTurn): Promise<KeptTurn | 'busy'>;
  /** The streams whose turn has not ended, wherever it runs. */
  running(): Promise<ReadonlySet<string>>;
  /** The last turn of a stream, wherever it runs or ran. Its events are kept until the turn after the next one begins. */
  latest(stream: string): Promise<LatestTurn | undefined>;
  /**
   * Asks for the end of a stream's turn, wherever it runs, and waits until it has ended. `how` is handed to the turn; what was
   * asked for first counts. If `id` is given, only the turn of that id is ended. Returns whether there was a turn.
   */
  stop(stream: string, how: string, id?: string): Promise<boolean>;
  /** The events of a turn after a sequence number, as they come, until the turn has ended; the signal ends it sooner. */
  follow(turn: KeptTurn, after: number, signal?: AbortSignal): AsyncGenerator<KeptEvent, void>;
  /** Deletes the turns of a stream that have ended, with their inputs, their events and their journals. */
  forget(stream: string): Promise<void>;
  /**
   * Takes no more turns, gives the steps that run `graceMs` to end, and leaves the turns to the other instances. Then closes
   * its connections.
   */
  close(graceMs?: number): Promise<void>;
}

export interface Member {
  /** Another one after each time that it was cut off. */
  readonly name: string;
  /** Whether nobody else can have what it holds under its name. */
  readonly isSure: boolean;
  /** Called as soon as it may have lost all that it holds. Returns what ends it. */
  onCut(listener: () => void): () => void;
}

export interface EngineOptions {
  /** `postgres://…` */
  readonly database: string;
  /** What the turns belong to, such as `agent`: applications may share a database. */
  readonly application: string;
  /**
   * Runs a turn, or what is left of it: an attempt that follows another one takes recorded steps from the journal. What it
   * throws ends the turn. It has to do the same again for the same records: begin the same steps in the same order.
   */
  readonly run: (turn: TurnAttempt) => Promise<void>;
  /**
   * How events of a recovered turn are compared with those that are kept; `undefined` for what `rewound` made. Absent: an
   * attempt that follows another one repeats nothing and records no steps. It goes on from what the application has stored, and
   * its events take the place of those that are kept.
   */
  readonly compare?: ((event: unknown) => Comparable | undefined) | undefined;
  /** The event that tells clients that the events after a sequence number are replaced by what follows. */
  readonly rewound: (after: number) => unknown;
  /**
   * Ends a turn for the application if its `run` threw, or if no attempt can go on with it, and gives its last events. Never
   * rejects.
   */
  readonly failed: (error: unknown, turn: TurnAttempt) => Promise<readonly unknown[]>;
  /** Which of these streams the application has deleted: the instances forget them from time to time. */
  readonly gone: (streams: readonly string[]) => Promise<readonly string[]>;
  readonly onWarning?: ((sentence: string) => void) | undefined;
}

/** What an event is, without what differs between two attempts that say the same (times, where a text is cut). */
export interface Comparable {
  /** Events with the same key say the same, but for the text of their delta. */
  readonly key: string;
  /** What a delta adds: deltas of one key in a row are one text, wherever it is cut. `with` makes the same event of another text. */
  readonly delta?: { readonly text: string; with(text: string): unknown } | undefined;
  /** Results of tools that run side by side come in any order. */
  readonly isUnordered?: boolean | undefined;
}

export interface NewTurn {
  /** Unique. */
  readonly id: string;
  /** What takes one turn at a time, such as a session or a chat. */
  readonly stream: string;
  /** What `run` needs to know, as JSON. It is as secret as the chat. */
  readonly input: unknown;
}

export interface KeptTurn extends NewTurn {
  /** The last sequence number of the stream before this turn. */
  readonly before: number;
}

export interface LatestTurn extends KeptTurn {
  readonly hasEnded: boolean;
}

/** Numbers grow over all turns of a stream, with gaps. */
export interface KeptEvent {
  readonly seq: number;
  readonly event: unknown;
}

/** One attempt at a turn. */
export interface TurnAttempt extends KeptTurn {
  /** A step of the application: the result of `run`, which is JSON, or what an earlier attempt recorded. */
  step<T>(name: string, run: () => Promise<T>): Promise<T>;
  /**
   * Aborts if the turn is to stop, or if this instance has lost it. An attempt that follows another one first repeats what is
   * recorded: it is stopped where it would go further.
   */
  readonly signal: AbortSignal;
  /** How the turn is to stop, if somebody has asked. */
  readonly stopped: () => string | undefined;
  /** Settles when the turn has ended for everybody, or when this instance has lost it. */
  readonly over: Promise<'ended' | 'lost'>;
  /** Resolves if this instance still has the turn, which it asks the database; else never. The signal may abort meanwhile. */
  held(): Promise<void>;
  /** Leaves the turn to whichever instance may have it: nothing of this attempt goes on. */
  giveBack(): Promise<void>;
  /** Keeps an event. What an earlier attempt has kept is not kept again. */
  emit(event: unknown): void;
  /**
   * Runs a write to a store while no other instance can take the turn over. Never returns if this instance has lost the turn.
   * What it writes has to be the same in each attempt (ids made of the turn's, nothing of a round that is not recorded).
   */
  guarded<T>(write: () => Promise<T>): Promise<T>;
}

/** This instance is cut off from the database, or is closing: another one may take the request. */
export class EngineUnavailable extends Error {
  override readonly name = 'EngineUnavailable';
  readonly code = 'unavailable';

  constructor(options?: ErrorOptions) {
    super('This instance takes no turns now: ask another one.', options);
  }
}
