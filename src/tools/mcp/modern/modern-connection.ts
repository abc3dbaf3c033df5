import type { Client, McpSubscription } from '@modelcontextprotocol/client';
import { raceAbort } from '../../../util/abort.js';
import { ActiveCalls } from '../active-calls.js';
import { appCapabilities } from '../apps/extension.js';
import { waitShortly } from '../sdk-gaps/close-quietly.js';
import {
  endOf,
  failConnect,
  MCP_CLIENT_INFO,
  type McpConnection,
  type OpenConnectionOptions,
  connectionOver,
} from '../connect/connection.js';
import { askPerson, elicitationCapabilities } from '../elicitation.js';
import type { OpenedTransport } from '../stdio-contract.js';
import { inOlderWords, speaksOlder } from './errors.js';
import type { ModernSdk } from './load-sdk.js';
import { modernRequests } from './modern-requests.js';
import { viewOf } from './transport-view.js';

/** Offered alone, so that a server without it is left to the older client. */
const REVISIONS = ['2026-07-28'];
const LISTEN_MS = 10_000;

interface ModernOptions extends OpenConnectionOptions {
  readonly sdk: ModernSdk;
  readonly kind: 'stdio' | 'http';
  /** How long the server has to answer whether it supports the revision, in milliseconds. */
  readonly probeMs: number;
}

/** Returns `undefined` for an older server; its process stays alive, unless the question ended it. */
export async function openModernConnection(
  opened: OpenedTransport,
  options: ModernOptions,
): Promise<McpConnection | undefined> {
  const { access, signal, connectTimeoutMs, kind } = options;
  const activeCalls = new ActiveCalls(options.onElicitation && options.outside);
  const client = createClient(options, activeCalls);
  try {
    const view = viewOf(opened.transport, kind);
    await raceAbort(client.connect(view, { timeout: connectTimeoutMs }), signal);
  } catch (error) {
    if (endOf(opened, access) === undefined && !signal.aborted && isForOlder(error, kind)) return undefined;
    throw await failConnect(inOlderWords(error), client, opened, access);
  }
  const requests = modernRequests(client, { isHttp: kind === 'http', isOurs: true });
  const own = connectionOver(client, opened, { access, kind, activeCalls, notifiesChanges: false, ...requests });
  const listening = listenForChanges(client, options, (isOn) => (connection.notifiesChanges = isOn));
  const connection = {
    ...own,
    close: async () => {
      await waitShortly(listening.then((subscription) => subscription?.close()));
      await own.close();
    },
  };
  return connection;
}

/** True for any reaction of an older server to an unknown request. A network failure is none: it fails for both. */
function isForOlder(error: unknown, kind: 'stdio' | 'http'): boolean {
  if (speaksOlder(error)) return true;
  if (!(error instanceof Error) || kind === 'stdio') return false;
  const { status, code } = error as Error & { status?: unknown; code?: unknown };
  if (typeof status === 'number') return ![401, 403, 407, 429].includes(status);
  const { cause } = error;
  // An answer with a good status that is not MCP, or no answer.
  return code === 'REQUEST_TIMEOUT' || (cause instanceof Error && isUnusable(cause));
}

function isUnusable({ name, message }: Error): boolean {
  return name === 'SyntaxError' || name === 'ZodError' || message.startsWith('Unexpected content type');
}

function createClient(
  { sdk, key, onElicitation, showsApps, observer, probeMs, onListChanged }: ModernOptions,
  activeCalls: ActiveCalls,
): Client {
  const client = new sdk.Client(MCP_CLIENT_INFO, {
    capabilities: { ...elicitationCapabilities(onElicitation), ...appCapabilities(showsApps) },
    supportedProtocolVersions: REVISIONS,
    versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeMs } },
  });
  client.setNotificationHandler('notifications/tools/list_changed', onListChanged);
  if (onElicitation !== undefined) {
    const desk = { server: key, onElicitation, activeCalls, observer };
    client.setRequestHandler(
      'elicitation/create',
      async ({ params }, { mcpReq }) => (await askPerson(desk, params, mcpReq.signal)) as never,
    );
  }
  return client;
}

/** Subscribes to changes of the tools if the server supports it; the connection works without. */
async function listenForChanges(
  client: Client,
  { onListChanged, signal }: ModernOptions,
  onState: (isOn: boolean) => void,
): Promise<McpSubscription | undefined> {
  if (client.getServerCapabilities()?.tools?.listChanged !== true || signal.aborted) return undefined;
  try {
    const subscription = await client.listen({ toolsListChanged: true }, { timeout: LISTEN_MS });
    onState(subscription.honoredFilter.toolsListChanged === true);
    void subscription.closed.then(() => {
      // Changes may go unnoticed from now on.
      onState(false);
      onListChanged();
    });
    return subscription;
  } catch {
    return undefined;
  }
}
