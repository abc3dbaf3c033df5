import type { SocketLike } from './client-types.js';

/** What happens to a socket. */
export interface SocketHandlers {
  onOpen(): void;
  onMessage(text: string): void;
  /** The end, however it came about; once. `status` and `body` of an upgrade that was refused, where the client says so. */
  onClose(end: SocketEnd): void;
  onPong(): void;
}

export interface SocketEnd {
  readonly code?: number;
  readonly reason: string;
  readonly status?: number;
  /** Ended by us: nobody waits for it, so it says nothing about the server. */
  readonly isUnwanted?: true;
  /** Ended by us: the peer was silent, pings aside. */
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

/** Node's sockets in the package `ws`; the names are its own. */
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

/** One socket, whatever client made it. */
export class Socket {
  readonly #socket: SocketLike & Extras;
  readonly #handlers: SocketHandlers;
  #stream: Refusable | undefined;
  #isOver = false;

  constructor(socket: SocketLike, handlers: SocketHandlers) {
    this.#socket = socket;
    this.#handlers = handlers;
    // Text may come as binary, and is there at once only in this form; `ws` gives buffers anyway.
    if ('binaryType' in socket && this.#socket.on === undefined) socket.binaryType = 'arraybuffer';
    socket.addEventListener('open', () => handlers.onOpen());
    // `ws` makes an event of every message for listeners of the platform's kind, which costs more than all else here.
    if (this.#socket.on !== undefined)
      this.#socket.on('message', (data: { toString(): string }) => handlers.onMessage(data.toString()));
    else socket.addEventListener('message', ({ data }) => handlers.onMessage(textOf(data)));
    socket.addEventListener('close', ({ code, reason }) =>
      this.#end({
        ...(code !== undefined && { code }),
        reason: `closed${code === undefined ? '' : ` (${code})`}${reason ? `: ${reason}` : ''}`,
      }),
    );
    // Without a listener an error would end a Node process. Some clients send no `close` behind it.
    socket.addEventListener('error', ({ message }) =>
      this.#end({ reason: message === undefined || message === '' ? 'failed' : message }),
    );
    this.#listenToExtras();
    if (socket.readyState === OPEN) queueMicrotask(() => handlers.onOpen());
    // Nothing would ever happen to it.
    if (socket.readyState > OPEN) queueMicrotask(() => this.#end({ reason: 'was closed before it was used' }));
  }

  get canPing(): boolean {
    return this.#socket.ping !== undefined;
  }

  /** Whether an idle one lets the process end. */
  get canBeIdle(): boolean {
    return this.#stream?.unref !== undefined;
  }

  /** Throws where the socket is closed. */
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

  /** Whether the process is to go on for it. */
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
      // It was never opened.
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

/** Lets the process end before the timer fires, where timers keep it alive. */
export function unref(timer: { unref?(): void } | number): void {
  if (typeof timer === 'object') timer.unref?.();
}

const UTF8 = new TextDecoder();

function textOf(data: unknown): string {
  if (typeof data === 'string') return data;
  if (data instanceof ArrayBuffer || ArrayBuffer.isView(data)) return UTF8.decode(data);
  return '';
}
