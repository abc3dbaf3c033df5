import { DEFAULT_LIMITS, SOCKETS, TIMEOUTS } from '../../core/limits.js';
import type { Profile, SocketRules } from '../../core/profile.js';
import type { Observer } from '../../observe/event.js';
import type { Redactor } from '../../observe/redact.js';
import type { DecodedEvent } from '../../stream/decode-event.js';
import type { AbortLike } from '../../util/abort.js';
import { asArray, asRecord } from '../../util/guards.js';
import type { HttpTransport, Transport, TransportResponse } from '../transport.js';
import type { WebSocketSetting } from './client-types.js';
import type { SocketChoice, SocketRequest } from './socket-round.js';
import type { SocketTransport } from './socket-transport.js';

/** OpenAI's rules, for servers whose sockets only the user's settings declare. */
const UNKNOWN_SOCKETS: SocketRules = { continues: 'connection', maxAgeMs: 55 * 60_000 };

export interface SocketRingOptions {
  readonly http: HttpTransport;
  readonly headersMs: number;
  readonly idleMs: number;
  readonly socketMs: number | undefined;
  readonly client: WebSocketSetting | undefined;
  readonly hasOwnFetch: boolean;
  readonly sockets:
    | {
        readonly max?: number | undefined;
        readonly idleMs?: number | undefined;
        readonly maxAgeMs?: number | undefined;
      }
    | undefined;
  readonly messageBytes: number | undefined;
  /** The provider has tools, so a call may take more than one round. */
  readonly hasLoopTools: boolean;
  readonly observer: Observer | undefined;
  readonly redactor: Redactor;
  /** The end of the provider. */
  readonly closed: AbortLike;
}

/** The sockets of a provider, and their users. The opener is loaded for the first socket. */
export class SocketRing {
  readonly #options: SocketRingOptions;
  #sockets: SocketTransport | undefined;

  constructor(options: SocketRingOptions) {
    this.#options = options;
  }

  /** Makes the transport of each round of a call; `undefined` if its requests go over HTTP. */
  transportOf(
    mode: SocketChoice['mode'],
    { profile, url }: { readonly profile: Profile; readonly url: string },
  ): (() => Transport) | undefined {
    const { client, hasOwnFetch, hasLoopTools } = this.#options;
    const { webSocket: rules } = profile;
    const isDated = profile.name === 'azure' && !url.includes('/openai/v1/');
    // Sockets would bypass the user's `fetch`, unless the user sets a client for them.
    const mayTry = rules !== undefined && !isDated && (!hasOwnFetch || client !== undefined);
    if (mode === 'auto' && !mayTry) return undefined;
    const isWorthOpening = mode === 'websocket' || hasLoopTools;
    return () => {
      const socket: SocketChoice = { mode, rules: rules ?? UNKNOWN_SOCKETS, isWorthOpening, spent: new Set() };
      return { open: (request) => this.#open({ socket, ...request }) };
    };
  }

  #open(request: SocketRequest): Promise<TransportResponse> {
    const { mode, isWorthOpening } = request.socket;
    if (mode === 'websocket') return this.#loadOnce().then((sockets) => sockets.open(request));
    const opening = this.#sockets?.open(request) ?? this.#options.http.open(request);
    return isWorthOpening ? this.#preparing(opening, request) : opening;
  }

  /** Another round follows a response with a function call, so a socket is opened while the response arrives. */
  async #preparing(opening: Promise<TransportResponse>, request: SocketRequest): Promise<TransportResponse> {
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
    if (this.#sockets !== undefined) return this.#sockets;
    const { SocketTransport } = await import('./socket-transport.js');
    const {
      sockets,
      socketMs = TIMEOUTS.socketMs.byDefault,
      messageBytes = DEFAULT_LIMITS.messageBytes,
    } = this.#options;
    // Another request may have begun the same meanwhile.
    this.#sockets ??= new SocketTransport({
      ...this.#options,
      socketMs,
      sockets: {
        max: sockets?.max ?? SOCKETS.max.byDefault,
        idleMs: sockets?.idleMs ?? SOCKETS.idleMs.byDefault,
        maxAgeMs: sockets?.maxAgeMs,
      },
      messageBytes,
    });
    return this.#sockets;
  }
}

const ARGUMENTS = 'response.function_call_arguments.';

/** A stream names a call when it begins; a JSON answer when it is finished; some servers only in the whole response. */
function namesCall({ type, item, response }: DecodedEvent): boolean {
  const items = [item, ...asArray(asRecord(response)?.['output'])];
  return type.startsWith(ARGUMENTS) || items.some((named) => asRecord(named)?.['type'] === 'function_call');
}
