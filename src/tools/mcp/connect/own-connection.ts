import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';
import { raceAbort } from '../../../util/abort.js';
import { ActiveCalls } from '../active-calls.js';
import { closeIfLost } from '../sdk-gaps/close-quietly.js';
import {
  ConnectFailure,
  failConnect,
  MCP_CLIENT_INFO,
  type McpConnection,
  type OpenConnectionOptions,
  connectionOver,
  sdkRequest,
} from './connection.js';
import { appCapabilities } from '../apps/extension.js';
import { askPerson, elicitationCapabilities } from '../elicitation.js';
import { httpStatus, speaksOnlyNewer } from '../failure.js';
import type { ModernSdk } from '../modern/load-sdk.js';
import { openModernConnection } from '../modern/modern-connection.js';
import { transportKinds, type TransportKind } from './open-transport.js';
import { isStdioConfig, type McpTransportConfig } from '../server-config.js';
import type { OpenedTransport } from '../stdio-contract.js';

/**
 * The SDK's default validator compiles the servers' schemas with `eval`, which Workers forbid, and runs their regular
 * expressions.
 */
const NO_VALIDATOR: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    // Nothing was checked, so the caller's type is trusted.
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
  },
};

/** Statuses of the initialize POST that mean "not this URL for you" and not "another transport". */
const NOT_A_TRANSPORT_QUESTION: ReadonlySet<number | undefined> = new Set([401, 403, 407, 429]);

/** Connects with revision 2026-07-28 if its SDK is installed and the server supports it, else with an older one. */
export async function openOwnConnection(
  config: McpTransportConfig,
  options: OpenConnectionOptions,
): Promise<McpConnection> {
  const sdk = transportKinds(config)[0] === 'sse' ? undefined : await options.loadModern?.();
  if (sdk === undefined) return openOlder(config, options);
  if (isStdioConfig(config)) return openProcess(config, options, sdk);
  const opened = await options.open(config, 'http', options.access.fetch, sdk);
  const probeMs = options.connectTimeoutMs / 2;
  const modern = await openModernConnection(opened, { ...options, sdk, kind: 'http', probeMs });
  if (modern !== undefined) return modern;
  await opened.transport.close();
  return openOlder(config, options);
}

/** A process that is silent for this long is older: some never answer an unknown request. */
const PROBE_MS = 4_000;
/** Servers that turned out to be older, so that they are not probed again. */
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
    // The process was only slow to start.
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
  Object.assign(opened.transport, { onmessage: undefined });
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
    notifiesChanges: true,
    request: sdkRequest.bind(undefined, client),
  });
}

/** The SDK sets the revision only on transports with headers. A process has none, so it is kept in the same member. */
function keepRevision(transport: Transport): void {
  transport.setProtocolVersion ??= (protocolVersion) => void Object.assign(transport, { protocolVersion });
}

async function createClient(options: OpenConnectionOptions, activeCalls: ActiveCalls): Promise<Client> {
  const { key, onElicitation, showsApps, observer } = options;
  const [sdk, { ToolListChangedNotificationSchema, ElicitRequestSchema, RequestSchema }] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  const client = new sdk.Client(MCP_CLIENT_INFO, {
    capabilities: { ...elicitationCapabilities(onElicitation), ...appCapabilities(showsApps) },
    jsonSchemaValidator: NO_VALIDATOR,
  });
  client.setNotificationHandler(ToolListChangedNotificationSchema, options.onListChanged);
  if (onElicitation !== undefined) {
    const desk = { server: key, onElicitation, activeCalls, observer };
    client.setRequestHandler(
      // The SDK checks the question by its own schema all the same, which would take out what it does not know: `pattern`.
      RequestSchema.extend({ method: ElicitRequestSchema.shape.method }),
      async ({ params }, { signal }) => askPerson(desk, params, signal) as never,
    );
  }
  return client;
}
