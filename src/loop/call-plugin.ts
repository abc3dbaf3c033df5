import type { Call } from '../core/call.js';
import type { Answerer, OpenRound, ProviderChoice } from '../core/round.js';
import type { CallWarning } from '../core/warning.js';
import type { Observer } from '../observe/event.js';
import type { Toolset } from '../tools/loop-tool.js';
import type { ToolRun } from '../tools/call/call-scope.js';
import type { RoundChange } from './between-rounds.js';
import type { Cancellation } from '../util/abort.js';
import type { HmacKey } from '../util/hash.js';

/** The core's view of a ring that takes part in a whole call: it is called between the call and its effects. */
export interface CallPlugin {
  /**
   * Called before the choice of the provider. Returns the start of an earlier attempt at the call. Rejects to end the
   * call.
   */
  begin(call: BegunCall): Promise<EarlierAttempt | undefined>;
  /** Puts the plugin between the loop and the source of its rounds. */
  rounds(source: AnsweredRounds, begun: Beginning): Promise<AnsweredRounds>;
  /** Returns the result of `decide`, or of an earlier attempt. Called for rounds that may change. */
  between(roundNumber: number, decide: () => Promise<RoundChange>): Promise<RoundChange>;
  /** The run of one tool, in the order of the calls. With a plugin no tool starts before its round has ended. */
  tool(callId: string, name: string): ToolRun;
  /** The plugin's observer of the call. */
  observer(observer: Observer): Observer;
  /** The time for the age of approvals, in milliseconds since the epoch. */
  readonly now: () => number;
  /** The plugin has ended the call. `isFinal`: calls that run are answered; else a later attempt answers them. */
  readonly rejected: { readonly error: Error; readonly isFinal: boolean } | undefined;
  /** Returns the error of a call that could not be started. */
  failed(error: unknown): Promise<unknown>;
}

/** A call that has been read. */
export interface BegunCall {
  readonly call: Call;
  /** The user has allowed tools, which run before the first round. */
  readonly hasAllowedTools: boolean;
  /** The app's secret for histories. */
  readonly key: HmacKey | undefined;
  readonly ends: Cancellation;
}

/** The beginning of an earlier attempt at a call. */
export interface EarlierAttempt {
  /** The origin of the call's reasoning. */
  readonly origin?: string;
  /** The provider that answered, if there are two. */
  readonly chosen: ProviderChoice | undefined;
  readonly warnings: readonly CallWarning[];
  /** Returns the tools of that attempt that still exist. */
  readonly toolset: (live: Toolset) => Toolset;
}

export interface AnsweredRounds {
  readonly openRound: OpenRound;
  readonly metadata: Answerer;
}

/** The beginning of this attempt. */
export interface Beginning {
  readonly chosen: ProviderChoice | undefined;
  readonly warnings: readonly CallWarning[];
  readonly toolset: Toolset;
}
