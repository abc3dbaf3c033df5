import type { Client, Transport } from '@modelcontextprotocol/client';
import { raceAbort } from '../../../util/abort.js';
import { timerMs } from '../../../util/timers.js';
import { createActiveCalls, type ActiveCalls } from '../active-calls.js';
import { MCP_CLIENT_INFO } from '../connect/client-info.js';
import type { McpLiveClient } from '../connect/client-like.js';
import { closeQuietly, waitShortly, watchNotifications } from '../sdk-gaps/close-quietly.js';
import { ConnectFailure, type McpConnection, type OpenConnectionOptions, requestError } from '../connect/connection.js';
import { askPerson, elicitationCapabilities } from '../elicitation.js';
import type { OpenedTransport } from '../connect/open-transport.js';
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

/**
 * A connection of revision 2026-07-28; `undefined` for a server that knows only older ones: its transport is still open then,
 * if it can be (a process lives on, unless the question ended it).
 */
export async function openModernConnection(
  opened: OpenedTransport,
  options: ModernOptions,
): Promise<McpConnection | undefined> {
  const { access, signal, timeoutMs, kind } = options;
  const activeCalls = createActiveCalls(options.onElicitation && options.outside);
  // The two SDKs describe the same transports by types of their own.
  const transport = opened.transport as unknown as Transport;
  const notified = watchNotifications(opened.transport);
  const client = createClient(options, activeCalls);
  const reason = (): Error | undefined => opened.endedBy?.() ?? access.problem();
  try {
    const view = viewOf(transport, { isProcess: kind === 'stdio' });
    await raceAbort(client.connect(view, { timeout: timeoutMs }), signal);
  } catch (error) {
    if (reason() === undefined && !signal.aborted && isForOlder(error, kind)) return undefined;
    const detail = access.redactor.text(opened.failureDetail?.() ?? '').trim();
    await closeQuietly(client, opened);
    throw new ConnectFailure(reason() ?? inOlderWords(error), detail);
  }
  return connectionOf(client, opened, { ...options, activeCalls, notified, reason });
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

interface Parts extends ModernOptions {
  readonly activeCalls: ActiveCalls;
  readonly notified: () => Promise<unknown>;
  readonly reason: () => Error | undefined;
}

function connectionOf(client: Client, opened: OpenedTransport, parts: Parts): McpConnection {
  const { kind, activeCalls, notified, reason } = parts;
  const requests = modernRequests(client, { isHttp: kind === 'http', isOurs: true });
  let isOpen = true;
  client.onclose = () => {
    isOpen = false;
  };
  const listening = listenForChanges(client, parts);
  return {
    hasTools: client.getServerCapabilities()?.tools !== undefined,
    get notifiesChanges() {
      return listening.isOn;
    },
    instructions: client.getInstructions(),
    // It has the methods that apps use, with types of its own SDK.
    client: client as unknown as McpLiveClient,
    kind,
    activeCalls,
    isOpen: () => isOpen,
    admit: (tool) => requests.admit(tool),
    request: async (method, params, requestOptions) => {
      try {
        return await requests.send(method, params, requestOptions);
      } catch (error) {
        throw requestError(error, isOpen ? undefined : reason());
      }
    },
    close: async () => {
      isOpen = false;
      await waitShortly(listening.stop());
      await waitShortly(notified());
      await closeQuietly(client, opened);
    },
  };
}

function createClient(
  { sdk, key, onElicitation, observer, probeMs, onListChanged }: ModernOptions,
  activeCalls: ActiveCalls,
): Client {
  const client = new sdk.Client(MCP_CLIENT_INFO, {
    capabilities: elicitationCapabilities(onElicitation),
    supportedProtocolVersions: REVISIONS,
    versionNegotiation: { mode: 'auto', probe: { timeoutMs: timerMs(probeMs) } },
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

interface Listening {
  /** Whether the server says when its tools change. */
  readonly isOn: boolean;
  stop(): Promise<void>;
}

/** Has the server say when its tools change, where it can; the connection works without. */
function listenForChanges(client: Client, { onListChanged, signal }: Parts): Listening {
  let isOn = false;
  const asked =
    client.getServerCapabilities()?.tools?.listChanged !== true || signal.aborted
      ? undefined
      : client.listen({ toolsListChanged: true }, { timeout: LISTEN_MS });
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
    get isOn() {
      return isOn;
    },
    stop: async () => (await opened)?.close(),
  };
}
