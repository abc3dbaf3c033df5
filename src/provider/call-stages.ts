import type { Call } from '../core/call.js';
import type { Message } from '../core/message.js';
import type { CallWarning } from '../core/warning.js';
import type { Between } from '../loop/between-rounds.js';
import type { AnsweredRounds, EarlierAttempt } from '../loop/call-plugin.js';
import type { ApprovalHistory } from '../loop/read-approvals.js';
import type { Observer } from '../observe/event.js';
import type { RoundContext, RoundSource } from '../rounds/round-source.js';
import type { AnyCallOptions } from '../sdk/prompt/from-call-options.js';
import type { ModelSettings } from '../settings/model-settings.js';
import type { ChosenTools } from './check-choice.js';
import type { CallEnds, Chosen, StartOptions } from './engine.js';

export interface WantedCall {
  readonly modelId: string;
  readonly model: ModelSettings;
  readonly options: AnyCallOptions;
  readonly how: StartOptions;
  readonly callNumber: number;
  /** Released by the caller of `start` if the call does not start, else at its end. */
  readonly ends: CallEnds;
}

/** The stages of a starting call. Each type adds the findings of its stage, so the types fix the order. */
export interface ReadCall extends WantedCall {
  readonly call: Call;
  readonly promptWarnings: readonly CallWarning[];
  /** The messages of the call, with later results. */
  readonly messages: readonly Message[];
  readonly history: ApprovalHistory;
}

export interface BegunCall extends ReadCall {
  /** The beginning of the call in an earlier attempt. */
  readonly attempt: EarlierAttempt | undefined;
  readonly chosen: Chosen;
  readonly observer: Observer | undefined;
}

export interface AnsweredCall extends BegunCall {
  readonly context: RoundContext;
  readonly source: RoundSource;
  readonly between: Between | undefined;
}

export interface EquippedCall extends AnsweredCall {
  readonly tools: ChosenTools;
  readonly rounds: AnsweredRounds;
  readonly warnings: readonly CallWarning[];
}
