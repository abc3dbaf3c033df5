import { WebSocket } from 'ws';
import type { SocketLike, SocketRequest } from '../../../src/transport/socket/client-types.js';

/** A socket with what a runtime's own has, and no more: no ping, no pause, no reason for a refused upgrade. */
export function clientLikeRuntime({ url, headers }: SocketRequest): SocketLike {
  const socket = new WebSocket(url, { headers });
  return {
    get readyState() {
      return socket.readyState;
    },
    binaryType: 'blob',
    send: (data) => socket.send(data),
    close: (code, reason) => socket.close(code, reason),
    addEventListener: (type, listener) => {
      socket.addEventListener(type as 'message', (event) => listener(event as never));
    },
  };
}
