import type { Client } from '@modelcontextprotocol/client';
import { raceAbort } from '../../../util/abort.js';
import { ActiveCalls } from '../active-calls.js';
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

/** With only these offered, a server that knows none of them is left to the older client. */
const REVISIONS = ['2026-07-28'];
const LISTEN_MS = 10_000;

interface ModernOptions extends OpenConnectionOptions {
  readonly sdk: ModernSdk;
  readonly kind: 'stdio' | 'http';
  /** How long the server has to answer whether it knows the revision, in milliseconds. */
  readonly probeMs: number;
}

/** `undefined` for a server that knows only older revisions: a process lives on then, unless the question ended it. */
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
  const listening = listenForChanges(client, options);
  const connection = connectionOver(client, opened, {
    access,
    kind,
    activeCalls,
    notifiesChanges: listening.isOn,
    ...modernRequests(client, { isHttp: kind === 'http', isOurs: true }),
  });
  return {
    ...connection,
    close: async () => {
      await waitShortly(listening.stop());
      await connection.close();
    },
  };
}

/** Whatever an older server may make of a question it does not know. A network that fails, fails for all. */
function isForOlder(error: unknown, kind: 'stdio' | 'http'): boolean {
  if (speaksOlder(error)) return true;
  if (!(error instanceof Error) || kind === 'stdio') return false;
  const { status, code } = error as Error & { status?: unknown; code?: unknown };
  if (typeof status === 'number') return ![401, 403, 407, 429].includes(status);
  const { cause } = error;
  // Something that is no answer of MCP, with a good status; or none at all.
  return code === 'REQUEST_TIMEOUT' || (cause instanceof Error && isUnusable(cause));
}

function isUnusable({ name, message }: Error): boolean {
  return name === 'SyntaxError' || name === 'ZodError' || message.startsWith('Unexpected content type');
}

function createClient(
  { sdk, key, onElicitation, observer, probeMs, onListChanged }: ModernOptions,
  activeCalls: ActiveCalls,
): Client {
  const client = new sdk.Client(MCP_CLIENT_INFO, {
    capabilities: elicitationCapabilities(onElicitation),
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

/** Has the server say when its tools change, where it can; the connection works without. */
function listenForChanges(client: Client, { onListChanged, signal }: ModernOptions) {
  let isOn = false;
  const canListen = client.getServerCapabilities()?.tools?.listChanged === true && !signal.aborted;
  const asked = canListen ? client.listen({ toolsListChanged: true }, { timeout: LISTEN_MS }) : undefined;
  const opened = asked?.then((subscription) => {
    isOn = subscription.honoredFilter.toolsListChanged === true;
    void subscription.closed.then(() => {
      // From here on changes may have gone unheard.
      isOn = false;
      onListChanged();
    });
    return subscription;
  });
  opened?.catch(() => {});
  return {
    /** Whether the server says when its tools change. */
    isOn: () => isOn,
    stop: async () => (await opened)?.close(),
  };
}
