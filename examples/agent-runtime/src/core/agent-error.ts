import type { AgentErrorCode } from '../types/errors.js';
import type { StoredMessage } from '../types/messages.js';

/** Everything that this program throws; branch on `code`. */
export class AgentError extends Error {
  readonly code: AgentErrorCode;
  /** Private, so that nothing that prints or logs the error shows what users and models wrote. */
  readonly #messages: readonly StoredMessage[];

  constructor(
    code: AgentErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly messages?: readonly StoredMessage[] } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AgentError';
    this.code = code;
    this.#messages = options.messages ?? [];
  }

  /** What could not be kept. */
  get messages(): readonly StoredMessage[] {
    return this.#messages;
  }
}
