import type { ToolOutput } from '../../core/message.js';
import type { Observer } from '../../observe/event.js';
import type { Redactor } from '../../observe/redact.js';
import type { LoopTool } from '../loop-tool.js';
import type { CallOrigin, ToolProgress } from '../tool-source.js';
import type { Approve, UserVoice } from './approval.js';
import type { OutputGap, OutputLimits } from './limit-output.js';
import type { RedactToolOutput } from './redact-output.js';

/** The limits of one tool run, as the settings name them. */
export interface RunLimits extends OutputLimits {
  /** Longest silence where neither the tool nor its server says otherwise; default 60,000 ms, 0 = none. */
  readonly toolTimeoutMs?: number;
  /** Longest duration in all where neither says otherwise; default ten times the silence. */
  readonly toolTotalTimeoutMs?: number;
  /** Levels of nesting in arguments. @default 500 */
  readonly jsonDepth?: number;
  /** Further attempts at a read-only or idempotent tool that failed. @default 0 */
  readonly maxToolRetries?: number;
}

/** What all runs of tools in one call to the model share. */
export interface CallScope {
  readonly callNumber: number;
  readonly limits: RunLimits;
  readonly approve?: Approve | undefined;
  readonly redactToolOutput?: RedactToolOutput | undefined;
  readonly observer?: Observer | undefined;
  /** Takes secrets out of what a tool throws or answers as an error, and of events. @default nothing is known */
  readonly redactor?: Redactor | undefined;
  /**
   * Keeps an output that is cut, and returns how the model can read the rest, for the mark. `isKnown`: it comes out of a
   * history. Never rejects.
   */
  readonly keepOutput?: ((gap: OutputGap, options?: { readonly isKnown: boolean }) => Promise<string>) | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The run of a tool, if something stands between the call and the run. */
export interface ToolRun {
  /** Settles when the call may begin: in the order of the calls. */
  readonly ready: Promise<void>;
  /** Lets the next call begin. */
  readonly pass: () => void;
  /** Makes names of calls unique, the same in every attempt. */
  readonly seed: string;
  /** Returns what `run` gives, or what an earlier run gave. A rejection ends the call of the model. */
  keep(run: KeptRun): Promise<ToolOutput>;
}

export interface KeptRun {
  readonly signal: AbortSignal;
  /** By its own word, running the tool twice does no more than running it once. */
  readonly mayRepeat: boolean;
  readonly run: () => Promise<ToolOutput>;
}

export interface ExecuteToolCallOptions {
  readonly scope: CallScope;
  readonly tool: LoopTool;
  readonly callId: string;
  /** What the call came with. */
  readonly origin?: Pick<CallOrigin, 'owner' | 'responseId'> | undefined;
  /** As the model wrote them. */
  readonly argumentsText: string;
  readonly round: number;
  readonly signal: AbortSignal;
  /** @default `'unreachable'` */
  readonly user?: UserVoice | undefined;
  /** Called when the user had to be asked, and cannot be. */
  readonly onUnreachable?: (() => void) | undefined;
  /**
   * Called as soon as it is known whether the tool runs: with `true` when everything that could still keep it from running
   * has passed. Not called where `signal` ends the call before.
   */
  readonly onDecided?: ((runs: boolean) => void) | undefined;
  /** Called for every sign of life. Not called with `redactToolOutput`, which cannot see these. */
  readonly onProgress?: ((step: ToolProgress) => void) | undefined;
  readonly steps?: ToolRun | undefined;
}
