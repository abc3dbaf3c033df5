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
   * Requests for one round, whatever they are for: the first, retries, other keys, without what was refused.
   * @default 8, or `retry.maxRetries` + 1 if that is more
   */
  requestsPerRound: { byDefault: 8, forModels: 1 },
  /** Times that one round asks whether a response that runs in the background is finished. @default 2,000 */
  polls: { byDefault: 2_000 },
  /** Calls in one round; with more, none of them runs and the call ends. @default 128 */
  callsPerRound: { byDefault: 128, forModels: 1 },
  /**
   * Bytes of one JSON or error body, of one event of a stream, of one answer of an MCP server over HTTP. A value in
   * the JSON of a long answer counts 16 bytes beside its text.
   * @default 64,000,000
   */
  messageBytes: { byDefault: 64_000_000, forModels: 1 },
  /** Tools taken from one MCP server; the others are left out. @default 1,000 */
  toolsPerServer: { byDefault: 1_000 },
  /** Characters of a tool's description; the rest is cut. @default 8,000 */
  descriptionChars: { byDefault: 8_000 },
  /** Characters of a tool's schema as JSON; a tool with a longer one is left out. @default 32,000 */
  schemaChars: { byDefault: 32_000 },
  /** Characters of the page of an MCP App; a longer one is refused. @default 5,000,000 */
  pageChars: { byDefault: 5_000_000 },
  /** Characters of an error that the model is given; the rest is cut. @default 4,000 */
  errorChars: { byDefault: 4_000 },
  /** Levels of nesting in JSON that comes from outside; 1,000 at most. @default 500 */
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
  /** Rounds in which tools may be called; then one closing round makes the model answer. @default 20 */
  maxRounds: { byDefault: 20, forModels: 0 },
  /** Tool runs in one call; then one closing round makes the model answer. @default no limit */
  maxToolCalls: { byDefault: Infinity, forModels: 0 },
  /** Rounds in a row that only repeat earlier calls with the same results, before the closing round. @default 5 */
  maxRepeatedRounds: { byDefault: 5, forModels: 0 },
  /** Milliseconds a tool may be silent; progress reports extend it, `0` is no limit. @default 60,000 */
  toolTimeoutMs: { byDefault: 60_000, least: 0, forModels: 0 },
  /** Milliseconds a tool may take in all, whatever progress it reports. @default ten times the silence it is allowed */
  toolTotalTimeoutMs: { least: 0, forModels: 0 },
  /**
   * Milliseconds that a call waits for functions with `async` once the model has nothing else to do, `0` for not at
   * all. Then it ends, and the next turn brings their results.
   * @default no limit
   */
  asyncToolWaitMs: { byDefault: Infinity, least: 0, forModels: 0 },
  /** Characters of a tool's text that the model is given at once; more is cut out of its middle. @default 40,000 */
  maxToolOutputChars: { byDefault: 40_000, forModels: 0 },
  /**
   * Characters of a request's input, above which old outputs of tools are left out of it, the oldest first and in
   * steps; for servers that do not sum up a conversation themselves. What you are given stays whole. See
   * `docs/transports.md`.
   * @default no limit
   * @example
   * createResponsesProvider({ baseURL: 'http://localhost:8080/v1', maxLoopChars: 200_000, maxRounds: 500 });
   */
  maxLoopChars: { forModels: 0 },
} as const satisfies NumberRows;

/** The group `timeouts`. All are milliseconds. */
export const TIMEOUTS = {
  /** Milliseconds until a server begins to answer, since models may think long; `0` waits for ever. @default 900,000 */
  headersMs: { byDefault: 900_000, least: 0 },
  /** Milliseconds of silence inside an answer; `0` waits for ever. @default 900,000 */
  idleMs: { byDefault: 900_000, least: 0 },
  /** Milliseconds in which only comments come, which keep a connection open; `0` waits for ever. @default 900,000 */
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
  /** Further attempts at a follow-up round; the AI SDK retries the first one (`maxRetries` of the call). @default 2 */
  maxRetries: { byDefault: 2, least: 0 },
  /**
   * Longest pause before the first retry in milliseconds, doubled for each further one; pauses are random.
   * @default 1,000
   */
  initialDelayMs: { byDefault: 1_000, least: 0 },
  /** Longest pause in milliseconds; a server that asks for more is not asked again. @default 60,000 */
  maxDelayMs: { byDefault: 60_000, least: 0 },
  /** Further attempts at a read-only or idempotent tool that failed, after 250 ms, doubled each time. @default 0 */
  maxToolRetries: { byDefault: 0, least: 0 },
  /**
   * Times in one call that the model is asked to go on with a text that was shown as its stream broke off.
   * @default 0
   */
  maxContinuations: { byDefault: 0, least: 0 },
} as const satisfies NumberRows;

/** The group `sockets`: connections to the model's server that stay open. */
export const SOCKETS = {
  /** Sockets that a provider may have; a call beyond that goes over HTTP. @default 16 */
  max: { byDefault: 16 },
  /** Milliseconds without a request after which a socket is closed. @default 60,000 */
  idleMs: { byDefault: 60_000 },
  /** Milliseconds after which a socket is closed, however busy it was. @default what the server allows */
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
