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
   * Requests for one round, including retries, requests with other keys, and requests without a refused field.
   * @default 8, or `retry.maxRetries` + 1 if that is more
   */
  requestsPerRound: { byDefault: 8, forModels: 1 },
  /** Polls in one round for a response that runs in the background. @default 2,000 */
  polls: { byDefault: 2_000 },
  /** Tool calls in one round; if there are more, none of them runs and the call ends. @default 128 */
  callsPerRound: { byDefault: 128, forModels: 1 },
  /**
   * Bytes of one JSON or error body, one stream event, or one answer from an MCP server over HTTP. A value in the
   * JSON of a long answer counts 16 bytes in addition to its text.
   * @default 64,000,000
   */
  messageBytes: { byDefault: 64_000_000, forModels: 1 },
  /** Tools used from one MCP server; the others are left out. @default 1,000 */
  toolsPerServer: { byDefault: 1_000 },
  /** Characters of a tool's description; the rest is cut off. @default 8,000 */
  descriptionChars: { byDefault: 8_000 },
  /** Characters of a tool's schema as JSON; a tool with a longer schema is left out. @default 32,000 */
  schemaChars: { byDefault: 32_000 },
  /** Characters of an MCP App's page; a longer page is refused. @default 5,000,000 */
  pageChars: { byDefault: 5_000_000 },
  /** Characters of an error that the model reads; the rest is cut off. @default 4,000 */
  errorChars: { byDefault: 4_000 },
  /** Levels of nesting in JSON from outside; at most 1,000. @default 500 */
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
  /** Rounds in which the model may call tools; then one closing round makes it answer. @default 20 */
  maxRounds: { byDefault: 20, forModels: 0 },
  /** Tool runs in one call; then one closing round makes the model answer. @default no limit */
  maxToolCalls: { byDefault: Infinity, forModels: 0 },
  /** Rounds in a row that only repeat earlier calls with the same results, before the closing round. @default 5 */
  maxRepeatedRounds: { byDefault: 5, forModels: 0 },
  /** How many milliseconds a tool may be silent; progress reports restart the timer, `0` means no limit. @default 60,000 */
  toolTimeoutMs: { byDefault: 60_000, least: 0, forModels: 0 },
  /** How many milliseconds a tool may take in total, despite progress. @default ten times the silence limit */
  toolTotalTimeoutMs: { least: 0, forModels: 0 },
  /**
   * How many milliseconds a call waits for `async` functions once the model has nothing else to do; `0` means no
   * waiting. Then it ends, and the next turn brings their results.
   * @default no limit
   */
  asyncToolWaitMs: { byDefault: Infinity, least: 0, forModels: 0 },
  /** Characters of a tool's output that the model reads in one piece; the middle of a longer one is cut. @default 40,000 */
  maxToolOutputChars: { byDefault: 40_000, forModels: 0 },
  /**
   * Characters of a request's input beyond which old tool outputs are left out, the oldest first and in steps; for
   * servers that do not summarize conversations themselves. The results that you receive stay complete. See
   * `docs/transports.md`.
   * @default no limit
   * @example
   * createResponsesProvider({ baseURL: 'http://localhost:8080/v1', maxLoopChars: 200_000, maxRounds: 500 });
   */
  maxLoopChars: { forModels: 0 },
} as const satisfies NumberRows;

/** The group `timeouts`. All are milliseconds. */
export const TIMEOUTS = {
  /** Milliseconds until a server begins to answer, since models may think for long; `0` means no limit. @default 900,000 */
  headersMs: { byDefault: 900_000, least: 0 },
  /** Milliseconds of silence within an answer; `0` means no limit. @default 900,000 */
  idleMs: { byDefault: 900_000, least: 0 },
  /** Milliseconds in which a server sends only keep-alive comments; `0` means no limit. @default 900,000 */
  commentsMs: { byDefault: 900_000, least: 0 },
  /** Milliseconds until an MCP server is ready. @default 30,000 */
  connectMs: { byDefault: 30_000, least: 0 },
  /** Milliseconds until a WebSocket is open. @default 10,000 */
  socketMs: { byDefault: 10_000, least: 0 },
  /** Time limit for the whole call, with all its rounds and tools (milliseconds). @default no limit */
  totalMs: { least: 0 },
} as const satisfies NumberRows;

/** The group `retry`. */
export const RETRIES = {
  /** Retries of a follow-up round; the AI SDK retries the first one (`maxRetries` of the call). @default 2 */
  maxRetries: { byDefault: 2, least: 0 },
  /**
   * Longest pause before the first retry in milliseconds, doubled for each further retry; pauses are random.
   * @default 1,000
   */
  initialDelayMs: { byDefault: 1_000, least: 0 },
  /** Longest pause in milliseconds; if a server asks for a longer one, there is no retry. @default 60,000 */
  maxDelayMs: { byDefault: 60_000, least: 0 },
  /** Retries of a failed read-only or idempotent tool, after 250 ms, doubled each time. @default 0 */
  maxToolRetries: { byDefault: 0, least: 0 },
  /**
   * How often in one call the model may continue a text whose stream broke off after part of it was shown.
   * @default 0
   */
  maxContinuations: { byDefault: 0, least: 0 },
} as const satisfies NumberRows;

/** The group `sockets`: connections to the model's server that stay open. */
export const SOCKETS = {
  /** Open sockets of one provider; further calls use HTTP. @default 16 */
  max: { byDefault: 16 },
  /** Milliseconds after which an unused socket is closed. @default 60,000 */
  idleMs: { byDefault: 60_000 },
  /** Milliseconds after which a socket is closed, even if it is in use. @default set by the server */
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
