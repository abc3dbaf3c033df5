/** Stable names of everything that can go wrong; branch on these, not on messages. */
export type ErrorCode =
  /** A setting that cannot be right; thrown when the provider is created. */
  | 'invalid-settings'
  /** The back end needs a key and the settings have none, or the `apiKey` function failed. */
  | 'missing-api-key'
  /** A prompt that cannot be sent. */
  | 'invalid-prompt'
  /** An option of a call that cannot be right; nothing was sent. */
  | 'invalid-options'
  /** The server could not be reached. */
  | 'connection-failed'
  /** The server answered with an error status or reported an error in its answer. */
  | 'api-error'
  /** The answer is not a Responses answer: HTML, Chat Completions, or nothing at all. */
  | 'not-a-responses-api'
  /** The stream ended before the response was complete. */
  | 'stream-truncated'
  /** The stream broke. */
  | 'stream-reset'
  /** A timer of ours ran out. */
  | 'timeout'
  /** A limit of the settings was reached; the message names both. Never retryable. */
  | 'limit'
  /** A tool server could not be connected. */
  | 'tool-source-unavailable'
  /** `finishSignIn()` could not end a sign-in: its answer belongs to another one, or the service gave no token. */
  | 'sign-in-failed'
  /** A page of an MCP App is unavailable, or requested a tool that it may not call. */
  | 'mcp-app'
  /** The journal gave back something that is no record, one of another version, or the record of another call. */
  | 'journal'
  /** The provider was closed. */
  | 'closed';
