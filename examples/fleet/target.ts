import type { Instance } from './instance.js';

/** Where a fleet lives. */
export interface Place {
  readonly folder: string;
  readonly ledger: string;
  readonly database: string;
  readonly modelUrl: string;
  /** The flags of the engine for the next instance; DBOS, if there are none. */
  readonly engine?: () => Promise<readonly string[]>;
}

/** What became of one turn, as its client and the server's history tell it. */
export interface Outcome {
  readonly turn: string;
  /** What is wrong, in words. */
  readonly broken: readonly string[];
  /** The ids of the calls that the history names. */
  readonly calls: readonly string[];
  /** How often the client lost its connection, and the longest time without an event. */
  readonly lost: number;
  readonly silenceMs: number;
  /** Parts that came twice, and parts of the history that the client has not seen. */
  readonly doubled: number;
  readonly missing: number;
}

/** A server whose instances are killed. Another one is added with a file like `agent-target.ts`. */
export interface Target {
  readonly name: string;
  /** Starts an instance, and waits until it listens. */
  start(place: Place, name: string): Promise<Instance>;
  /** Has a conversation of turns, through whichever of the addresses answer. Tools that write need an approval. */
  converse(urls: () => readonly string[], turns: Turns): Promise<readonly Outcome[]>;
}

/** Each comes when its person has thought about the one before. */
export type Turns = AsyncIterable<PlannedTurn> | Iterable<PlannedTurn>;

export interface PlannedTurn {
  readonly name: string;
  /** Such as `look put|look`: two rounds with tools. */
  readonly plan: string;
}
