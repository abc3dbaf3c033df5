import { connect, type NetConnectOpts, type Socket } from 'node:net';

import type { ResponsesProviderSettings } from 'responses-loop';
import { randomCuts } from 'responses-loop/testing';
import { WebSocket } from 'ws';

/** Clients of the package `ws`, at the server of the sockets, which read what comes in pieces of any size. */
export function clientAt(url: string, seed: number): NonNullable<ResponsesProviderSettings['webSocket']> {
  return ({ headers }) =>
    new WebSocket(url, [], {
      headers,
      perMessageDeflate: false,
      // As `net.connect` has it, of whose forms only this one is used.
      createConnection: ((options: NetConnectOpts) => recut(connect(options), seed)) as typeof connect,
    });
}

/** On loopback the kernel joins what was written apart, so it is taken apart again before the socket hands it on. */
function recut(socket: Socket, seed: number): Socket {
  const rechunk = randomCuts({ seed, maxBytes: 400 });
  const push = socket.push.bind(socket);
  socket.push = (chunk: Uint8Array | null, encoding?: BufferEncoding): boolean => {
    if (chunk === null) return push(null);
    let isRoom = true;
    for (const piece of rechunk(chunk)) isRoom = push(piece, encoding);
    return isRoom;
  };
  return socket;
}
