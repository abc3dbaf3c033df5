import type { Call } from '../core/call.js';
import { DEFAULT_LIMITS } from '../core/limits.js';
import type { SocketRules } from '../core/profile.js';
import type { ApiError } from '../errors/api-error.js';
import type { Redactor } from '../observe/redact.js';
import type { Endpoint } from '../request/endpoint.js';
import type { KeyPool, PickedKey } from '../request/key-pool.js';
import { checkKey, environmentKey } from '../settings/environment-key.js';
import type { Environment } from '../settings/environment.js';
import { type Timeouts, timeoutsOf } from '../settings/model-limits.js';
import type { ModelSettings } from '../settings/model-settings.js';
import type { ResponsesProviderSettings } from '../settings/settings.js';
import { createHttpTransport } from '../transport/http-transport.js';
import { ChosenTransport } from '../transport/choose-transport.js';
import type { SocketTransport } from '../transport/socket/socket-transport.js';
import type { HttpTransport, Transport } from '../transport/transport.js';
import { type AbortLike, raceAbort } from '../util/abort.js';
import { defined } from '../util/defined.js';
import { shortHash } from '../util/hash.js';
import type { RoundContext } from './round-source.js';
import { CallKeys, withoutSecrets } from './call-keys.js';
import { LearnedRefusals } from './refusals.js';
import type { Trimming } from './trim-rounds.js';
import { type SocketUse, WireRounds } from './wire-rounds.js';

export interface WireSourceOptions {
  readonly settings: ResponsesProviderSettings;
  /** As it was when the provider was created. */
  readonly environment: Environment;
  readonly keys: KeyPool;
  /** Takes out what the provider knows to be secret: its keys, and what its tools are given in confidence. */
  readonly redactor: Redactor;
  /** Whether the provider has tools of its own, so that a call may take more than one round. */
  readonly hasLoopTools: boolean;
  /** The end of the provider. */
  readonly closed: AbortLike;
}

const DEFAULT_SOCKETS = 16;
const DEFAULT_IDLE_MS = 60_000;
const DEFAULT_SOCKET_MS = 10_000;
/** For servers that are not known to have sockets, where the user says that they do: as OpenAI has them. */
const UNKNOWN_SOCKETS: SocketRules = { continues: 'connection', maxAgeMs: 55 * 60_000 };

/** The Responses server of the settings: one per provider, which answers the rounds of all calls. */
export class WireSource {
  readonly #options: WireSourceOptions;
  readonly #timeouts: Timeouts;
  readonly #http: HttpTransport;
  readonly #transport: Transport;
  readonly #learned = new LearnedRefusals();
  readonly #origins = new WeakMap<ModelSettings, string>();

  constructor(options: WireSourceOptions) {
    const { settings, redactor } = options;
    const { fetch, onEvent: observer } = settings;
    this.#options = options;
    this.#timeouts = timeoutsOf(settings);
    this.#http = createHttpTransport({ ...this.#timeouts, redactor, ...defined({ fetch, observer }) });
    this.#transport = new ChosenTransport(this.#http, () => this.#loadSockets());
  }

  /** At once, unless something has to be waited for: what is awaited before a request is as long before its answer. */
  answer(call: Call, context: RoundContext): WireRounds | Promise<WireRounds> {
    const { keys, redactor } = this.#options;
    const picked = keys.pick({ modelId: call.modelId, wanted: () => sealedFor(call, context.origin) });
    const trimming = trimmingOf(context);
    if (!('then' in picked) && trimming === undefined) return this.#answerWith(call, context, picked);
    const first = 'then' in picked ? raceAbort(withoutSecrets(picked, redactor), context.signal) : picked;
    return Promise.all([first, trimming]).then(([key, loaded]) => this.#answerWith(call, context, key, loaded));
  }

  #answerWith(call: Call, context: RoundContext, first: PickedKey, trimming?: Trimming): WireRounds {
    const { model, callNumber, observer } = context;
    const { settings, keys: pool, redactor } = this.#options;
    if (model.endpoint.profile.requiresKey) checkKey(model, call.headers, first);
    const socket = this.#socketsFor(call, model);
    return new WireRounds(call, context, {
      settings,
      transport: socket === undefined ? this.#http : this.#transport,
      http: this.#http,
      socket,
      learned: this.#learned,
      keys: new CallKeys({ pool, first, redactor, callNumber, observer }),
      origin: this.#origins.get(model) ?? this.#originOf(model, call.modelId),
      commentsMs: this.#timeouts.commentsMs,
      trimming,
      hint: (error) => this.#hintFor(error, model.endpoint),
    });
  }

