import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { errorText } from '../../../util/error-text.js';
import { isRecord } from '../../../util/guards.js';
import { rpcCode } from '../failure.js';
import { createActiveCalls } from '../active-calls.js';
import {
  asModernSdkClient,
  isAiSdkClient,
  isOldAiSdkClient,
  isSdkClient,
  type McpAiSdkClient,
  type McpClientLike,
  type McpToolClient,
} from './client-like.js';
import type { McpConnection, OpenConnectionOptions } from './connection.js';
import { aiSdkMethods, oldAiSdkMethods, plainMethods, type Send } from './method-clients.js';
import { modernRequests } from '../modern/modern-requests.js';
import { sdkRequest } from './own-connection.js';

/** A handed-in client that has no connection right now. */
export class ClientNotConnected extends Error {
  constructor() {
    super('the client is not connected');
  }
}

/**
 * A client without a way to say whether it is connected failed. Whether the server, the network or the client itself is the
 * reason cannot be known; the next listing shows whether it still works.
 */
export class ClientFailed extends Error {
  constructor(key: string, reason: string, cause?: unknown) {
    super(`The client of MCP server "${key}" failed: ${reason}`, { cause });
  }
}

/** Adapts a client that the app made, connected and will close. */
export function openReadyConnection(client: McpClientLike, options: OpenConnectionOptions): McpConnection {
  if (isSdkClient(client)) return sdkConnection(client, options.onListChanged);
  return methodConnection(client, options.key);
}

function methodsOf(client: McpClientLike): ReadonlyMap<string, Send> {
  if (isAiSdkClient(client)) return aiSdkMethods(client);
  return isOldAiSdkClient(client) ? oldAiSdkMethods(client) : plainMethods(client);
}

function sdkConnection(client: Client, onListChanged: () => void): McpConnection {
  const { transport } = client;
  const capabilities = client.getServerCapabilities();
  if (transport === undefined || capabilities === undefined) throw new ClientNotConnected();
  const release = overhearListChanged(transport, onListChanged);
  const modern = asModernSdkClient(client);
  const isModern = modern?.getProtocolEra() === 'modern';
  const requests = modern && modernRequests(modern, { isHttp: isModern && !('pid' in transport), isOurs: false });
  let isOurs = true;
  return {
    hasTools: capabilities.tools !== undefined,
    // In revision 2026-07-28 only to who subscribed, and that is for the app to do.
    notifiesChanges: () => !isModern,
    instructions: client.getInstructions(),
    client,
    kind: 'sdk-client',
    activeCalls: createActiveCalls(),
    isOpen: () => isOurs && client.transport === transport,
    request: (...sent) => sdkRequest(client, ...sent),
    ...requests,
    close: async () => {
      isOurs = false;
      release();
    },
  };
}

/**
 * `setNotificationHandler` would replace the handler of the app that made the client, and the SDK has no way to ask for it. So we
 * listen in one storey below, as the SDK itself does: what was there before is called as before.
 */
function overhearListChanged(transport: Transport, onListChanged: () => void): () => void {
  const before = transport.onmessage;
  const overhear: NonNullable<Transport['onmessage']> = (message, extra) => {
    if ('method' in message && message.method === 'notifications/tools/list_changed') onListChanged();
    before?.call(transport, message, extra);
  };
  transport.onmessage = overhear;
  return () => {
    // Somebody else may listen through ours by now; then it stays, and does no harm.
    if (transport.onmessage !== overhear) return;
    if (before === undefined) delete transport.onmessage;
    else transport.onmessage = before;
  };
}

function methodConnection(client: McpToolClient | McpAiSdkClient, key: string): McpConnection {
  const methods = methodsOf(client);
  let isOurs = true;
  return {
    hasTools: true,
    notifiesChanges: () => false,
    instructions: 'getInstructions' in client ? client.getInstructions?.() : undefined,
    // The app that asks for it knows what it handed in.
    client: client as unknown as Client,
    kind: 'app-client',
    activeCalls: createActiveCalls(),
    isOpen: () => isOurs,
    request: async (method, params, options = {}) => {
      const send = methods.get(method);
      if (send === undefined) throw new ClientFailed(key, `it cannot do ${method}`);
      return sendSafely(key, () => send(params, options), options.signal);
    },
    close: async () => {
      isOurs = false;
    },
  };
}

async function sendSafely(
  key: string,
  send: () => PromiseLike<unknown>,
  signal: AbortSignal | undefined,
): Promise<Record<string, unknown>> {
  let result: unknown;
  try {
    result = await send();
  } catch (error) {
    // An answer of the server, as the SDK reports it, says for itself what it is about.
    if (signal?.aborted === true || rpcCode(error) !== undefined) throw error;
    throw new ClientFailed(key, errorText(error), error);
  }
  if (!isRecord(result)) throw new ClientFailed(key, 'it answered with something that is not an object');
  return result;
}
