import type { ApprovalQuestion } from './approvals.js';

/** What happens in a turn, in one language for every driver. */
export type DriverStreamEvent =
  | Event<
      'message_start',
      {
        readonly messageId: string;
        readonly model: string;
        /** Set by the session. */
        readonly sessionId?: string;
      }
    >
  | Event<'text_delta', { readonly text: string }>
  | Event<'thinking_delta', { readonly text: string }>
  | Event<'tool_use_start', { readonly toolCallId: string; readonly toolName: string }>
  | Event<'input_json_delta', { readonly toolCallId: string; readonly partialJson: string }>
  | Event<'tool_use_stop', { readonly toolCallId: string; readonly toolName: string; readonly input: unknown }>
  | Event<'tool_result', { readonly toolCallId: string; readonly result: unknown; readonly isError?: boolean }>
  /** The call waits for a person: see `Session.answer()`. */
  | Event<'approval_request', ApprovalQuestion>
  /** The answer, by the schema of its message. */
  | Event<'output', { readonly value: unknown }>
  /** A summary is being made, which the model will read in place of older turns. */
  | Event<'compaction_started', { readonly tokens: number; readonly by: 'user' | 'limit' }>
  | Event<'compaction_complete', { readonly throughTurn: number; readonly keptTurns: number }>
  | Event<'message_delta', { readonly usage: EventUsage }>
  | Event<'message_stop', { readonly stopReason: StopReason; readonly rounds?: number }>
  /** The request goes on, and lacks something: a sentence for a person. */
  | Event<'warning', { readonly message: string }>
  | Event<'error', { readonly message: string; readonly errorCode: string; readonly isRetryable: boolean }>
  | Event<'interrupted', { readonly reason: InterruptReason }>
  /** Only of turns that moved to another instance: what came after the event of this number is replaced by what follows. */
  | Event<'rewind', { readonly after: number }>;

interface Event<Type extends string, Data> {
  readonly type: Type;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly data: Data;
}

export type DriverEventType = DriverStreamEvent['type'];

/** What an event of a type says. */
export type EventData<Type extends DriverEventType> = Extract<DriverStreamEvent, { readonly type: Type }>['data'];

export type StopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'tool_use'
  | 'content_filter'
  | 'approval_needed'
  | 'error'
  | 'other';

export type InterruptReason = 'user' | 'timeout' | 'error';

/** Tokens of one turn, summed over its rounds. */
export interface EventUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  readonly reasoningTokens: number;
  /** What the last round read and wrote together: how long the talk is for the model. */
  readonly contextTokens?: number;
  /** Only from servers that report it. */
  readonly cacheCreationTokens?: number;
}
