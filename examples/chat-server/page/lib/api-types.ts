import type { AgentQuestion, QueuedItem, SessionFile, StoredMessage, SubAgentState } from '../../src/types.js';

/** What the API answers, as far as the page reads it. */
export interface SessionItem {
  readonly id: string;
  readonly title: string;
  readonly updatedAt: string;
  readonly isPinned: boolean;
  readonly isArchived: boolean;
  readonly messageCount: number;
  readonly running: boolean;
  readonly pendingApprovals: number;
}

export interface SessionList {
  readonly items: readonly SessionItem[];
  readonly next: string | null;
}

export interface FoundItem extends Pick<SessionItem, 'id' | 'title' | 'updatedAt' | 'isArchived'> {
  /** Around what was found in the messages. */
  readonly excerpt: string;
}

export interface FoundList {
  readonly items: readonly FoundItem[];
}

/** The messages of the current path; `siblings` are the versions of a message, itself among them, oldest first. */
export type ViewedMessage = StoredMessage & { readonly siblings: readonly string[] };

export interface SessionView extends SessionFile {
  readonly running: boolean;
  readonly messages: readonly ViewedMessage[];
  readonly queue: readonly QueuedItem[];
}

export interface ModelItem {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  /** The title of its provider. */
  readonly provider?: string;
  /** Who may ask it. Absent: our provider and the stock one. */
  readonly sources?: readonly ('loop' | 'stock')[];
  /** What it takes. Absent: not known. */
  readonly images?: boolean;
  readonly files?: boolean;
  /** Levels of reasoning to choose from. Absent: not known. */
  readonly efforts?: readonly string[];
}

export interface ProviderItem {
  readonly id: string;
  readonly label: string;
  /** Why models of it are missing. */
  readonly problem?: string;
}

export interface SkillItem {
  readonly name: string;
  readonly description?: string;
}

export interface AgentItem {
  readonly agentId: string;
  readonly title: string;
  readonly agentType: string;
  readonly task: string;
  readonly state: SubAgentState;
  /** The message of the chat, and the call, that it works for. */
  readonly messageId?: string;
  readonly toolCallId?: string;
  readonly summary?: string;
  readonly questions: readonly AgentQuestion[];
  /** Its turn ended before it did, and can go on. */
  readonly canContinue: boolean;
}
