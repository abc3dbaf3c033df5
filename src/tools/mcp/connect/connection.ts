import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { isLimitReached } from '../../../errors/limit-reached.js';
import type { Observer } from '../../../observe/event.js';
import { followAbort } from '../../../util/abort.js';
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

/** Our name and version for MCP servers. */
export const MCP_CLIENT_INFO = { name: 'responses-loop', version: '0.1.0' } as const;

/** One initialized session with a server. A closed one is never reused. */
export interface McpConnection {
  readonly hasTools: boolean;
  /** Whether the server announces changes of its tools; the value may change. */
  readonly notifiesChanges: boolean;
  /** The server's instructions from initialization. */
  readonly instructions: string | undefined;
  readonly client: McpLiveClient;
  /** Tells what its errors can prove. */
  readonly kind: ConnectionKind;
  readonly activeCalls: ActiveCalls;
  isOpen(): boolean;
  /** Remembers a listed tool; returns a sentence if it cannot be called over this connection. */
  admit?(tool: unknown): string | undefined;
  /** Sends a request and returns the raw result, without the SDK's closed schemas. */
  request(method: string, params: Record<string, unknown>, options?: RequestOptions): Promise<Record<string, unknown>>;
  /** Closes our own connection; a client of the app stays open and is only forgotten. */
  close(): Promise<void>;
}

export interface OpenConnectionOptions {
  readonly key: string;
  readonly access: ServerAccess;
  readonly open: OpenTransport;
  /** Loads the SDK for revision 2026-07-28 if it is installed; absent if it must not be used. */
  readonly loadModern?: LoadModernSdk | undefined;
  /** Answers the server's questions to the user; without it, the server learns that elicitation is not supported. */
  readonly onElicitation?: OnElicitation | undefined;
  /** Whether the app shows pages of MCP Apps. */
  readonly showsApps: boolean | undefined;
  /** Runs functions in the asynchronous context of no call. */
  readonly outside: ContextQueue<() => void>;
  readonly observer?: Observer | undefined;
  /** Limit for connecting and the first listing together, within the range of a timer. */
  readonly connectTimeoutMs: number;
  readonly signal: AbortSignal;
  readonly onListChanged: () => void;
}

/** A failed connection, with the output of the process. */
export class ConnectFailure extends Error {
  readonly detail: string;
  constructor(cause: unknown, detail: string) {
    super('connect failed', { cause });
    this.detail = detail;
  }
}

/** The members of either SDK's client that are used. */
interface SdkClient {
  readonly transport?: object | undefined;
  getServerCapabilities(): { readonly tools?: object | undefined } | undefined;
  getInstructions(): string | undefined;
  close(): Promise<void>;
}

interface Own extends Pick<McpConnection, 'kind' | 'activeCalls' | 'notifiesChanges' | 'admit' | 'request'> {
  readonly access: ServerAccess;
}

/**
 * Makes a connection over our own client. All its requests fail when it ends, with the limit that ended it if there was
 * one.
 */
export function connectionOver(client: SdkClient, opened: OpenedTransport, { access, ...own }: Own): McpConnection {
  const notified = watchNotifications(opened.transport);
  let isOurs = true;
  // Either SDK forgets a closed transport.
  const isOpen = (): boolean => isOurs && client.transport !== undefined;
  return {
    ...own,
    hasTools: client.getServerCapabilities()?.tools !== undefined,
    instructions: client.getInstructions(),
    // The clients of both SDKs have the methods that apps use, with different types.
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

/** Returns why a connection ended or failed, if known. */
export function endOf(opened: OpenedTransport, access: ServerAccess): Error | undefined {
  return opened.endedBy?.() ?? access.problem();
}

/** Closes a client that could not connect. */
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

/**
 * Sends a request over the SDK's client. `callTool()` and the like would check results against closed schemas, and
 * structured ones with a validator that compiles with `eval` by default.
 */
export async function sdkRequest(
  client: Client,
  method: string,
  params: Record<string, unknown>,
  options?: RequestOptions,
): Promise<Record<string, unknown>> {
  const { ResultSchema } = await import('@modelcontextprotocol/sdk/types.js');
  // The SDK never removes its listener from a signal, so this signal lives as long as the request.
  const { controller, release } = followAbort(options?.signal);
  try {
    return await client.request({ method, params }, ResultSchema, { ...options, signal: controller.signal });
  } finally {
    release();
  }
}
