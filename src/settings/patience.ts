/** Connections to the model's server that stay open. */
export interface SocketSettings {
  /** Sockets that a provider may have; a call beyond that goes over HTTP. Default: 16. */
  readonly max?: number | undefined;
  /** Milliseconds without a request after which a socket is closed. Default: 60,000. */
  readonly idleMs?: number | undefined;
  /** Milliseconds after which a socket is closed, however busy it was. Default: what the server allows. */
  readonly maxAgeMs?: number | undefined;
}

/** All are milliseconds. */
export interface TimeoutSettings {
  /** Milliseconds until a server begins to answer, since models may think long; `0` waits for ever. Default: 900,000. */
  readonly headersMs?: number | undefined;
  /** Milliseconds of silence inside an answer; `0` waits for ever. Default: 900,000. */
  readonly idleMs?: number | undefined;
  /** Milliseconds in which only comments come, which keep a connection open; `0` waits for ever. Default: 900,000. */
  readonly commentsMs?: number | undefined;
  /** Milliseconds until an MCP server is ready. Default: 30,000. */
  readonly connectMs?: number | undefined;
  /** Milliseconds until a WebSocket is open. Default: 10,000. */
  readonly socketMs?: number | undefined;
  /** Milliseconds that a whole call may take, with all its rounds and tools. Default: no limit. */
  readonly totalMs?: number | undefined;
}

export interface RetrySettings {
  /** Further attempts at a follow-up round; the AI SDK retries the first one (`maxRetries` of the call). Default: 2. */
  readonly maxRetries?: number | undefined;
  /** Longest pause before the first retry in milliseconds, doubled for each further one; pauses are random. Default: 1,000. */
  readonly initialDelayMs?: number | undefined;
  /** Longest pause in milliseconds; a server that asks for more is not asked again. Default: 60,000. */
  readonly maxDelayMs?: number | undefined;
  /** Further attempts at a read-only or idempotent tool that failed, after 250 ms, doubled each time. Default: 0. */
  readonly maxToolRetries?: number | undefined;
}
