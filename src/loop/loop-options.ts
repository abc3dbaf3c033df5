import type { Call } from '../core/call.js';
import type { JsonObject } from '../core/json.js';
import type { Limits } from '../core/limits.js';
import type { Turn } from '../core/entry.js';
import type { ToolDeclaration } from '../core/tool.js';
import type { OpenRound, RoundIds } from '../core/round.js';
import type { CallScope, RunLimits } from '../tools/call/call-scope.js';
import type { Toolset } from '../tools/loop-tool.js';
import type { AbortLike } from '../util/abort.js';
import type { ApprovalSigner } from './approval-signer.js';
import type { Between } from './between-rounds.js';
import type { AfterBreak, TextFilter } from './broken-round.js';
import type { CallPlugin } from './call-plugin.js';
import type { CarrierPlace } from './carrier-writer.js';
import type { AnsweredCall } from './own-calls.js';
import type { LateCalls } from './late-calls.js';
import type { RunView } from './run-view.js';
import type { ApprovalHistory } from './read-approvals.js';

export interface LoopLimits extends RunLimits {
  /** Rounds in which tools may be called; after them one closing round makes the model answer. */
  readonly maxRounds: number;
  /** Tool runs in a call; once reached, the closing round follows. */
  readonly maxToolCalls: number;
  /** `'auto'`: read-only tools overlap, the others run alone. A number: that many at once, in order. */
  readonly toolConcurrency: 'auto' | number;
  /** Consecutive rounds that only repeat earlier calls with their results; then the closing round follows. */
  readonly maxRepeatedRounds: number;
  /** How long a call waits for late calls, in milliseconds. */
  readonly asyncToolWaitMs?: number;
  /** Characters of an input, above which the source of the rounds drops old outputs. */
  readonly maxLoopChars?: number;
}

/** The answer to calls of tools that do not exist: the model gets a list of tools, or the caller gets the call. */
export type OnUnknownTool = 'error' | 'client';

/** A call and its settings. */
export interface LoopOptions extends CallScope {
  readonly call: Call;
  /** The user's answers in the prompt; read from the prompt by default. */
  readonly history?: ApprovalHistory | undefined;
  readonly toolset: Toolset;
  /** The toolset for calls that the user has allowed, if the model may call nothing. @default `toolset` */
  readonly resumeToolset?: Toolset | undefined;
  readonly openRound: OpenRound;
  /** Acts before each follow-up round. */
  readonly between?: Between | undefined;
  /** Called for each round that ends with an error. @default the error ends the call */
  readonly afterBreak?: AfterBreak | undefined;
  readonly limits: LoopLimits & Limits;
  readonly onUnknownTool?: OnUnknownTool | undefined;
  /** Whether parts of this loop tool are emitted; carriers contain hidden ones. */
  readonly isVisible: (toolName: string) => boolean;
  /** Items that are shown, so that no carrier needs them. */
  readonly isItemVisible?: ((item: JsonObject) => boolean) | undefined;
  /** The part that carries hidden content to the next call. `false`: none. */
  readonly carrier: false | CarrierPlace;
  /** Whether the user can be asked for approval by a part of the stream. */
  readonly canAskUser: boolean;
  /** Whether partial results may be shown. @default `false` */
  readonly previews?: boolean | undefined;
  /** Shows runs of the loop before they end. @default none are shown */
  readonly RunView?: typeof RunView | undefined;
  /** Lets calls continue after their round. @default every round waits for all of its calls */
  readonly late?: LateCalls | undefined;
  readonly signer: ApprovalSigner;
  readonly plugin?: CallPlugin | undefined;
  /** Called for each round once its calls are answered. */
  readonly onSettled?: ((settled: SettledRound) => void) | undefined;
  /** Ends the call: the caller's abort, or a consumer that stopped reading. */
  readonly signal: AbortLike;
  /**
   * Everything that ends the call, `signal` among it. A reason other than the caller's (a deadline, a closed provider)
   * becomes the output of running tools and the error of the call.
   */
  readonly ends: AbortLike;
}

/** A finished round. */
export interface SettledRound {
  readonly round: number;
  /** The conversation before the first round. */
  readonly prompt: readonly Turn[];
  readonly tools: readonly ToolDeclaration[];
  /** Texts of the user that came before the round. */
  readonly texts: readonly string[] | undefined;
  /** The answer of the model, and the outputs of its calls. */
  readonly turns: readonly Turn[];
}

/** A round's place in its call. */
export interface RoundPlace {
  readonly index: number;
  /** The model must answer without tools, so none runs. */
  readonly closing: boolean;
  /** Texts of the user that came before the round. */
  readonly texts?: readonly string[] | undefined;
  /** @default only the texts of a JSON answer are changed */
  readonly filter?: TextFilter | undefined;
  /** Calls of earlier rounds whose outputs arrived before the round. */
  readonly late?: readonly AnsweredCall[] | undefined;
  /** How many tools may still run. */
  readonly toolBudget: number;
  /** The conversation before the round: the prompt, and what each round of this call added. */
  readonly before: readonly (readonly Turn[])[];
  readonly ids: RoundIds;
  /** The id with which the response began. `RoundRun` sets it once, so that ids do not depend on later events. */
  responseId?: string | undefined;
}
