import type { PathGuard } from 'responses-loop-example-shared/path-guard.js';
import type { Sandbox } from 'responses-loop-example-shared/sandbox.js';
import type { TerminalSessions } from 'responses-loop-example-shared/terminal-sessions.js';
import type { WebFetch } from 'responses-loop-example-shared/web-fetch.js';
import type { z } from 'zod';
import type { Verdict } from '../approval/types.js';
import type { Checkpoints } from '../files/checkpoints.js';
import type { Change, Difference } from 'responses-loop-example-shared/file-difference.js';
import type { ReadStamps } from '../files/read-stamps.js';
import type { Todo } from '../protocol/events.js';
import type { SandboxMode } from '../protocol/settings.js';

/** What a call runs in. */
export interface ToolContext {
  readonly sessionId: string;
  readonly messageId: string;
  readonly callId: string;
  readonly agent: string;
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** A folder or file outside of the roots that a person has opened for this call; everything in it is open. */
  readonly isOpened: (path: string) => boolean;
  /** Those folders and files. */
  readonly opened: readonly string[];
  /** Set if a person was shown what this call would change, and approved it: `fingerprintOf` that, and nothing else may run. */
  readonly approved?: string | undefined;
  /** Set if nobody was asked about this call: what is thought of it now. */
  readonly judgeAgain?: (() => Pick<Verdict, 'outcome' | 'class' | 'reason'>) | undefined;
  readonly extra: ToolExtra;
}

/** What the session keeps for its tools. */
export interface ToolExtra {
  readonly guard: PathGuard;
  readonly stamps: ReadStamps;
  readonly checkpoints: Checkpoints;
  /** Where whole outputs go, as `<call>.txt`. */
  readonly outputsDir: string;
  /** Never written by `write` and `edit`, at any approval: config and data. */
  readonly protectedDirs: readonly string[];
  readonly sandbox: SandboxMode;
  /** What commands run in. */
  readonly isolation: Sandbox;
  /** Commands that go on between calls. */
  readonly terminals: TerminalSessions;
  readonly webFetch: WebFetch;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long a file tool may take, in milliseconds. */
  readonly fileToolMs: number;
  /** Further patterns that `list`, `glob` and `grep` pass over. */
  readonly ignore: readonly string[];
  readonly report: (report: ToolReport) => void;
}

/** Facts about a running call that its result for the model does not hold. */
export type ToolReport =
  | { readonly type: 'output'; readonly output: string }
  | { readonly type: 'exit'; readonly exitCode: number | undefined; readonly truncated: boolean }
  | { readonly type: 'truncated' }
  | ({ readonly type: 'diff' } & Difference)
  | { readonly type: 'file_change'; readonly change: FileChange }
  | { readonly type: 'todos'; readonly todos: readonly Todo[] };

/** As the line of the rollout has it: hashes of what the file held, `null` where there was none. */
export interface FileChange {
  /** Real path. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** One tool. A failure is thrown as `ToolError`, and its message is what the model reads. */
export interface CodingTool<Schema extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Schema;
  /** It changes nothing: it may overlap with others. */
  readonly readOnly: boolean;
  /** What runs, in a few words. */
  title(input: z.infer<Schema>): string;
  /** Longest silence, and longest duration, in milliseconds; default: the provider's. */
  readonly timeoutMs?: number | undefined;
  execute(input: z.infer<Schema>, context: ToolContext): Promise<unknown>;
  /** What the call would change, for the person who is asked. */
  changes?(
    input: z.infer<Schema>,
    context: Pick<ToolContext, 'cwd' | 'extra' | 'isOpened'>,
  ): Promise<readonly Change[]>;
}

/** What went wrong, where, and what to do: the model reads it. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}
