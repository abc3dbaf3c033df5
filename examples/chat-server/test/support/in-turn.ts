import { randomUUID } from 'node:crypto';
import { type MessageInWork, type RequestContext, runInContext } from '../../src/context/request-context.js';
import type { ApprovalAnswer, ChatChunk, ChatWriter } from '../../src/types.js';
import { chatModelOf } from './chat-model.js';

export interface TurnOptions {
  readonly sessionId?: string;
  readonly approvals?: Record<string, ApprovalAnswer>;
  readonly signal?: AbortSignal;
  readonly chatModel?: RequestContext['chatModel'];
  /** Gets what is written. */
  readonly onChunk?: (chunk: ChatChunk) => void;
}

/** A message whose calls are on disk as soon as they are made. */
export const KEPT: MessageInWork = {
  messageId: 'msg_1',
  approvals: new Map(),
  whenKept: async () => {},
  areReadsKept: false,
};

/** Runs `work` as a part of a turn would run. */
export function inTurn<T>(options: TurnOptions, work: () => T): T {
  const writer: ChatWriter = {
    write: (chunk) => options.onChunk?.(chunk),
    merge: () => {},
    onError: undefined,
  };
  const context: RequestContext = {
    sessionId: options.sessionId ?? `chat_${randomUUID()}`,
    workspaceId: '/workspace',
    writer,
    signal: options.signal ?? new AbortController().signal,
    chatModel: options.chatModel ?? chatModelOf('none'),
    message: { ...KEPT, approvals: new Map(Object.entries(options.approvals ?? {})) },
  };
  return runInContext(context, work);
}
