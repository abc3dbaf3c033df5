/** What a user's message is made of. */
export type ContentBlock = TextBlock | ImageBlock | FileBlock;

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

export interface ImageBlock {
  readonly type: 'image';
  /** Bytes, base64, a data URL or an address. */
  readonly data: string | Uint8Array;
  readonly mediaType?: string | undefined;
}

export interface FileBlock {
  readonly type: 'file';
  /** Bytes, base64, a data URL or an address. */
  readonly data: string | Uint8Array;
  readonly mediaType: string;
  readonly name?: string | undefined;
}

/** What a person says. The id, if there is one, is that of its row. An empty list: the history ends with answers to questions. */
export interface UserMessage {
  readonly id?: string | undefined;
  readonly content: string | readonly ContentBlock[];
}

/** JSON by the part's provider name, such as `{ 'responses-loop': { itemId } }`. */
export type ProviderMetadata = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What a row says beyond its columns; stored as JSON. */
export interface MessageMetadata {
  /**
   * `thinking`: reasoning of the model. `prompt`: the session's system prompt. `cut_off`: a note that a turn was lost. `agent_session`: the id that the driver's own program has for this talk. `approval_request`, `approval_answer`: a
   * question about a call, and its answer. `output`: the answer by the schema of its message, as JSON. `summary`: stands for the turns up to
   * `throughTurn` when the model reads. `taken_back`: its turn does not hold any more.
   */
  readonly kind?:
    | 'thinking'
    | 'prompt'
    | 'cut_off'
    | 'agent_session'
    | 'approval_request'
    | 'approval_answer'
    | 'output'
    | 'summary'
    | 'taken_back';
  readonly throughTurn?: number;
  readonly approvalId?: string;
  readonly approved?: boolean;
  /** Why the call was denied. */
  readonly reason?: string;
  /** What a user's message was made of, if it was more than a text. */
  readonly blocks?: readonly ContentBlock[];
  /** The id that the sender gave a user's message. */
  readonly messageId?: string;
  /** What the answer to a user's message has to be. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** What the provider wrote beside the part; goes back to it in the next turn. */
  readonly provider?: ProviderMetadata;
  /** Who ran the tool: the provider, or this program. */
  readonly providerExecuted?: boolean;
  readonly isError?: boolean;
  /** The result is ours: the call never got one. */
  readonly interrupted?: boolean;
}

/** One row. Rows are only added, never changed; their order is `seq`. */
export interface StoredMessage {
  readonly id: string;
  readonly type: 'user' | 'agent' | 'tool' | 'system';
  readonly content: string;
  /** ISO 8601 in UTC. */
  readonly timestamp: string;
  readonly seq: number;
  /** Counts what the user said, from 1; 0 is what was there before. */
  readonly turn: number;
  /** Of a tool's row: whether it is the call (true) or its result (false). */
  readonly isToolUse?: boolean;
  readonly toolName?: string;
  readonly toolInput?: unknown;
  readonly toolId?: string;
  readonly toolResult?: unknown;
  readonly metadata?: MessageMetadata;
}

/** A row without what the session gives it: its id, place and time. */
export type AdapterMessage = Omit<StoredMessage, 'id' | 'seq' | 'turn' | 'timestamp'>;

/** Tokens of a session, summed over its turns. `used` is input and output together. */
export interface TokenUsage {
  readonly used: number;
  readonly breakdown: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheCreation: number;
    readonly reasoning: number;
  };
}
