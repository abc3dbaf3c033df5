import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';
import { raceAbort, withSignal } from '../../../util/abort.js';
import { ActiveCalls } from '../active-calls.js';
import { closeIfLost } from '../sdk-gaps/close-quietly.js';
import {
  ConnectFailure,
  failConnect,
  MCP_CLIENT_INFO,
  type McpConnection,
  type OpenConnectionOptions,
  connectionOver,
} from './connection.js';
import { askPerson, elicitationCapabilities } from '../elicitation.js';
import { httpStatus, speaksOnlyNewer } from '../failure.js';
import type { ModernSdk } from '../modern/load-sdk.js';
import { openModernConnection } from '../modern/modern-connection.js';
import { openModernHttp, transportKinds, type TransportKind } from './open-transport.js';
import { isStdioConfig, type McpTransportConfig } from '../server-config.js';
import type { OpenedTransport } from '../stdio-contract.js';

/** The SDK's default compiles the schemas of servers, with `eval` (which Workers forbid) and with their regular expressions. */
const NO_VALIDATOR: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    // Nothing was checked, so the caller's type is all there is to go by.
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
  },
};

/** Answers to the initialise POST that mean "not this URL for you", not "not this transport". */
const NOT_A_TRANSPORT_QUESTION: ReadonlySet<number | undefined> = new Set([401, 403, 407, 429]);

/** Connects: in revision 2026-07-28 where its SDK is installed and the server knows it, else as it was done before. */
export async function openOwnConnection(
  config: McpTransportConfig,
  options: OpenConnectionOptions,
): Promise<McpConnection> {
  const sdk = transportKinds(config)[0] === 'sse' ? undefined : await options.loadModern?.();
  if (sdk === undefined) return openOlder(config, options);
  if (isStdioConfig(config)) return openProcess(config, options, sdk);
  const opened = openModernHttp(sdk, config, options.access.fetch);
  const probeMs = options.connectTimeoutMs / 2;
  const modern = await openModernConnection(opened, { ...options, sdk, kind: 'http', probeMs });
  if (modern !== undefined) return modern;
  await opened.transport.close();
  return openOlder(config, options);
}

/** Silence for this long means that a process is older: some never answer what they do not know. */
const PROBE_MS = 4_000;
/** What turned out to be older, so that it is not asked again each time. */
const older = new WeakSet<McpTransportConfig>();

async function openProcess(
  config: McpTransportConfig,
  options: OpenConnectionOptions,
  sdk: ModernSdk,
): Promise<McpConnection> {
  const probe = async (probeMs: number): Promise<McpConnection | OpenedTransport> => {
    const opened = await options.open(config, 'stdio', options.access.fetch);
    return (await openModernConnection(opened, { ...options, sdk, kind: 'stdio', probeMs })) ?? opened;
  };
  const first = older.has(config) ? undefined : await probe(Math.min(PROBE_MS, options.connectTimeoutMs / 2));
  if (first !== undefined && 'request' in first) return first;
  try {
    const connection = await goOn(first, config, options);
    older.add(config);
    return connection;
  } catch (error) {
    older.delete(config);
    if (!speaksOnlyNewer(causeOf(error))) throw error;
    // It was only slow to start.
    const second = await probe(options.connectTimeoutMs);
    if ('request' in second) return second;
    await second.transport.close();
    throw error;
  }
}

async function goOn(
  opened: OpenedTransport | undefined,
  config: McpTransportConfig,
  options: OpenConnectionOptions,
): Promise<McpConnection> {
  if (opened?.pid?.() === undefined) {
    await opened?.transport.close();
    return openOlder(config, options);
  }
  // Another client has started it already.
  opened.transport.start = async () => {};
  delete opened.transport.onmessage;
  return connect('stdio', opened, options);
}

async function openOlder(config: McpTransportConfig, options: OpenConnectionOptions): Promise<McpConnection> {
  let first: unknown;
  for (const kind of transportKinds(config)) {
    try {
      return await connect(kind, await options.open(config, kind, options.access.fetch), options);
    } catch (error) {
      first ??= error;
      if (options.signal.aborted || !wantsNextKind(error)) break;
    }
  }
  throw first;
}

function causeOf(error: unknown): unknown {
  return error instanceof ConnectFailure ? error.cause : error;
}

function wantsNextKind(error: unknown): boolean {
  const cause = causeOf(error);
  if (speaksOnlyNewer(cause)) return false;
  const status = httpStatus(cause);
  return status !== undefined && status >= 400 && status < 500 && !NOT_A_TRANSPORT_QUESTION.has(status);
}

async function connect(
  kind: TransportKind,
  opened: OpenedTransport,
  options: OpenConnectionOptions,
): Promise<McpConnection> {
  const { access, signal, connectTimeoutMs } = options;
  const activeCalls = new ActiveCalls(options.onElicitation && options.outside);
  const client = await createClient(options, activeCalls);
  client.onerror = (error) => {
    void closeIfLost(kind, error, client);
  };
  keepRevision(opened.transport);
  try {
    await raceAbort(client.connect(opened.transport, { timeout: connectTimeoutMs }), signal);
  } catch (error) {
    throw await failConnect(error, client, opened, access);
  }
  return connectionOver(client, opened, {
    access,
    kind,
    activeCalls,
    notifiesChanges: () => true,
    request: (...sent) => sdkRequest(client, ...sent),
  });
}

/** The SDK tells it to transports only, and that of a process has no headers to put it in; found where that of HTTP has it. */
function keepRevision(transport: Transport): void {
  transport.setProtocolVersion ??= (protocolVersion) => void Object.assign(transport, { protocolVersion });
}

async function createClient(options: OpenConnectionOptions, activeCalls: ActiveCalls): Promise<Client> {
  const { key, onElicitation, observer } = options;
  const [sdk, { ToolListChangedNotificationSchema, ElicitRequestSchema }] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  const client = new sdk.Client(MCP_CLIENT_INFO, {
    capabilities: elicitationCapabilities(onElicitation),
    jsonSchemaValidator: NO_VALIDATOR,
  });
  client.setNotificationHandler(ToolListChangedNotificationSchema, options.onListChanged);
  if (onElicitation !== undefined) {
    const desk = { server: key, onElicitation, activeCalls, observer };
    client.setRequestHandler(
      ElicitRequestSchema,
      async ({ params }, { signal }) => askPerson(desk, params, signal) as never,
    );
  }
  return client;
}

/**
 * A request over a client of the SDK. Not `callTool()` and its like: they check results against closed schemas, and structured
 * ones with the client's validator, whose default compiles with `eval`.
 */
export async function sdkRequest(
  client: Client,
  method: string,
  params: Record<string, unknown>,
  options?: RequestOptions,
): Promise<Record<string, unknown>> {
  const { ResultSchema } = await import('@modelcontextprotocol/sdk/types.js');
  // The SDK never takes its listener off the signal it is given; this one lives as long as the request.
  return withSignal([options?.signal], (signal) =>
    client.request({ method, params }, ResultSchema, { ...options, signal }),
  );
}