  /** Whether requests of a call may travel over sockets. A `fetch` of the user's would be passed by, so then he has to say so. */
  #socketsFor({ options }: Call, { endpoint, transport, settings }: ModelSettings): SocketUse | undefined {
    const mode = options['transport'] ?? transport;
    const { webSocket } = endpoint.profile;
    const isDated = endpoint.profile.name === 'azure' && !endpoint.url.includes('/openai/v1/');
    if (mode === 'websocket') return { mode, rules: webSocket ?? UNKNOWN_SOCKETS, isWorthOpening: true };
    const isOwnFetch = settings.fetch !== undefined && settings.webSocket === undefined;
    if (mode !== 'auto' || webSocket === undefined || isDated || isOwnFetch) return undefined;
    return { mode, rules: webSocket, isWorthOpening: this.#options.hasLoopTools };
  }

  async #loadSockets(): Promise<SocketTransport> {
    const { SocketTransport } = await import('../transport/socket/socket-transport.js');
    const { settings, redactor, closed } = this.#options;
    const { webSocket, sockets, timeouts, onEvent: observer } = settings;
    return new SocketTransport({
      ...this.#timeouts,
      http: this.#http,
      client: webSocket,
      socketMs: timeouts?.socketMs ?? DEFAULT_SOCKET_MS,
      sockets: {
        max: sockets?.max ?? DEFAULT_SOCKETS,
        idleMs: sockets?.idleMs ?? DEFAULT_IDLE_MS,
        maxAgeMs: sockets?.maxAgeMs,
      },
      messageBytes: settings.limits?.messageBytes ?? DEFAULT_LIMITS.messageBytes,
      observer,
      redactor,
      closed,
    });
  }

  #originOf(model: ModelSettings, modelId: string): string {
    const origin = originOf(model.endpoint, modelId);
    this.#origins.set(model, origin);
    return origin;
  }

  /** What may help against an error of a server. */
  #hintFor({ statusCode }: ApiError, { profile, reasons, url }: Endpoint): string | undefined {
    const { settings, environment } = this.#options;
    if (statusCode === 404 && profile.name === 'google')
      return 'Google documents no Responses API at this host: a relay that offers one is needed.';
    if (statusCode === 404) return `How the URL came about: ${reasons.join(' ')}`;
    const isWithheld =
      settings.apiKey === undefined &&
      settings.auth === undefined &&
      environment.apiKey !== undefined &&
      environmentKey(settings, environment, url) === undefined;
    // People set the variable, point `baseURL` elsewhere, and wonder why their key does not arrive.
    return statusCode === 401 && isWithheld
      ? 'OPENAI_API_KEY was not sent, since baseURL points elsewhere: pass it as apiKey if it belongs to this server.'
      : undefined;
  }
}

/** What keeps the rounds of a call short. Its code is loaded only for those who set a limit. */
export function trimmingOf(context: RoundContext): Promise<Trimming> | undefined {
  const { maxLoopChars } = context.limits;
  if (maxLoopChars === undefined) return undefined;
  return import('./trim-rounds.js').then(({ Trimming }) => new Trimming(maxLoopChars, context));
}

/**
 * What the origin of sealed reasoning begins with; the fingerprint of the key follows. Neither host nor model can be read
 * from it.
 */
export function originOf(endpoint: Endpoint, modelId: string): string {
  return `${shortHash(endpoint.url)}.${shortHash(modelId)}.`;
}

/** The key that the conversation's latest reasoning was sealed for; `origin` that of the call itself, if there is any. */
function sealedFor(call: Call, origin: string | undefined): string | undefined {
  if (origin !== undefined) return origin.split('.').at(-1);
  const origins = call.messages.flatMap((message) =>
    message.role === 'assistant'
      ? message.content.flatMap((content) => (content.type === 'reasoning' ? (content.origin ?? []) : []))
      : [],
  );
  return origins.at(-1)?.split('.').at(-1);
}
