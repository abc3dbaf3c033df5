/**
 * What a peer may cost before it is given up: a model server, an MCP server, or a model that calls tools without end. A
 * limit that is reached fails closed: what exceeds it is not used, not run and not sent.
 */
export interface Limits {
  /** Requests for one round, whatever they are for: the first, retries, other keys, without what was refused. */
  readonly requestsPerRound: number;
  /** Times that one round asks whether a response is finished that runs in the background. */
  readonly polls: number;
  /** Calls in one round. With more, none of that round runs and the call ends. */
  readonly callsPerRound: number;
  /**
   * Bytes of one JSON, HTML or error body, of one event of a stream, and of one answer of an MCP server over HTTP. A value in
   * the JSON of a long answer counts 16 bytes beside its text.
   */
  readonly messageBytes: number;
  /** Tools taken from one MCP server; the others are left out. */
  readonly toolsPerServer: number;
  /** Characters of a tool's description; the rest is cut. */
  readonly descriptionChars: number;
  /** Characters of a tool's schema as JSON; a tool with a longer one is left out. */
  readonly schemaChars: number;
  /** Characters of an error that the model is given; the rest is cut. */
  readonly errorChars: number;
  /** Levels of nesting in JSON that comes from outside; 1,000 at most. */
  readonly jsonDepth: number;
}

/** The one table of defaults; `docs/configuration.md` shows the same. */
export const DEFAULT_LIMITS: Limits = {
  requestsPerRound: 8,
  polls: 2_000,
  callsPerRound: 128,
  messageBytes: 64_000_000,
  toolsPerServer: 1_000,
  descriptionChars: 8_000,
  schemaChars: 32_000,
  errorChars: 4_000,
  jsonDepth: 500,
};

/** A limit that was reached. */
export interface ReachedLimit {
  /** The setting that raises it: `maxRounds`, `limits.callsPerRound`, … */
  readonly name: string;
  /** What it was set to, by the settings or by default. */
  readonly value: number;
}
