/**
 * `streamText` prints errors with all that is in them (answers of servers, addresses, what was sent) unless it is given this.
 * The settings of `ToolLoopAgent` do not name it, but hand it on. What a person should know is a chunk of the stream.
 */
export const QUIET = { onError: (): void => {} };
