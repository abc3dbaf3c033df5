import type { Call } from '../core/call.js';
import type { JsonObject } from '../core/json.js';
import type { Limits } from '../core/limits.js';
import type { OpenRound } from '../core/round.js';
import type { Observer } from '../observe/event.js';
import type { Redactor } from '../observe/redact.js';
import type { Approve } from '../tools/call/approval.js';
import type { ExecuteToolCallOptions } from '../tools/call/execute-tool-call.js';
import type { OutputLimits } from '../tools/call/limit-output.js';
import type { RedactToolOutput } from '../tools/call/redact-output.js';
import type { ToolOffer } from '../tools/loop-tool.js';
import type { CarrierPlace } from './carrier-writer.js';
import type { ApprovalSeal } from './approval-seal.js';
import type { ApprovalHistory } from './read-approvals.js';
import type { OnUnknownTool } from './unknown-tool.js';
import type { AbortLike } from '../util/abort.js';

export interface LoopLimits {
  /** Rounds in which tools may be called; after them one closing round makes the model answer. */
  readonly maxRounds: number;
  /** Tool runs in a call; once reached, the closing round follows. */
  readonly maxToolCalls: number;
  /** `'auto'`: read-only tools overlap, the others run alone. A number: that many at once, in order. */
  readonly toolConcurrency: 'auto' | number;
  /** Rounds in a row that only repeat earlier calls with their results; then the closing round follows. */
  readonly maxRepeatedRounds: number;
  /** Milliseconds; a tool's own setting comes first. */
  readonly toolTimeoutMs?: number;
  readonly toolTotalTimeoutMs?: number;
  readonly maxToolOutputChars?: number;
  /** Characters of an error that the model is given. */
  readonly errorChars?: number;
  /** Levels of nesting in arguments. */
  readonly jsonDepth?: number;
  /** Further attempts at a read-only or idempotent tool that failed. */
  readonly maxToolRetries?: number;
}

/** The limits of one tool run, in the words of those who run it. */
export function limitsOfRun(
  limits: LoopLimits,
): OutputLimits & Pick<ExecuteToolCallOptions, 'timeoutMs' | 'totalTimeoutMs' | 'maxRetries' | 'maxJsonDepth'> {
  return {
    timeoutMs: limits.toolTimeoutMs,
    totalTimeoutMs: limits.toolTotalTimeoutMs,
    maxOutputChars: limits.maxToolOutputChars,
    maxErrorChars: limits.errorChars,
    maxJsonDepth: limits.jsonDepth,
    maxRetries: limits.maxToolRetries,
  };
}

/** The settings' say in what happens to calls. */
export interface LoopHooks {
  readonly approve?: Approve | undefined;
  readonly redactToolOutput?: RedactToolOutput | undefined;
  readonly onUnknownTool?: OnUnknownTool | undefined;
}

export interface LoopOptions extends LoopHooks {
  readonly call: Call;
  /** What the user has said in the prompt; read from there by default. */
  readonly history?: ApprovalHistory | undefined;
  readonly offer: ToolOffer;
  readonly openRound: OpenRound;
  readonly limits: LoopLimits & Limits;
  /** Whether parts of this loop tool are emitted; what is not shown travels in carriers. */
  readonly shows: (toolName: string) => boolean;
  /** Whether it travels, and on what. */
  readonly carrier: false | CarrierPlace;
  /** Whether the user can be asked for leave by a part of the stream. */
  readonly asks: boolean;
  /** Items that are shown, so that no carrier has to take them. */
  readonly tells?: ((item: JsonObject) => boolean) | undefined;
  /** Whether results may be shown before they are whole. Default: `false`. */
  readonly previews?: boolean | undefined;
  readonly seal: ApprovalSeal;
  /** For calls the user has allowed, where the model itself may call nothing. Default: `offer`. */
  readonly resumeOffer?: ToolOffer | undefined;
  readonly callNumber: number;
  /** Ends the call: the caller's abort, or a consumer that went away. */
  readonly signal: AbortLike;
  /**
   * Whatever ends the call, `signal` among it. What is not the caller's doing (a deadline, a provider that was closed) has
   * its reason as the output of tools that run, and as the error the call ends with.
   */
  readonly ends: AbortLike;
  readonly observer?: Observer | undefined;
  /** Takes out of errors, warnings and events what no text may show. Default: nothing is known. */
  readonly redactor?: Redactor | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
