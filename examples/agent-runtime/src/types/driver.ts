import type { DriverStreamEvent } from './events.js';
import type { AdapterMessage, ProviderMetadata, StoredMessage, UserMessage } from './messages.js';

/** Talks to one model (or to anything else) for one session. */
export interface Driver {
  readonly name: string;
  readonly supportedProtocols: readonly ('openai' | 'anthropic')[];
  readonly sessionId: string | null;
  readonly state: 'idle' | 'active' | 'disposed';
  /** It gives its rows to `onMessage`. Those of a driver that does not are made of its events. */
  readonly reportsMessages?: boolean;
  initialize(): Promise<void>;
  receive(message: UserMessage, options?: SendOptions): AsyncIterable<DriverStreamEvent>;
  /** Ends the running `receive()` with `interrupted`. */
  interrupt(): void;
  dispose(): Promise<void>;
}

export interface DriverConfig<T = Record<string, unknown>> {
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly model?: string | undefined;
  /** Milliseconds that a turn may take. */
  readonly timeout?: number | undefined;
  readonly agentId: string;
  readonly systemPrompt?: string | undefined;
  /** The folder that MCP servers and other programs start in, unless their entry has its own `cwd`. */
  readonly cwd?: string | undefined;
  /** Handed to the provider as they are. */
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>> | undefined;
  /** The talk to go on with. The mono driver reads it by `loadMessages`, unless it was given a `session`. */
  readonly resumeSessionId?: string | undefined;
  /** Reads the rows of a session by its id, such as `(id) => persister.getMessages(id)`. */
  readonly loadMessages?: ((sessionId: string) => Promise<readonly StoredMessage[]>) | undefined;
  readonly onSessionIdCaptured?: ((id: string) => void) | undefined;
  readonly options?: T | undefined;
  readonly session?: SessionView | undefined;
  /** Takes each finished row of the running turn, with the provider's metadata, before the event that follows it. */
  readonly onMessage?: ((message: AdapterMessage) => void) | undefined;
}

export type DriverFactory = (config: DriverConfig) => Driver;

/** An entry of `mcpServers`, as MCP clients write it: `{ command, args, env }` or `{ url, headers }`. */
export type McpServerConfig = Readonly<Record<string, unknown>>;

/** What the model is asked with; the members of one message's options. */
export interface SendOptions {
  readonly model?: string | undefined;
  readonly thinking?: 'disabled' | 'low' | 'medium' | 'high' | undefined;
  readonly providerOptions?: ProviderMetadata | undefined;
  /**
   * The JSON schema of the answer: its text is checked, and kept as the turn's output. It stays with the message, so that
   * it also holds behind calls that wait for a person.
   */
  readonly schema?: JsonSchema | undefined;
  /** Set by the session: it asks for a summary of itself. No tools are called, and it is no part of the talk. */
  readonly purpose?: 'summary' | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A session as a driver sees it: it reads, and never writes. */
export interface SessionView {
  readonly id: string;
  getMessages(): readonly StoredMessage[];
}

/** The options of one message of a user. */
export interface MessageOptions extends SendOptions {
  /**
   * The message's own id, 1 to 64 letters, digits, `_` and `-`. A session takes a message with an id once, and refuses it after
   * that with `message_exists`: a sender that lost its connection sends it again.
   */
  readonly id?: string | undefined;
}
