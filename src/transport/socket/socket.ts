import type { SocketLike } from './client-types.js';

/** The events of a socket. */
export interface SocketHandlers {
  onOpen(): void;
  onMessage(text: string): void;
  /** Any end; called once. `status` and `body` of a refused upgrade, if the client reports them. */
  onClose(end: SocketEnd): void;
  onPong(): void;
}

export interface SocketEnd {
  readonly code?: number;
  readonly reason: string;
  readonly status?: number;
  /** Ended by us, because no caller waits; it proves nothing about the server. */
  readonly isUnwanted?: true;
  /** Ended by us, because the peer was silent except for pings. */
  readonly isSilent?: true;
}

/** A socket that could not be opened, or is gone. */
export class SocketGone extends Error {
  readonly end: SocketEnd;

  constructor(end: SocketEnd) {
    super(`The WebSocket ${end.reason}.`);
    this.end = end;
  }
}

/** Node's sockets in the package `ws`, with its names. */
interface Extras {
  on?(event: string, listener: (...values: never[]) => void): void;
  ping?(): void;
  pause?(): void;
  resume?(): void;
  terminate?(): void;
}

interface Refusable {
  ref?(): void;
  unref?(): void;
}

const OPEN = 1;
const CLOSED = 3;

/** A socket of any client. */
export class Socket {
  readonly #socket: SocketLike & Extras;
  readonly #handlers: SocketHandlers;
  #stream: Refusable | undefined;
  #isOver = false;

  constructor(socket: SocketLike, handlers: SocketHandlers) {
    this.#socket = socket;
    this.#handlers = handlers;
    // Text may arrive as binary, which only this form makes available at once; `ws` returns buffers anyway.
    if ('binaryType' in socket && this.#socket.on === undefined) socket.binaryType = 'arraybuffer';
    socket.addEventListener('open', () => handlers.onOpen());
    // `ws` creates an event per message for platform-style listeners, which costs more than all else here.
    if (this.#socket.on !== undefined)
      this.#socket.on('message', (data: { toString(): string }) => handlers.onMessage(data.toString()));
    else socket.addEventListener('message', ({ data }) => handlers.onMessage(textOf(data)));
    socket.addEventListener('close', ({ code, reason }) =>
      this.#end({
        ...(code !== undefined && { code }),
        reason: `closed${code === undefined ? '' : ` (${code})`}${reason ? `: ${reason}` : ''}`,
      }),
    );
    // Without a listener an error would end a Node process. Some clients send no `close` after it.
    socket.addEventListener('error', ({ message }) =>
      this.#end({ reason: message === undefined || message === '' ? 'failed' : message }),
    );
    this.#listenToExtras();
    if (socket.readyState === OPEN) queueMicrotask(() => handlers.onOpen());
    // A closed socket emits no events.
    if (socket.readyState > OPEN) queueMicrotask(() => this.#end({ reason: 'was closed before it was used' }));
  }

  get canPing(): boolean {
    return this.#socket.ping !== undefined;
  }

  /** Whether an idle socket lets the process end. */
  get canBeIdle(): boolean {
    return this.#stream?.unref !== undefined;
  }

  /** Throws if the socket is closed. */
  send(text: string): void {
    if (this.#socket.readyState !== OPEN) throw new Error('The socket is closed.');
    this.#socket.send(text);
  }

  ping(): void {
    this.#socket.ping?.();
  }

  pause(): void {
    this.#socket.pause?.();
  }

  resume(): void {
    this.#socket.resume?.();
  }

  /** Sets whether it keeps the process alive. */
  hold(isHeld: boolean): void {
    if (isHeld) this.#stream?.ref?.();
    else this.#stream?.unref?.();
  }

  /** Closes without waiting for the other side, which may be gone. */
  close(): void {
    this.#isOver = true;
    try {
      this.#socket.close(1000);
    } catch {
      // The socket was never open.
    }
    if (this.#socket.terminate === undefined || this.#socket.readyState === CLOSED) return;
    this.hold(false);
    unref(setTimeout(() => this.#socket.terminate?.(), CLOSING_MS));
  }

  #end(end: SocketEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#handlers.onClose(end);
  }

  #listenToExtras(): void {
    const listen = (event: string, listener: (...values: never[]) => void): void => this.#socket.on?.(event, listener);
    listen('pong', () => this.#handlers.onPong());
    listen('upgrade', ({ socket }: { readonly socket?: Refusable }) => {
      this.#stream = socket;
    });
    listen('unexpected-response', (request: { destroy?(): void }, { statusCode }: { readonly statusCode?: number }) => {
      request.destroy?.();
      this.#end({ reason: `refused with HTTP ${statusCode}`, ...(statusCode !== undefined && { status: statusCode }) });
    });
  }
}

/** How long a proper end may take before the socket is torn down. */
const CLOSING_MS = 250;

/** Lets the process end before the timer fires, if timers keep it alive. */
export function unref(timer: { unref?(): void } | number): void {
  if (typeof timer === 'object') timer.unref?.();
}

const UTF8 = new TextDecoder();

function textOf(data: unknown): string {
  if (typeof data === 'string') return data;
  if (data instanceof ArrayBuffer || ArrayBuffer.isView(data)) return UTF8.decode(data);
  return '';
}
