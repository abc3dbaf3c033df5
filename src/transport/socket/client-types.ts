/**
 * The used part of a WebSocket: of the platform, the package `ws`, or a proxy. Optional members exist only in `ws`: it
 * can ping, pause, and let the process end.
 */
export interface SocketLike {
  readonly readyState: number;
  binaryType?: string;
  send(data: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: string, listener: (event: SocketEvent) => void): void;
}

/** The used members of all events. */
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
