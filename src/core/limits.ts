/**
 * What a peer may cost before it is given up: a model server, an MCP server, or a model that calls tools without end. A
 * limit that is reached fails closed: what exceeds it is not used, not run and not sent.
 */
export interface Limits {
  /**
   * Requests for one round, whatever they are for: the first, retries, other keys, without what was refused. Default: 8, or
   * `retry.maxRetries` + 1 if that is more.
   */
  readonly requestsPerRound: number;
  /** Times that one round asks whether a response that runs in the background is finished. Default: 2,000. */
  readonly polls: number;
  /** Calls in one round; with more, none of them runs and the call ends. Default: 128. */
  readonly callsPerRound: number;
  /**
   * Bytes of one JSON or error body, of one event of a stream, of one answer of an MCP server over HTTP. A value in the JSON
   * of a long answer counts 16 bytes beside its text. Default: 64,000,000.
   */
  readonly messageBytes: number;
  /** Tools taken from one MCP server; the others are left out. Default: 1,000. */
  readonly toolsPerServer: number;
  /** Characters of a tool's description; the rest is cut. Default: 8,000. */
  readonly descriptionChars: number;
  /** Characters of a tool's schema as JSON; a tool with a longer one is left out. Default: 32,000. */
  readonly schemaChars: number;
  /** Characters of an error that the model is given; the rest is cut. Default: 4,000. */
  readonly errorChars: number;
  /** Levels of nesting in JSON that comes from outside; 1,000 at most. Default: 500. */
  readonly jsonDepth: number;
}

/** The one table of defaults; a test holds the table of `docs/configuration.md` to it. */
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
