import type { ToolOutput } from '../core/message.js';
import type { CallToolResult, RoundToolCall } from '../core/part.js';
import type { UserVoice } from '../tools/call/approval.js';
import type { LoopTool } from '../tools/loop-tool.js';
import { maySendOn } from './unknown-tool.js';

/** A call of ours, in output order. */
export interface OwnCall {
  readonly call: RoundToolCall;
  readonly tool: LoopTool | undefined;
  readonly user: UserVoice;
  /** Set once it has been started; a call is started at most once. */
  running: Promise<void> | undefined;
  /** The tool itself has been called: nothing kept it from running. */
  acted: boolean;
  output: ToolOutput | undefined;
  /** Its turn has come, and the user has to be asked. */
  awaitsUser: boolean;
  /** The response held the output already. */
  answeredByServer: boolean;
  /** Ends this call alone. */
  readonly abort: AbortController;
}

/** A call that has its output. */
export interface AnsweredCall {
  readonly call: RoundToolCall;
  readonly output: ToolOutput;
  /** A tool of ours has acted for it. */
  readonly ran: boolean;
  readonly answeredByServer: boolean;
}

/** What is known by the time it is asked for: until then the server may have had another answer. */
export function toResult(own: OwnCall | undefined): CallToolResult | undefined {
  if (own?.output === undefined) return undefined;
  return { type: 'tool-result', callId: own.call.callId, name: own.call.name, output: own.output };
}

export function toAnswered({ call, output, acted, answeredByServer }: OwnCall): AnsweredCall | undefined {
  return output === undefined ? undefined : { call, output, ran: acted, answeredByServer };
}

export async function settled(calls: readonly OwnCall[]): Promise<void> {
  await Promise.all(calls.flatMap((own) => (own.answeredByServer ? [] : (own.running ?? []))));
}

/** A call of a tool that is not there acts on nothing, so it may be answered at any time, unless it may be sent on. */
export function mayOverlap({ tool }: Pick<OwnCall, 'tool'>, options: Parameters<typeof maySendOn>[0]): boolean {
  return tool === undefined ? !maySendOn(options) : tool.tool.readOnly;
}

/** A warning: nobody could be asked for approval. */
export function cannotAsk(tool: string): string {
  return `A call of "${tool}" was denied: it needs the user's approval, which takes a model of responses-loop/v3 or /v4 that shows its tools, or an "approve" that decides.`;
}
