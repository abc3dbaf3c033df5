import type { CodingTool, ToolContext, ToolExtra, ToolReport } from './context.js';

export interface ToolDeps {
  readonly sessionId: string;
  /** The id of the message that the model writes now. */
  readonly messageId: () => string;
  readonly agent?: string | undefined;
  readonly cwd: string;
  readonly extra: Omit<ToolExtra, 'report'>;
  readonly onReport: (callId: string, report: ToolReport) => void;
  /** Names of tools that are not offered. */
  readonly disabled?: readonly string[] | undefined;
}

export interface ToolRegistry {
  readonly tools: readonly CodingTool[];
  get(name: string): CodingTool | undefined;
  /** What runs, in a few words; the name where the arguments do not fit. */
  title(name: string, input: unknown): string;
  /** The difference that a call would make, if it is one that writes. */
  preview(name: string, input: unknown): Promise<string | undefined>;
  /** As `createResponsesProvider({ tools })` takes them. */
  toProviderTools(): Readonly<Record<string, ProviderTool>>;
}

export interface ProviderTool {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: unknown;
  readonly readOnly: boolean;
  readonly timeoutMs?: number | undefined;
  readonly totalTimeoutMs?: number | undefined;
  execute(
    input: Readonly<Record<string, unknown>>,
    options: { toolCallId: string; abortSignal: AbortSignal },
  ): Promise<unknown>;
}

export type CreateToolRegistry = (deps: ToolDeps) => ToolRegistry;
export type MakeContext = (callId: string, signal: AbortSignal) => ToolContext;
