import type { OpenTransport } from '../../tools/mcp/connect/open-transport.js';

/** Receives each message of JSON-RPC, as it is sent or received. */
export type OnMessage = (way: 'sent' | 'received', message: object) => void;

/** Opens transports that report their messages; what travels over them stays the same. */
export function watchMessages(open: OpenTransport, onMessage: OnMessage): OpenTransport {
  return async (...place) => {
    const opened = await open(...place);
    const { transport } = opened;
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      onMessage('sent', message);
      await send(message, options);
    };
    let listener = transport.onmessage;
    // A client sets its listener when it connects, and a second client on the same process another one.
    Object.defineProperty(transport, 'onmessage', {
      get: () => listener,
      set: (next: typeof listener) => {
        listener =
          next &&
          ((message, extra) => {
            onMessage('received', message);
            next(message, extra);
          });
      },
    });
    return opened;
  };
}
