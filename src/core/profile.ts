/** What a back end accepts. Data, chosen from the URL and open to override: nothing else in the package knows back ends. */
export interface Profile {
  readonly name: string;
  /**
   * Whose AI SDK provider ours stands in for: its key in `providerOptions` is read before `openai`, its options are known,
   * and what it checks is checked. Absent: no provider's; `openai` is read, and unknown values are sent with a warning.
   */
  readonly vendor?: 'openai' | 'azure' | 'xai';
  /** How the key is sent. */
  readonly auth: 'bearer' | 'api-key' | 'x-goog-api-key' | 'none';
  /** `true`: calling without a key is refused before anything is sent. */
  readonly requiresKey: boolean;
  /** The version segment appended to a base URL that has no path. */
  readonly versionSegment: string;
  /** How earlier reasoning may be sent back. */
  readonly reasoningReplay: 'encrypted' | 'text' | 'none';
  /** `include` values sent with every request. */
  readonly include: readonly string[];
  /** Strict validators want an id on assistant messages in the input; OpenAI looks ids up and refuses unknown ones. */
  readonly assistantMessageIds: 'omit' | 'synthetic';
  /** What `function_call_output.output` may be. */
  readonly toolOutput: 'string' | 'text-parts' | 'multimodal';
  /** How the closing request of a call keeps the model from calling tools. */
  readonly closingTools: 'choice-none' | 'remove';
  /** Settings beyond the Responses API that the server takes: names of request fields. */
  readonly vendorFields: readonly string[];
  /** Models that refuse `temperature` and `top_p`, by their ids. */
  readonly reasoningModels: readonly RegExp[];
  /** Kinds of tools the server knows beside functions: `'any'`, or a list; others are not sent. */
  readonly hostedTools: 'any' | readonly string[];
  /** Whether the server takes files that are no images. */
  readonly inputFiles: boolean;
  /** Whether it fetches images and files from a URL. */
  readonly inputUrls: boolean;
  /** Runs calls of custom tools itself and sends no output for them. Absent: the client answers them. */
  readonly runsCustomTools?: true;
  /** The role that carries the system prompt. */
  readonly systemRole: 'system' | 'developer';
  /** Whether the server also takes requests over a WebSocket. Absent: it is not known to. */
  readonly webSocket?: SocketRules | undefined;
  /**
   * Whether what stands before a summary of the server's (`compaction`) in a history need not be sent. Absent: only before one
   * that it made in the very call, since a history may come from another server, whose summary this one might not read.
   */
  readonly readsCompaction?: boolean;
}

/** The WebSocket mode of the Responses API, as one server has it. */
export interface SocketRules {
  /** Whether a request may go on from what its connection knows, without anything being stored. */
  readonly continues: 'connection' | 'never';
  /** How long a connection is used, in milliseconds: servers end older ones. */
  readonly maxAgeMs: number;
  /** Fields that a request which continues a response must not have. */
  readonly without?: readonly string[];
}
