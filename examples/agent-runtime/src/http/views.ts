import type { ContentBlock, Session, SessionData, StoredMessage, TokenUsage } from '../types/index.js';

/** A session as commands and HTTP show it. */
export interface SessionView {
  readonly id: string;
  readonly summary: string | null;
  readonly state: string;
  readonly model: string | null;
  readonly createdAt: string;
  readonly lastActivity: string;
  readonly messageCount: number;
}

export interface SessionDetails extends SessionView {
  readonly usage: TokenUsage;
}

/** A row as commands and HTTP show it. */
export interface MessageView {
  readonly seq: number;
  readonly turn: number;
  readonly type: string;
  readonly content: string;
  /** What a message with more than text was made of. */
  readonly blocks?: readonly ContentBlock[];
  /** What a row is beyond its type, such as `thinking` or `output`. */
  readonly kind?: string;
  /** The id that the sender gave a message. */
  readonly messageId?: string;
  readonly toolName?: string;
  readonly toolId?: string;
  readonly toolInput?: unknown;
  readonly toolResult?: unknown;
}

export function viewOfData(data: SessionData): SessionView {
  const { id, summary, state, model, createdAt, lastActivity, messageCount = 0 } = data;
  return { id, summary, state, model, createdAt, lastActivity, messageCount };
}

export function viewOfSession(session: Session): SessionDetails {
  const { id, summary, state, model, createdAt, lastActivity } = session;
  const messageCount = session.getMessages().length;
  return { id, summary, state, model, createdAt, lastActivity, messageCount, usage: session.getTokenUsage() };
}

export function viewOfMessage(message: StoredMessage): MessageView {
  const { seq, turn, type, content, toolName, toolId, toolInput, toolResult, metadata } = message;
  return {
    seq,
    turn,
    type,
    content,
    ...(metadata?.blocks !== undefined && { blocks: metadata.blocks }),
    ...(metadata?.kind !== undefined && { kind: metadata.kind }),
    ...(metadata?.messageId !== undefined && { messageId: metadata.messageId }),
    ...(toolName !== undefined && { toolName }),
    ...(toolId !== undefined && { toolId }),
    ...(toolInput !== undefined && { toolInput }),
    ...(toolResult !== undefined && { toolResult }),
  };
}
