/**
 * The abilities of a back end. Data, chosen by the URL and open to override: nothing else in the package knows back
 * ends.
 */
export interface Profile {
  /** The name that `endpoint()` and events show as `backend`. */
  readonly name: string;
  /**
   * The `@ai-sdk/*` package that this back end replaces. Its `providerOptions` key is read before `openai`, and its
   * options are known and checked as it checks them. Unset: only `openai` is read, and unknown values are sent with a
   * warning.
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
  /** The allowed forms of `function_call_output.output`. */
  readonly toolOutput: 'string' | 'text-parts' | 'multimodal';
  /** How the closing request of a call keeps the model from calling tools. */
  readonly closingTools: 'choice-none' | 'remove';
  /** Settings beyond the Responses API that the server takes: names of request fields. */
  readonly vendorFields: readonly string[];
  /** Models that refuse `temperature` and `top_p`, by their ids. */
  readonly reasoningModels: readonly RegExp[];
  /** Kinds of tools that the server supports in addition to functions: `'any'`, or a list; others are not sent. */
  readonly hostedTools: 'any' | readonly string[];
  /** Whether the server takes files that are no images. */
  readonly inputFiles: boolean;
  /** Whether it fetches images and files from a URL. */
  readonly inputUrls: boolean;
  /** Runs calls of custom tools itself and sends no output for them. Absent: the client answers them. */
  readonly runsCustomTools?: true;
  /**
   * Whether a model may continue while a function with `async: true` runs, so that a request may leave its call open.
   * Absent: the flag is not sent, and every round waits for all of its calls.
   */
  readonly asyncTools?: true;
  /** The role that carries the system prompt. */
  readonly systemRole: 'system' | 'developer';
  /** Whether the server also takes requests over a WebSocket. Absent: it is not known to. */
  readonly webSocket?: SocketRules | undefined;
  /** Whether many requests with one `prompt_cache_key` may share a cache. Absent: the option `'auto'` sends no key. */
  readonly sharesCacheByKey?: true;
  /**
   * Whether the items before a server's summary (`compaction`) in a history may be dropped. Unset: only before a
   * summary of the same call, because this server might not read another server's.
   */
  readonly readsCompaction?: boolean;
}

/** A server's WebSocket mode of the Responses API. */
export interface SocketRules {
  /** Whether a request may continue from its connection's state, without storage. */
  readonly continues: 'connection' | 'never';
  /** How long a connection is used, in milliseconds: servers end older ones. */
  readonly maxAgeMs: number;
  /** Fields that a request must omit if it continues a response. */
  readonly without?: readonly string[];
}
