import type {
  ApprovalContent,
  ItemContent,
  ReasoningContent,
  SystemMessage,
  TextContent,
  ToolCallContent,
  ToolOutput,
  ToolResultContent,
  UserMessage,
} from './message.js';

/**
 * A conversation in its normal form: turns of entries, in which a call owns its output and its approval. Only
 * `src/history/pair.ts` makes it; requests, trimming, compaction, server state and approvals read it.
 */
export type Turn = SystemMessage | UserMessage | AnswerTurn;

export interface AnswerTurn {
  /** `tool`: outputs and approvals for which the model's own turns have no entry. */
  readonly role: 'assistant' | 'tool';
  readonly entries: readonly Entry[];
  /** The position behind its last entry. */
  readonly end: number;
}

export type Entry = TextEntry | ReasoningEntry | CallEntry | ItemEntry | OutputEntry | ApprovalEntry;

/** An entry while it is read. */
export type Draft<T> = { -readonly [Name in keyof T]: T[Name] };

/** The place of an entry; grows through one part of the conversation, the prompt or a round. */
interface Placed {
  readonly at: number;
}

export interface TextEntry extends TextContent, Placed {}

export interface ReasoningEntry extends ReasoningContent, Placed {}

/** A call that the client or this package answers. */
export interface CallEntry extends Placed {
  readonly type: 'call';
  readonly call: ToolCallContent;
  /** The place of the last call of its round. */
  readonly roundEnd: number;
  /** The place of its output. */
  readonly answeredAt?: number;
  readonly output?: ToolOutput;
  /** The history has an output for a call with this id after this one. */
  readonly isSettled?: boolean;
  /** The user's decision on it. */
  readonly approval?: ApprovalContent;
  /** The user was asked about it. */
  readonly wasAsked?: boolean;
  /** Calls in a row with the same number were made together; their outputs follow the last of them. */
  readonly run: number;
}

/** Whether the loop went on without the output of a call. */
export function isOpen({ call, output }: CallEntry): boolean {
  return call.runsOn === true && output === undefined;
}

/** An item that a response held. */
export interface ItemEntry extends ItemContent, Placed {
  /** The call or the request that it answers. */
  readonly answers?: ItemEntry;
  /** Why a server would refuse the item, so that it is omitted. */
  readonly fault?: Fault;
  /** The user's decision on a request for approval. */
  readonly approval?: ApprovalContent;
  readonly wasAsked?: boolean;
}

export type Fault = 'it has no call' | 'it has no output' | 'it comes twice';

/** The output of a call that is not in the history: only a server that keeps the conversation has it. */
export interface OutputEntry extends Placed {
  readonly type: 'output';
  readonly result: ToolResultContent;
}

/** The user's answer to a request of the server. */
export interface ApprovalEntry extends Placed {
  readonly type: 'approval';
  readonly approval: ApprovalContent;
  /** `undefined`: the request is not in the history. */
  readonly answers: ItemEntry | undefined;
}
