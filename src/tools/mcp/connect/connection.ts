import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { isLimitReached } from '../../../errors/limit-reached.js';
import type { Observer } from '../../../observe/event.js';
import type { ContextQueue } from '../../../util/queues.js';
import type { ActiveCalls } from '../active-calls.js';
import type { McpLiveClient } from './client-like.js';
import type { ConnectionKind } from '../failure.js';
import type { OnElicitation } from '../elicitation.js';
import { closeQuietly, waitShortly, watchNotifications } from '../sdk-gaps/close-quietly.js';
import { readLimitError } from '../sdk-gaps/guard-fetch.js';
import type { LoadModernSdk } from '../modern/load-sdk.js';
import type { OpenTransport } from './open-transport.js';
import type { ServerAccess } from './server-access.js';
import type { OpenedTransport } from '../stdio-contract.js';

/** How we introduce ourselves to MCP servers. */
export const MCP_CLIENT_INFO = { name: 'responses-loop', version: '0.1.0' } as const;

/** One initialised session with a server. Never reused after it was closed: a new one is made. */
export interface McpConnection {
  readonly hasTools: boolean;
  /** Whether the server says when its tools change. */
  notifiesChanges(): boolean;
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
  /** For connecting and the first listing together; what a timer can take. */
  readonly connectTimeoutMs: number;
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

/** What is used of a client of either SDK. */
interface SdkClient {
  readonly transport?: object | undefined;
  getServerCapabilities(): { readonly tools?: object | undefined } | undefined;
  getInstructions(): string | undefined;
  close(): Promise<void>;
}

interface Own extends Pick<McpConnection, 'kind' | 'activeCalls' | 'notifiesChanges' | 'admit' | 'request'> {
  readonly access: ServerAccess;
}

/** A connection over a client of ours. All its requests fail alike when it ends; a limit says more than that it did. */
export function connectionOver(client: SdkClient, opened: OpenedTransport, { access, ...own }: Own): McpConnection {
  const notified = watchNotifications(opened.transport);
  let isOurs = true;
  // Either SDK forgets a transport that was closed.
  const isOpen = (): boolean => isOurs && client.transport !== undefined;
  return {
    ...own,
    hasTools: client.getServerCapabilities()?.tools !== undefined,
    instructions: client.getInstructions(),
    // Those of both SDKs have the methods that apps use, with types of their own.
    client: client as McpLiveClient,
    isOpen,
    request: async (...sent) => {
      try {
        return await own.request(...sent);
      } catch (error) {
        const end = isOpen() ? undefined : endOf(opened, access);
        throw readLimitError(error) ?? (isLimitReached(end) ? end : error);
      }
    },
    close: async () => {
      isOurs = false;
      await waitShortly(notified());
      await closeQuietly(client, opened);
    },
  };
}

/** Why a connection ended, or could not be made, where that is known. */
export function endOf(opened: OpenedTransport, access: ServerAccess): Error | undefined {
  return opened.endedBy?.() ?? access.problem();
}

/** Gives up a client that could not connect. */
export async function failConnect(
  error: unknown,
  client: SdkClient,
  opened: OpenedTransport,
  access: ServerAccess,
): Promise<ConnectFailure> {
  const detail = access.redactor.text(opened.stderrEnds?.() ?? '').trim();
  await closeQuietly(client, opened);
  return new ConnectFailure(endOf(opened, access) ?? error, detail);
}
