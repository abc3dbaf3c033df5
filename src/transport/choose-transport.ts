import type { SocketTransport } from './socket/socket-transport.js';
import type { HttpTransport, Transport, TransportRequest, TransportResponse } from './transport.js';

/** HTTP, or sockets for requests that ask for them. What sockets need is loaded when the first request does. */
export class ChosenTransport implements Transport {
  readonly #http: HttpTransport;
  readonly #load: () => Promise<SocketTransport>;
  #sockets: SocketTransport | undefined;

  constructor(http: HttpTransport, load: () => Promise<SocketTransport>) {
    this.#http = http;
    this.#load = load;
  }

  open(request: TransportRequest): Promise<TransportResponse> {
    if (request.socket === undefined) return this.#http.open(request);
    if (this.#sockets !== undefined) return this.#sockets.open(request);
    const loaded = this.#loadOnce();
    if (request.socket.mode === 'websocket') return loaded.then((sockets) => sockets.open(request));
    loaded.then(
      (sockets) => sockets.prepare(request),
      () => {},
    );
    return this.#http.open(request);
  }

  async #loadOnce(): Promise<SocketTransport> {
    const sockets = await this.#load();
    this.#sockets ??= sockets;
    return this.#sockets;
  }
}
