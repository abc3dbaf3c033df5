import type { InferUIMessageChunk, UIMessage, UIMessageStreamWriter } from 'ai';
import type { McpQuestion } from './elicitation/mcp-questions.js';

/** Tokens of a turn, over all its rounds. */
export interface UsageData {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly reasoning: number;
  readonly rounds: number;
}

/** `waiting`: for a person. `interrupted`: its turn ended before it did. */
export type SubAgentState = 'running' | 'waiting' | 'done' | 'failed' | 'aborted' | 'interrupted';

/** A call of a sub-agent that waits for a person. */
export interface AgentQuestion {
  /** What is answered to: the id of the call, or another one if a call of this chat had it before. */
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  /** A tool of this application, not of an MCP server: only such a call has a view of its own. */
  readonly isOwn: boolean;
  /** Why it is asked, as the server keeps it with the question. */
  readonly descriptor: unknown;
}

/** What becomes of a message that comes while a turn of its chat runs. */
export type WhileRunning = 'queue' | 'steer';

/** A message that waits for a turn, as clients see it. */
export interface QueuedItem {
  readonly id: string;
  readonly text: string;
  /** Names of its files. */
  readonly files: readonly string[];
  /**
   * `held`: the person alone sends it. `steering`: the running turn hears it at its next tool boundary. `sending`: it is on
   * its way to the model.
   */
  readonly state: 'waiting' | 'held' | 'steering' | 'sending';
  /** Whether a running turn could hear it. */
  readonly canSteer: boolean;
  /** Why it was not sent. */
  readonly problem?: string | undefined;
}

/** Data parts by name, without `data-`. `skill` and `steered` are stored; the others live in the stream alone. */
export type ChatData = {
  readonly skill: { readonly name: string };
  /** A message of the person, where the model has read it in the middle of its turn. */
  readonly steered: { readonly id: string; readonly text: string };
  /** All messages that wait in this chat, each time that there are others. */
  readonly queue: { readonly items: readonly QueuedItem[] };
  readonly session: { readonly id: string; readonly title: string };
  readonly 'sub-agent-start': { readonly agentId: string; readonly agentType: string; readonly task: string };
  readonly 'sub-agent-delta': { readonly agentId: string; readonly text: string };
  readonly 'sub-agent-chunk': { readonly agentId: string; readonly chunk: unknown };
  readonly 'sub-agent-end': { readonly agentId: string; readonly state: SubAgentState; readonly summary: string };
  readonly 'sub-agent-approval': AgentQuestion & { readonly agentId: string };
  readonly 'sub-agent-answer': { readonly agentId: string; readonly toolCallId: string; readonly approved: boolean };
  readonly progress: {
    readonly toolCallId: string;
    readonly progress: number;
    readonly total?: number | undefined;
    readonly message?: string | undefined;
  };
  /** All questions of MCP servers that wait in this chat, each time that there are others. */
  readonly questions: { readonly items: readonly McpQuestion[] };
  /** Asked again after a failure; attempt 0: the model answers now. */
  readonly retry: { readonly attempt: number; readonly of: number };
  readonly usage: UsageData;
};

export interface MessageMetadata {
  /** Summed over the stretches of a message that went on after approvals. */
  readonly usage?: UsageData;
  readonly elapsedMs?: number;
  /** Which model answered, and through what. */
  readonly chatModelId?: string;
  readonly chatModelSource?: ChatModelSource;
  /** In the stream only: how many parts of it were there before the running turn. */
  readonly partsBefore?: number;
  /** The turn was stopped, by a person or because no client was connected. */
  readonly isAborted?: boolean;
  /** What a person reads where the turn failed. */
  readonly error?: { readonly code: string; readonly message: string };
}

/** A message as `useChat` has it. */
export type ChatMessage = UIMessage<MessageMetadata, ChatData>;
export type ChatPart = ChatMessage['parts'][number];
export type ChatChunk = InferUIMessageChunk<ChatMessage>;
export type ChatWriter = UIMessageStreamWriter<ChatMessage>;

