import type { PathGuard } from 'responses-loop-example-shared/path-guard.js';
import type { Sandbox } from 'responses-loop-example-shared/sandbox.js';
import type { CustomText, TextKind } from '../custom/find-texts.js';
import type { ApprovalMode, Mode, SandboxMode } from '../protocol/settings.js';
import type { TerminalSessions } from 'responses-loop-example-shared/terminal-sessions.js';

export type CallClass = 'safe' | 'ask' | 'danger' | 'forbidden';

/** A call of a tool that wants to run. */
export interface ToolCallToJudge {
  readonly callId?: string | undefined;
  /** The name at its source. */
  readonly tool: string;
  /** `local`, or the key of the MCP server. */
  readonly source: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What the tool says of itself. */
  readonly isReadOnly: boolean;
}

/** What a session goes by when it judges. */
export interface PolicyContext {
  readonly approval: ApprovalMode;
  /** In `plan` only calls that read may run. Default: `work`. */
  readonly mode?: Mode | undefined;
  readonly sandbox: SandboxMode;
  /** Where commands and relative paths start. */
  readonly cwd: string;
  readonly guard: PathGuard;
  readonly home: string;
  /** Taken for this session or for this folder, newest last. */
  readonly rules: readonly Rule[];
  /** Never written by `write` and `edit`: config and data. */
  readonly protectedDirs?: readonly string[] | undefined;
  /** What can be opened to a command in the sandbox of the system, if there is one. */
  readonly isolation?: Sandbox | undefined;
  /** Tools of the program that started the engine and that only read, by its word. */
  readonly ownReaders?: readonly string[] | undefined;
  /** Where text may be typed. */
  readonly terminals?: Pick<TerminalSessions, 'find'> | undefined;
  /** MCP servers that are believed when they say that a tool only reads. */
  readonly trustedMcp: readonly string[];
  /** The command or skill that a call names. */
  readonly textOf?: ((kind: TextKind, name: unknown, callId: string) => CustomText | undefined) | undefined;
}

/** Something that was allowed for longer than once. */
export type Rule =
  /** As `command-rules.ts` writes it. */
  | { readonly kind: 'command'; readonly rule: string }
  | { readonly kind: 'write' }
  /** A command or a skill of a workspace, as it was when somebody read it. */
  | { readonly kind: 'text'; readonly path: string; readonly hash: string }
  /** Pages of one host, with its port if it is an odd one. */
  | { readonly kind: 'web'; readonly host: string }
  | { readonly kind: 'mcp'; readonly server: string; readonly tool: string };

export interface Verdict {
  readonly outcome: 'run' | 'ask' | 'deny';
  readonly class: CallClass;
  /** For the person who is asked, and for the model where it is denied. */
  readonly reason: string;
  /** What "for this session" would allow; absent where no rule is offered. */
  readonly rule?: Rule | undefined;
  /** Real paths outside of the roots that the call reaches for. Whoever lets it run hands them to `ToolRegistry.allow`. */
  readonly outside?: readonly string[] | undefined;
  /** A rule that was taken earlier let the call run. */
  readonly byRule?: Rule | undefined;
}
