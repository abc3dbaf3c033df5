/** A number that a user may set: a row of a table below is all that makes it a setting, but for its use. */
interface NumberRow {
  /** Unset: no limit, or worked out where it is used. */
  readonly byDefault?: number;
  /** @default 1 */
  readonly least?: number;
  readonly most?: number;
  /** The least that `models` may set it to. Unset: `models` cannot set it. */
  readonly forModels?: number;
}

export type NumberRows = Readonly<Record<string, NumberRow>>;

/** The numbers of a table as a user may set them. */
export type Given<Rows extends NumberRows> = { readonly [Name in keyof Rows]?: number | undefined };

/** The numbers that `models` may set. */
export type GivenForModels<Rows extends NumberRows> = {
  readonly [Name in keyof Rows as Rows[Name] extends { readonly forModels: number } ? Name : never]?:
    | number
    | undefined;
};

/** The group `limits`. */
export const LIMITS = {
  /**
   * Maximum number of requests per round, including retries, attempts with other API keys, and requests repeated after
   * a field was rejected.
   * @default 8, or `retry.maxRetries` + 1 if that is more
   */
  requestsPerRound: { byDefault: 8, forModels: 1 },
  /** Maximum number of polls in one round for a background response. @default 2,000 */
  polls: { byDefault: 2_000 },
  /**
   * Maximum number of tool calls in one round; if a round has more, the call fails.
   * @default 128
   */
  callsPerRound: { byDefault: 128, forModels: 1 },
  /**
   * Maximum size in bytes of a JSON or error body, a stream event, or an MCP server's HTTP response. A value in the
   * JSON of a long answer counts 16 bytes in addition to its text.
   * @default 64,000,000
   */
  messageBytes: { byDefault: 64_000_000, forModels: 1 },
  /** Maximum number of tools that the provider uses from one MCP server; the rest are left out. @default 1,000 */
  toolsPerServer: { byDefault: 1_000 },
  /** Maximum length of a tool's description, in characters; the rest is cut off. @default 8,000 */
  descriptionChars: { byDefault: 8_000 },
  /**
   * Maximum length of a tool's schema as JSON, in characters; a tool with a longer schema is left out.
   * @default 32,000
   */
  schemaChars: { byDefault: 32_000 },
  /** Maximum length of an MCP App's page, in characters; a longer page is rejected. @default 5,000,000 */
  pageChars: { byDefault: 5_000_000 },
  /** Maximum length of an error that the model reads, in characters; the rest is cut off. @default 4,000 */
  errorChars: { byDefault: 4_000 },
  /** Maximum nesting depth of JSON that the package receives; the limit cannot exceed 1,000. @default 500 */
  jsonDepth: { byDefault: 500, most: 1_000, forModels: 1 },
} as const satisfies NumberRows;

/**
 * Limits on what a peer may cost: a model server, an MCP server, or a model that calls tools without end. A limit that
 * is reached fails closed: the excess is not used, not run and not sent.
 */
export type Limits = { readonly [Name in keyof typeof LIMITS]: number };

export const DEFAULT_LIMITS = /* @__PURE__ */ defaultsOf(LIMITS) as Limits;

