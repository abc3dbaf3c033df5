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
  /** Longest silence unless the tool or its server sets another; default 60,000 ms, 0 = none. */
  readonly toolTimeoutMs?: number;
  /** Longest total duration unless either sets another; default ten times the silence. */
  readonly toolTotalTimeoutMs?: number;
  /** Levels of nesting in arguments. @default 500 */
  readonly jsonDepth?: number;
  /** Further attempts at a read-only or idempotent tool that failed. @default 0 */
  readonly maxToolRetries?: number;
}

/** The shared state of all tool runs in one call to the model. */
export interface CallScope {
  readonly callNumber: number;
  readonly limits: RunLimits;
  readonly approve?: Approve | undefined;
  readonly redactToolOutput?: RedactToolOutput | undefined;
  readonly observer?: Observer | undefined;
  /** Removes secrets from events and from errors that a tool throws or returns. @default no secrets */
  readonly redactor?: Redactor | undefined;
  /**
   * Keeps a cut output, and returns text for the mark: how the model can read the rest. `isKnown`: a history has it.
   * Never rejects.
   */
  readonly keepOutput?: ((gap: OutputGap, options?: { readonly isKnown: boolean }) => Promise<string>) | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The run of a tool, if a plugin is between the call and the run. */
export interface ToolRun {
  /** Settles when the call may begin: in the order of the calls. */
  readonly ready: Promise<void>;
  /** Lets the next call begin. */
  readonly pass: () => void;
  /** Makes names of calls unique, the same in every attempt. */
  readonly seed: string;
  /** Returns the result of `run`, or of an earlier run. A rejection ends the call of the model. */
  keep(run: KeptRun): Promise<ToolOutput>;
}

export interface KeptRun {
  readonly signal: AbortSignal;
  /** The tool declares that a second run changes nothing more. */
  readonly mayRepeat: boolean;
  readonly run: () => Promise<ToolOutput>;
}

export interface ExecuteToolCallOptions {
  readonly scope: CallScope;
  readonly tool: LoopTool;
  readonly callId: string;
  /** The members of the call. */
  readonly origin?: Pick<CallOrigin, 'owner' | 'responseId'> | undefined;
  /** As the model wrote them. */
  readonly argumentsText: string;
  readonly round: number;
  readonly signal: AbortSignal;
  /** @default `'unreachable'` */
  readonly user?: UserVoice | undefined;
  /** Called if the user must decide, but cannot be asked. */
  readonly onUnreachable?: (() => void) | undefined;
  /**
   * Called once it is certain whether the tool runs: with `true` after the last check. Not called if `signal` ends the
   * call before.
   */
  readonly onDecided?: ((runs: boolean) => void) | undefined;
  /** Called for every sign of life. Not called with `redactToolOutput`, which does not see these. */
  readonly onProgress?: ((step: ToolProgress) => void) | undefined;
  readonly steps?: ToolRun | undefined;
}
