import type { JsonObject } from '../core/json.js';
import type { ToolOutput } from '../core/message.js';

/**
 * An effect of a call, for the journal. Names, kinds and keys are promises, because running loops are compared with
 * them.
 */
export interface JournalStep {
  /**
   * Unique in the journal and the same in every attempt: `<call>/round/<n>`, `<call>/tool/<call_id>` and
   * `<call>/tool/<call_id>/start`; `<call>/between/<n>` before round n if something may change it, or if functions run on from earlier rounds; `<call>/start` where a call begins with tools that the user has allowed. `<call>` counts
   * the calls of the journal from 0.
   */
  readonly key: string;
  /** `round`: an exchange with the model. `tool`: a run of a tool. `mark`: no effect, but a fact for later. */
  readonly kind: 'round' | 'tool' | 'mark';
  /** For people: the model of a round, the tool of a run. */
  readonly name: string;
}

/**
 * Keeps the results of steps, so that a loop continues after its process died. Make a new one for every attempt at a
 * loop, because its calls are counted. Engines that compare the order of steps get the same order in every attempt.
 *
 * @example
 * const journal: Journal = { step: ({ key }, run) => ctx.run(key, run) };
 */
export interface Journal {
  /**
   * Returns the known result of this key, or calls `run` and keeps its result. Results are
   * `JournalRecord`s: plain JSON. A rejection ends the call, and its reason is passed on unchanged.
   */
  step<T>(step: JournalStep, run: () => Promise<T>): PromiseLike<T>;
}

/** The result of a step. */
export type JournalRecord = RoundRecord | ToolRecord | MarkRecord;

interface Versioned {
  /** The version of the record's form. */
  readonly version: 1;
  /**
   * Of rounds and starts of calls, in milliseconds since the epoch: the time at which approvals with an age limit are
   * checked.
   */
  readonly at?: number;
}

/** A round: the model's output with deltas joined, or the reason why the round could not be opened. */
export interface RoundRecord extends Versioned {
  /** With round 0, unless a `start` mark precedes it. */
  readonly call?: CallHead;
  /** The origin of its reasoning, from which neither host, model nor key can be read. */
  readonly origin?: string;
  /** Warnings about what was dropped so that the server accepts the round. */
  readonly warnings?: readonly string[];
  /** Parts of the stream, in the order in which the round wrote them. */
  readonly parts: readonly JsonObject[];
  /** Instead of parts: the round was not opened. After parts: the error that ended the reading. */
  readonly failure?: FailureRecord;
}

/** A run of a tool: the model's output, after redaction and cut. */
export interface ToolRecord extends Versioned {
  /** The output as the model read it, errors included. */
  readonly output: ToolOutput;
  /** An earlier attempt had started it, so it did not run: the outcome is unknown. */
  readonly interrupted?: true;
}

/** The attempt that may run a tool; before rounds, the beginning of the call. */
export interface MarkRecord extends Versioned {
  /** Of the attempt that may run the tool. */
  readonly attempt?: string;
  /** The head of the call, for the first round of a call only. */
  readonly call?: CallHead;
  /** Between two rounds: the changes to the next one. */
  readonly change?: JsonObject;
}

/** The beginning of a call: facts that could differ after a recovery. */
export interface CallHead {
  /** Makes keys of tool calls unique, for servers that use them as idempotency keys; also the salt of `asked`. */
  readonly seed: string;
  /** Hashes of the question; absent in records of earlier versions, which any call may continue. */
  readonly asked?: AskedRecord;
  /** The origin of the call's reasoning; absent if it is unknown. */
  readonly origin?: string;
  /** Under `withStockFallback`: the answering provider. */
  readonly fallback?: {
    readonly uses: 'primary' | 'stock';
    readonly because: 'flag' | 'environment' | 'failure' | 'circuit' | 'default';
  };
  /** The tools that the call offered; a recovery offers no others. */
  readonly tools: readonly ToolHead[];
  /** Warnings of the call, which a recovery shows again. */
  readonly warnings: readonly (string | JsonObject)[];
}

/**
 * Keyed hashes of a call's question. Another question under the same key is a mistake of the app.
 * The hashes reveal nothing; a reader of the record can only confirm a guess, unless `historySecret` is the key.
 */
export interface AskedRecord {
  /** A hash of the model id. */
  readonly model: string;
  /** A hash of the prompt. */
  readonly prompt: string;
  /** A hash of the other options of the call. */
  readonly options: string;
  /** Set if `historySecret` is the key: distinguishes that secret from others. */
  readonly secret?: string;
}

/** A tool that the call offered. */
export interface ToolHead {
  /** The name on the wire. */
  readonly name: string;
  /** The key of the MCP server, or `local`. */
  readonly source: string;
  /** The name at its source. */
  readonly tool: string;
  /** A tool of this package itself, such as the search for other tools. */
  readonly own?: true;
  readonly readOnly?: true;
  readonly idempotent?: true;
}

/** An error without headers and bodies. */
export interface FailureRecord {
  /** The name of the error: `AI_APICallError`, `ResponsesLoopError`, … */
  readonly name: string;
  /** The text of the error, without secrets. */
  readonly message: string;
  /** Set for errors of this package. */
  readonly code?: string;
  /** Other facts about it. */
  readonly facts?: JsonObject;
}
