import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { withTimeout } from '../../../util/timers.js';
import type { TransportKind } from '../connect/open-transport.js';
import type { OpenedTransport } from '../stdio-contract.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

const GOODBYE_MS = 1_000;
const PROBE_MS = 5_000;

interface Closable {
  close(): Promise<void>;
  ping(options: RequestOptions): Promise<unknown>;
}

/**
 * The SDK reports a broken stream and leaves its requests waiting. An SSE session ends with its stream. Over streamable
 * HTTP the listening stream may be refused while calls still work, so this asks the server.
 */
export async function closeIfLost(kind: TransportKind, error: Error, client: Closable): Promise<void> {
  if (kind === 'sse' && error.message.startsWith('SSE error')) return client.close().catch(ignore);
  if (kind !== 'http' || !error.message.startsWith('Maximum reconnection attempts')) return;
  try {
    await client.ping({ timeout: PROBE_MS });
  } catch {
    await client.close().catch(ignore);
  }
}

export async function closeQuietly(client: { close(): Promise<void> }, opened: OpenedTransport): Promise<void> {
  if (opened.endSession !== undefined) await waitShortly(opened.endSession());
  await client.close().catch(ignore);
  // A client that never connected does not know its transport.
  await opened.transport.close().catch(ignore);
}

/** No one is left to report it to. */
function ignore(): void {}

/** Limits the wait for messages to a server that may not listen. */
export async function waitShortly(promise: Promise<unknown>): Promise<void> {
  await withTimeout(promise, GOODBYE_MS, () => new Error('no answer in time')).catch(ignore);
}

/**
 * Watches outgoing notifications and returns a function that waits for them. The SDK closes without waiting: a
 * "cancelled" would be cut off, and the server would continue in vain.
 */
export function watchNotifications(transport: Transport): () => Promise<unknown> {
  const underWay = new Set<Promise<void>>();
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const sending = send(message, options);
    if (!('method' in message) || 'id' in message) return sending;
    underWay.add(sending);
    const forget = (): boolean => underWay.delete(sending);
    sending.then(forget, forget);
    return sending;
  };
  return () => Promise.allSettled(underWay);
}
