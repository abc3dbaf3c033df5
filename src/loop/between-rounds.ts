import type { JsonObject } from '../core/json.js';
import type { ToolOutput } from '../core/message.js';
import type { RoundSummary } from '../core/part.js';
import type { ToolChoice } from '../core/tool.js';
import type { Usage } from '../core/usage.js';

/** The state of a call before one of its follow-up rounds. */
export interface BetweenView {
  /** The round that is about to begin; the first round of a call has number 0. */
  readonly roundNumber: number;
  /** The model of the round. */
  readonly modelId: string;
  readonly rounds: readonly RoundSummary[];
  /** The calls that the loop answered in the last round. */
  readonly calls: readonly AnsweredView[];
  /** Tokens of all earlier rounds. */
  readonly usage: Usage;
  /** Names of the tools that the round will offer, hosted ones left out. */
  readonly tools: readonly string[];
  /** Names of the tools that the model has to search for first. */
  readonly keptBack: readonly string[];
}

export interface AnsweredView {
  readonly callId: string;
  readonly name: string;
  /** As the model wrote them. */
  readonly arguments: string;
  readonly output: ToolOutput;
}

/** Changes to the next round alone; texts stay in the conversation. JSON, because a plugin may keep it. */
export interface RoundChange {
  /** Texts of the user, behind the outputs. */
  readonly texts?: readonly string[];
  /** Names of the call's tools that the round offers. They keep their order; deferred tools are last. */
  readonly tools?: readonly string[];
  readonly toolChoice?: ToolChoice;
  readonly modelId?: string;
  /** Options of the call that have another value in this round. */
  readonly options?: JsonObject;
  /** Ends the loop: after one round in which the model answers without tools, or at once. */
  readonly stop?: 'answer' | 'now';
  /** The name of the condition or function that stopped the loop. */
  readonly stoppedBy?: string;
  /** Ids of calls that ran on, whose outputs the round brings the model, in the order of their ends. */
  readonly late?: readonly string[];
}

/** Acts between the rounds of a call. The core's view of a ring that steers the loop. */
export interface Between {
  /** Returns the changes to the next round. A rejection ends the call. */
  before(view: BetweenView): Promise<RoundChange>;
  /** Has the round of the change answered by its model, with its options. */
  use(change: RoundChange): void;
  /** The round with the changes is under way. */
  opened(): void;
  /** The call has ended. */
  end(): void;
}
