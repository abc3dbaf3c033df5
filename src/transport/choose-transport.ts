import type { DecodedEvent } from '../stream/decode-event.js';
import { asArray, asRecord } from '../util/guards.js';
import type { SocketTransport } from './socket/socket-transport.js';
import type { HttpTransport, Transport, TransportRequest, TransportResponse } from './transport.js';

/** HTTP, or sockets for requests that ask for them. What sockets need is loaded when the first of them is wanted. */
export class ChosenTransport implements Transport {
  readonly #http: HttpTransport;
  readonly #load: () => Promise<SocketTransport>;
  #sockets: SocketTransport | undefined;

  constructor(http: HttpTransport, load: () => Promise<SocketTransport>) {
    this.#http = http;
    this.#load = load;
  }

  open(request: TransportRequest): Promise<TransportResponse> {
    const { socket } = request;
    if (socket === undefined) return this.#http.open(request);
    if (socket.mode === 'websocket') return this.#loadOnce().then((sockets) => sockets.open(request));
    const opening = this.#sockets?.open(request) ?? this.#http.open(request);
    return socket.isWorthOpening ? this.#preparing(opening, request) : opening;
  }

  /** A response that calls a function has a round behind it: a socket is opened for that while the response comes. */
  async #preparing(opening: Promise<TransportResponse>, request: TransportRequest): Promise<TransportResponse> {
    const response = await opening;
    // Over a socket already.
    if (response.onEvent !== undefined) return response;
    let isPrepared = false;
    return {
      ...response,
      onEvent: (event) => {
        if (isPrepared || !namesCall(event)) return;
        isPrepared = true;
        this.#loadOnce().then(
          (sockets) => sockets.prepare(request),
          () => {},
        );
      },
    };
  }

  async #loadOnce(): Promise<SocketTransport> {
    const sockets = this.#sockets ?? (await this.#load());
    // Another request may have had the same wish meanwhile.
    this.#sockets ??= sockets;
    return this.#sockets;
  }
}

const ARGUMENTS = 'response.function_call_arguments.';

/** A stream names a call when it begins; a JSON answer when it is finished; some servers only in the whole response. */
function namesCall({ type, item, response }: DecodedEvent): boolean {
  const items = [item, ...asArray(asRecord(response)?.['output'])];
  return type.startsWith(ARGUMENTS) || items.some((named) => asRecord(named)?.['type'] === 'function_call');
}