/** Limits of the loop, which are members of the settings themselves. */
export const LOOP_LIMITS = {
  /** Maximum number of rounds with tool calls before the model answers in a closing round. @default 20 */
  maxRounds: { byDefault: 20, forModels: 0 },
  /** Maximum number of tool runs in one call before the model answers in a closing round. @default no limit */
  maxToolCalls: { byDefault: Infinity, forModels: 0 },
  /**
   * Maximum number of consecutive rounds that only repeat earlier calls with the same results; after that,
   * the model answers in a closing round.
   * @default 5
   */
  maxRepeatedRounds: { byDefault: 5, forModels: 0 },
  /**
   * How long a tool may be silent, in milliseconds; progress reports restart the timer, and `0` means no limit.
   * @default 60,000
   */
  toolTimeoutMs: { byDefault: 60_000, least: 0, forModels: 0 },
  /**
   * How long a tool may take in total, in milliseconds, even if it reports progress.
   * @default ten times `toolTimeoutMs`
   */
  toolTotalTimeoutMs: { least: 0, forModels: 0 },
  /**
   * How long a call waits, in milliseconds, for `async` functions when the model has nothing else to do; with `0`, the
   * call does not wait. Then it ends, and the next turn brings their results.
   * @default no limit
   */
  asyncToolWaitMs: { byDefault: Infinity, least: 0, forModels: 0 },
  /**
   * Maximum number of characters of a tool's output that the model gets at a time; the middle of a longer output is
   * cut out.
   * @default 40,000
   */
  maxToolOutputChars: { byDefault: 40_000, forModels: 0 },
  /**
   * Maximum length of a request's input, in characters, for servers that do not summarize conversations; if the input
   * is longer, old tool outputs are left out, oldest first. The results that you receive stay complete. See
   * `docs/long-loops.md`.
   * @default no limit
   * @example
   * createResponsesProvider({ baseURL: 'http://localhost:8080/v1', maxLoopChars: 200_000, maxRounds: 500 });
   */
  maxLoopChars: { forModels: 0 },
} as const satisfies NumberRows;

/** The group `timeouts`. All are milliseconds. */
export const TIMEOUTS = {
  /** How long a server may take to start its response, in milliseconds; `0` means no limit. @default 900,000 */
  headersMs: { byDefault: 900_000, least: 0 },
  /** How long a server may be silent during a response, in milliseconds; `0` means no limit. @default 900,000 */
  idleMs: { byDefault: 900_000, least: 0 },
  /** How long a server may send only keep-alive comments, in milliseconds; `0` means no limit. @default 900,000 */
  commentsMs: { byDefault: 900_000, least: 0 },
  /** How long an MCP server may take to become ready, in milliseconds. @default 30,000 */
  connectMs: { byDefault: 30_000, least: 0 },
  /** How long a WebSocket may take to open, in milliseconds. @default 10,000 */
  socketMs: { byDefault: 10_000, least: 0 },
  /** How long the whole call may take, in milliseconds, including all rounds and tools. @default no limit */
  totalMs: { least: 0 },
} as const satisfies NumberRows;

/** The group `retry`. */
export const RETRIES = {
  /**
   * Maximum number of retries per follow-up round; for the first round, the call's `maxRetries` applies.
   * @default 2
   */
  maxRetries: { byDefault: 2, least: 0 },
  /**
   * Maximum pause before the first retry, in milliseconds; the maximum doubles with each retry, and the pause is
   * random.
   * @default 1,000
   */
  initialDelayMs: { byDefault: 1_000, least: 0 },
  /** Maximum pause, in milliseconds; if a server asks for a longer pause, the round is not retried. @default 60,000 */
  maxDelayMs: { byDefault: 60_000, least: 0 },
  /**
   * Maximum number of retries if a read-only or idempotent tool fails; the first retry starts after 250 ms, and the
   * pause doubles each time.
   * @default 0
   */
  maxToolRetries: { byDefault: 0, least: 0 },
  /**
   * How many times per call the model may continue an answer that was cut off after the user saw part of it.
   * @default 0
   */
  maxContinuations: { byDefault: 0, least: 0 },
} as const satisfies NumberRows;

/** The group `sockets`: connections to the model's server that stay open. */
export const SOCKETS = {
  /** Maximum number of open sockets per provider; further calls use HTTP. @default 16 */
  max: { byDefault: 16 },
  /** How long an unused socket stays open, in milliseconds. @default 60,000 */
  idleMs: { byDefault: 60_000 },
  /**
   * Maximum age of a socket, in milliseconds; the provider does not reuse an older socket.
   * @default depends on the server
   */
  maxAgeMs: {},
} as const satisfies NumberRows;

/** Returns the defaults of a table; rows without one are dropped. */
export function defaultsOf(rows: NumberRows): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(rows).flatMap(([name, { byDefault }]) => (byDefault === undefined ? [] : [[name, byDefault]])),
  );
}

/** A limit that was reached. */
export interface ReachedLimit {
  /** The setting that raises it: `maxRounds`, `limits.callsPerRound`, … */
  readonly name: string;
  /** The effective value, from the settings or the default. */
  readonly value: number;
}
