import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /** Nothing goes through any more, in either direction; connections stay open, as in a network that is cut. */
  stall(): void;
  resume(): void;
  /** What is connected now hears nothing any more, and is not told; new connections go through. */
  lose(): void;
  close(): Promise<void>;
}

/** A way to a port of loopback that can be cut. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const lost = new WeakSet<Socket>();
  let isStalled = false;
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    if (isStalled) socket.pause();
  };
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      track(from);
      from.on('data', (data) => {
        // What was read before the cut does not get through either.
        if (!isStalled && !lost.has(from)) to.write(data);
      });
      from.on('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stall: () => {
      isStalled = true;
      for (const socket of sockets) socket.pause();
    },
    resume: () => {
      isStalled = false;
      // What was lost in between breaks them.
      for (const socket of sockets) socket.destroy();
    },
    lose: () => {
      for (const socket of sockets) {
        lost.add(socket);
        socket.pause();
      }
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
