import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

/**
 * Watches the notifications that are on their way over a transport. The SDK waits for none of them when it closes, so a
 * "cancelled" that was just sent would be cut off, and the server would go on working for nobody.
 *
 * @returns resolves when those under way at that moment are out, or have failed
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