/** A line of `messages.jsonl`. */
export interface StoredMessage {
  readonly id: string;
  readonly parentMessageId: string | null;
  readonly role: 'user' | 'assistant' | 'system' | 'subagent';
  readonly messageKind: 'normal' | 'error' | 'compact_summary';
  readonly parts: readonly ChatPart[];
  readonly metadata: MessageMetadata;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

/** "Always in this chat": a tool of the app, an MCP tool, pages of a host, what is done in the browser at an origin, or a command that begins so. */
export type Grant =
  | { readonly kind: 'tool'; readonly tool: string }
  | { readonly kind: 'mcp'; readonly server: string; readonly tool: string }
  | { readonly kind: 'web'; readonly host: string }
  | { readonly kind: 'browser'; readonly origin: string }
  | { readonly kind: 'command'; readonly rule: string };

/** What a person switched off in a chat: a tool of the app, a tool of an MCP server, or all tools of that server. */
export type SwitchedOff =
  | { readonly kind: 'tool'; readonly tool: string }
  | { readonly kind: 'mcp'; readonly server: string; readonly tool: string }
  | { readonly kind: 'server'; readonly server: string };

/** `session.json` of a chat. */
export interface SessionFile {
  readonly version: 1;
  readonly id: string;
  readonly title: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly leafId: string | null;
  /** Above all others in the list. */
  readonly isPinned?: boolean | undefined;
  /** Out of the list, and still found by a search. */
  readonly isArchived?: boolean | undefined;
  readonly instructions: string;
  readonly grants: readonly Grant[];
  /** Neither offered to the model nor run, in sub-agents too. Absent: nothing is off. */
  readonly off?: readonly SwitchedOff[] | undefined;
  readonly usage: UsageData;
}

/** `session.json` of a sub-agent. */
export interface AgentFile {
  readonly version: 1;
  readonly id: string;
  readonly title: string;
  readonly agentType: string;
  readonly task: string;
  readonly state: SubAgentState;
  /** The call that it works for. Absent in files of earlier versions, whose sub-agents cannot go on. */
  readonly parent?: AgentParent | undefined;
  /** What it reported, or why it ended. */
  readonly summary?: string | undefined;
  /** Steps that it has taken. */
  readonly steps?: number | undefined;
  /** All that a person was asked. */
  readonly asked?: readonly SealedQuestion[] | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface AgentParent {
  /** The message with the call: of the chat, or of the sub-agent `agentId`. */
  readonly messageId: string;
  readonly toolCallId: string;
  readonly agentId?: string | undefined;
}

export interface SealedQuestion {
  /** What is answered to. */
  readonly id: string;
  /** Of the request in the message of the sub-agent. */
  readonly approvalId: string;
  /** Binds the call to its chat and its sub-agent. */
  readonly seal: string;
}

export type ChatModelSource = 'loop' | 'stock';
export type Intent = 'chat' | 'command' | 'utility';
export type ResponseMode = 'stream' | 'json';

/** The answer of a person to one request for approval. `always` with a yes is a grant for this chat. */
export interface ApprovalAnswer {
  readonly id: string;
  readonly approved: boolean;
  readonly reason?: string | undefined;
  readonly always?: boolean | undefined;
}

/** The same as it is kept with the question. */
export interface KeptAnswer extends ApprovalAnswer {
  /** What the person knew beside the call itself. */
  readonly descriptor?: unknown;
}

/** A message of a person, checked. */
export interface UserMessage {
  readonly id: string;
  readonly role: 'user';
  readonly parts: readonly ChatPart[];
}

interface RequestBase {
  readonly id: string;
  readonly chatModelId?: string | undefined;
  readonly chatModelSource?: ChatModelSource | undefined;
  /** One of the levels of reasoning that the model has. */
  readonly reasoningEffort?: string | undefined;
  readonly intent: Intent;
  readonly responseMode: ResponseMode;
}

/** What `POST /api/chat` takes, once it was checked. */
export type ChatRequest = RequestBase &
  (
    | {
        readonly trigger: 'submit-message';
        readonly message: UserMessage;
        /** The id of the message again, if it takes the place of one that is there. */
        readonly messageId?: string | undefined;
        /** Absent: after the last message. */
        readonly parentMessageId?: string | null | undefined;
        /** Absent: the message is refused while a turn runs. */
        readonly whileRunning?: WhileRunning | undefined;
      }
    | {
        readonly trigger: 'regenerate-message';
        /** Absent: the last message. */
        readonly messageId?: string | undefined;
      }
    | {
        readonly trigger: 'approval-response';
        readonly approvals: readonly ApprovalAnswer[];
        /** Answers that were given before do not count, if there is a new one beside them. */
        readonly mayRepeat?: boolean | undefined;
      }
  );

export const NO_USAGE: UsageData = { input: 0, output: 0, cached: 0, reasoning: 0, rounds: 0 };
