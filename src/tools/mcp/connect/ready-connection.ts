import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { defined } from '../../../util/defined.js';
import { errorText } from '../../../util/error-text.js';
import { asRecord, asRecords, asString, isRecord } from '../../../util/guards.js';
import { rpcCode } from '../failure.js';
import { ActiveCalls } from '../active-calls.js';
import {
  asModernSdkClient,
  isAiSdkClient,
  isOldAiSdkClient,
  isSdkClient,
  type McpAiSdkClient,
  type McpClientLike,
  type McpClientRequestOptions,
  type McpToolClient,
} from './client-like.js';
import { type McpConnection, type OpenConnectionOptions, sdkRequest } from './connection.js';
import { modernRequests } from '../modern/modern-requests.js';

/** A client of the app that is not connected now. */
export class ClientNotConnected extends Error {
  constructor() {
    super('the client is not connected');
  }
}

/** A request failed over a client that cannot tell whether it is connected; the next listing shows if it works. */
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
    // Revision 2026-07-28 notifies subscribers only, and subscribing is up to the app.
    notifiesChanges: !isModern,
    instructions: client.getInstructions(),
    client,
    kind: 'sdk-client',
    activeCalls: new ActiveCalls(),
    isOpen: () => isOurs && client.transport === transport,
    request: sdkRequest.bind(undefined, client),
    ...requests,
    close: async () => {
      isOurs = false;
      release();
    },
  };
}

/**
 * `setNotificationHandler` would replace the app's own handler, and the SDK cannot return it. So this listens one level
 * lower, as the SDK does, and calls the previous listener.
 */
function overhearListChanged(transport: Transport, onListChanged: () => void): () => void {
  const before = transport.onmessage;
  const overhear: NonNullable<Transport['onmessage']> = (message, extra) => {
    if ('method' in message && message.method === 'notifications/tools/list_changed') onListChanged();
    before?.call(transport, message, extra);
  };
  transport.onmessage = overhear;
  return () => {
    // Another listener may have wrapped ours; then it stays and does no harm.
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
    notifiesChanges: false,
    instructions: 'getInstructions' in client ? client.getInstructions?.() : undefined,
    // The app knows which client it handed in.
    client: client as unknown as Client,
    kind: 'app-client',
    activeCalls: new ActiveCalls(),
    isOpen: () => isOurs,
    request: async (method, params, options = {}) => {
      const send = methods[method];
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
    // An error from the server, as the SDK reports it, explains itself.
    if (signal?.aborted === true || rpcCode(error) !== undefined) throw error;
    throw new ClientFailed(key, errorText(error), error);
  }
  if (!isRecord(result)) throw new ClientFailed(key, 'it answered with something that is not an object');
  return result;
}

type Params = Record<string, unknown>;
type Send = (params: Params, options: RequestOptions) => PromiseLike<unknown>;

/** The requests that a client can send, by method. */
type ClientMethods = Readonly<Record<string, Send>>;

function methodsOf(client: McpClientLike): ClientMethods {
  if (isAiSdkClient(client)) return aiSdkMethods(client);
  return isOldAiSdkClient(client) ? oldAiSdkMethods(client) : plainMethods(client);
}

function plainMethods(client: McpToolClient): ClientMethods {
  return {
    'tools/list': (params, options) => client.listTools(params, promised(options)),
    'tools/call': (params, options) =>
      client.callTool({ ...params, name: text(params, 'name') }, undefined, promised(options)),
    ...reading(client, (uri, options) => client.readResource?.({ uri }, promised(options))),
  };
}

function aiSdkMethods(client: McpAiSdkClient): ClientMethods {
  /** The tools of the last listing; a tool is called through its definition. */
  const definitions = new Map<string, unknown>();
  return {
    'tools/list': async (params, { signal }) => {
      const page = await client.listTools({ params, options: defined({ signal }) });
      for (const tool of asRecords(page.tools)) definitions.set(text(tool, 'name'), tool);
      return page;
    },
    'tools/call': async (params, { signal }) => {
      const name = text(params, 'name');
      const tools = client.toolsFromDefinitions({ tools: [definitions.get(name)] });
      const execute = asRecord(asRecord(tools)?.[name])?.['execute'];
      if (typeof execute !== 'function') throw new Error(`The client that was handed in has no tool "${name}".`);
      // This client has its own names for the same two options.
      return execute(params['arguments'], { toolCallId: name, messages: [], abortSignal: signal }) as unknown;
    },
    ...reading(client, (uri, { signal }) => client.readResource?.({ uri, options: defined({ signal }) })),
  };
}

/** Lists with the same names and calls with others. Its result is the server's whole answer. */
function oldAiSdkMethods(client: McpToolClient): ClientMethods {
  const callTool = client.callTool.bind(client) as (request: object) => PromiseLike<unknown>;
  return {
    'tools/list': (params, { signal }) => client.listTools({ params, options: defined({ signal }) }),
    'tools/call': (params, { signal }) => {
      const options = defined({ abortSignal: signal });
      return callTool({ name: text(params, 'name'), args: params['arguments'] ?? {}, options });
    },
  };
}

function reading(
  client: { readonly readResource?: unknown },
  read: (uri: string, options: RequestOptions) => PromiseLike<unknown> | undefined,
): ClientMethods {
  if (client.readResource === undefined) return {};
  return { 'resources/read': async (params, options) => read(text(params, 'uri'), options) };
}

/** Picks the documented options; the SDK's type has more, which are never set. */
function promised(options: RequestOptions): McpClientRequestOptions {
  const { signal, timeout, resetTimeoutOnProgress, maxTotalTimeout, onprogress } = options;
  return defined({ signal, timeout, resetTimeoutOnProgress, maxTotalTimeout, onprogress });
}

function text(params: Params, member: string): string {
  return asString(params[member]) ?? '';
}
