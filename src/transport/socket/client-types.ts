/**
 * As much of a WebSocket as is used: that of the platform, of the package `ws`, or of a proxy. What only `ws` has is used
 * where it is there: it can be pinged, paused, and kept from holding up the end of the process.
 */
export interface SocketLike {
  readonly readyState: number;
  binaryType?: string;
  send(data: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: string, listener: (event: SocketEvent) => void): void;
}

/** The members that are read of all events. */
export interface SocketEvent {
  readonly type?: string;
  readonly data?: unknown;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
}

/** Makes sockets: a class such as `WebSocket` of `ws`, or a function. */
export type WebSocketSetting =
  | (new (
      url: string,
      protocols?: string[],
      options?: { readonly headers?: Readonly<Record<string, string>> },
    ) => SocketLike)
  | ((request: SocketRequest) => SocketLike | PromiseLike<SocketLike>);

export interface SocketRequest {
  /** Begins with `wss:` or `ws:`. */
  readonly url: string;
  /** The headers of the request over HTTP. */
  readonly headers: Readonly<Record<string, string>>;
  /** Aborted when the socket is no longer wanted. */
  readonly signal: AbortSignal;
}
