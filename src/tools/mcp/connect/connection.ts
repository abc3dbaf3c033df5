import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { isLimitReached } from '../../../errors/limit-reached.js';
import type { Observer } from '../../../observe/event.js';
import type { ContextQueue } from '../../../util/queues.js';
import type { ActiveCalls } from '../active-calls.js';
import type { McpLiveClient } from './client-like.js';
import type { ConnectionKind } from '../failure.js';
import type { OnElicitation } from '../elicitation.js';
import { readLimitError } from '../sdk-gaps/guard-fetch.js';
import type { LoadModernSdk } from '../modern/load-sdk.js';
import type { OpenTransport } from './open-transport.js';
import type { ServerAccess } from './server-access.js';

/** One initialised session with a server. Never reused after it was closed: a new one is made. */
export interface McpConnection {
  readonly hasTools: boolean;
  /** Whether the server says when its tools change; may become `false`. */
  readonly notifiesChanges: boolean;
  /** What the server said on initialising. */
  readonly instructions: string | undefined;
  readonly client: McpLiveClient;
  /** What its failures can prove. */
  readonly kind: ConnectionKind;
  readonly activeCalls: ActiveCalls;
  isOpen(): boolean;
  /** Takes note of a tool that was listed; a sentence if it cannot be called over this connection. */
  admit?(tool: unknown): string | undefined;
  /** Sends a request; the result as it came, without the SDK's closed schemas. */
  request(method: string, params: Record<string, unknown>, options?: RequestOptions): Promise<Record<string, unknown>>;
  /** Ends what is ours: of a client that was handed in, only our attention to it. */
  close(): Promise<void>;
}

export interface OpenConnectionOptions {
  readonly key: string;
  readonly access: ServerAccess;
  readonly open: OpenTransport;
  /** The SDK for revision 2026-07-28, where it is installed; absent where it is not to be used. */
  readonly loadModern?: LoadModernSdk | undefined;
  /** Answers the server's questions to a person; without it the server learns that elicitation is not supported. */
  readonly onElicitation?: OnElicitation | undefined;
  /** Runs things in the asynchronous context of no call. */
  readonly outside: ContextQueue<() => void>;
  readonly observer?: Observer | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onListChanged: () => void;
}

/** A failed connect, with what the process said about it. */
export class ConnectFailure extends Error {
  readonly detail: string;
  constructor(cause: unknown, detail: string) {
    super('connect failed', { cause });
    this.detail = detail;
  }
}

/**
 * What a request failed with. All requests of a connection fail alike when it ends; a limit says more than that it did.
 *
 * @param end why the connection ended, where it did and that is known
 */
export function requestError(error: unknown, end: Error | undefined): unknown {
  return readLimitError(error) ?? (isLimitReached(end) ? end : undefined) ?? error;
}
