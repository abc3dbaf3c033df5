import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';
import { isLimitReached } from '../../errors/limit-reached.js';
import { raceAbort } from '../../util/abort.js';
import { createAttendance, type Attendance } from './attendance.js';
import { MCP_CLIENT_INFO } from './client-info.js';
import { closeIfLost, closeQuietly, waitShortly } from './close-quietly.js';
import { ConnectFailure, type McpConnection, type OpenConnectionOptions } from './connection.js';
import { answerElicitations, elicitationCapabilities } from './elicitation.js';
import { httpStatus, speaksOnlyNewer } from './failure.js';
import { readLimitError } from './guard-fetch.js';
import { transportKinds, type TransportKind } from './open-transport.js';
import { watchNotifications } from './outgoing.js';
import { sdkRequest } from './sdk-request.js';
import type { McpTransportConfig } from './server-config.js';

/** The SDK's default compiles the schemas of servers, with `eval` (which Workers forbid) and with their regular expressions. */
const NO_VALIDATOR: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    // Nothing was checked, so the caller's type is all there is to go by.
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
  },
};

/** Answers to the initialise POST that mean "not this URL for you", not "not this transport". */
const NOT_A_TRANSPORT_QUESTION: ReadonlySet<number | undefined> = new Set([401, 403, 407, 429]);

/** Connects and initialises; where the settings leave it open, SSE is tried after a 4xx, as the MCP specification says. */
export async function openOwnConnection(
  config: McpTransportConfig,
  options: OpenConnectionOptions,
): Promise<McpConnection> {
  let first: unknown;
  for (const kind of transportKinds(config)) {
    try {
      return await connect(kind, config, options);
    } catch (error) {
      first ??= error;
      if (options.signal.aborted || !wantsNextKind(error)) break;
    }
  }
  throw first;
}

function wantsNextKind(error: unknown): boolean {
  const cause = error instanceof ConnectFailure ? error.cause : error;
  if (speaksOnlyNewer(cause)) return false;
  const status = httpStatus(cause);
  return status !== undefined && status >= 400 && status < 500 && !NOT_A_TRANSPORT_QUESTION.has(status);
}

async function connect(
  kind: TransportKind,
  config: McpTransportConfig,
  options: OpenConnectionOptions,
): Promise<McpConnection> {
  const opened = await options.open(config, kind, options.access.fetch);
  const notified = watchNotifications(opened.transport);
  const attendance = createAttendance(options.outside);
  const client = await createClient(options, attendance);
  const reason = (): Error | undefined => opened.endedBy?.() ?? options.access.problem();
  let isOpen = true;
  client.onclose = () => {
    isOpen = false;
  };
  client.onerror = (error) => {
    void closeIfLost(kind, error, client);
  };
  try {
    await raceAbort(client.connect(opened.transport, { timeout: options.timeoutMs }), options.signal);
  } catch (error) {
    const detail = options.access.redactor.text(opened.failureDetail?.() ?? '').trim();
    await closeQuietly(client, opened);
    throw new ConnectFailure(reason() ?? error, detail);
  }
  return {
    hasTools: client.getServerCapabilities()?.tools !== undefined,
    tellsChanges: true,
    instructions: client.getInstructions(),
    client,
    kind,
    attendance,
    isOpen: () => isOpen,
    request: async (method, params, requestOptions) => {
      try {
        return await sdkRequest(client, method, params, requestOptions);
      } catch (error) {
        throw readLimitError(error) ?? (isOpen ? undefined : endOf(reason())) ?? error;
      }
    },
    close: async () => {
      isOpen = false;
      await waitShortly(notified());
      await closeQuietly(client, opened);
    },
  };
}

/** All requests of a connection fail alike when it ends; a limit says more than that it did. */
function endOf(reason: Error | undefined): Error | undefined {
  return isLimitReached(reason) ? reason : undefined;
}

async function createClient(options: OpenConnectionOptions, attendance: Attendance): Promise<Client> {
  const { key, onElicitation, observer } = options;
  const [sdk, { ToolListChangedNotificationSchema }] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  const client = new sdk.Client(MCP_CLIENT_INFO, {
    capabilities: elicitationCapabilities(onElicitation),
    jsonSchemaValidator: NO_VALIDATOR,
  });
  client.setNotificationHandler(ToolListChangedNotificationSchema, options.onListChanged);
  if (onElicitation !== undefined)
    await answerElicitations(client, { server: key, onElicitation, attendance, observer });
  return client;
}
