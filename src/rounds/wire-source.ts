import type { Call } from '../core/call.js';
import type { Redactor } from '../observe/redact.js';
import type { Endpoint } from '../request/endpoint.js';
import type { KeyPool, PickedKey } from '../request/key-pool.js';
import { checkKey } from '../settings/environment-key.js';
import type { Environment } from '../settings/environment.js';
import { type Timeouts, timeoutsOf } from '../settings/model-limits.js';
import type { ModelSettings } from '../settings/model-settings.js';
import type { ResponsesProviderSettings } from '../settings/settings.js';
import { createHttpTransport } from '../transport/http-transport.js';
import type { HttpTransport, Transport } from '../transport/transport.js';
import { raceAbort } from '../util/abort.js';
import { defined } from '../util/defined.js';
import { shortHash } from '../util/hash.js';
import type { RoundContext, Shortening } from './round-source.js';
import { CallKeys, withoutSecrets } from './call-keys.js';
import { LearnedRefusals } from './learned-refusals.js';
import { WireRounds } from './wire-rounds.js';

export interface WireSourceOptions {
  readonly settings: ResponsesProviderSettings;
  /** The variables when the provider was created. */
  readonly environment: Environment;
  readonly keys: KeyPool;
  /** Removes the provider's secrets: its keys and those of its tools. */
  readonly redactor: Redactor;
}

interface AnswersWith {
  readonly first: PickedKey;
  readonly transport: (() => Transport) | undefined;
  readonly shortening?: Shortening | undefined;
}

/** The Responses server of the settings: one per provider, which answers the rounds of all calls. */
export class WireSource {
  readonly #options: WireSourceOptions;
  readonly #timeouts: Timeouts;
  readonly #http: HttpTransport;
  readonly #learned = new LearnedRefusals();
  readonly #origins = new WeakMap<ModelSettings, string>();

  constructor(options: WireSourceOptions) {
    const { settings, redactor } = options;
    const { fetch, onEvent: observer } = settings;
    this.#options = options;
    this.#timeouts = timeoutsOf(settings);
    this.#http = createHttpTransport({ ...this.#timeouts, redactor, ...defined({ fetch, observer }) });
  }

  /** Waits only if needed, because a wait before a request delays its answer. */
  answer(call: Call, context: RoundContext): WireRounds | Promise<WireRounds> {
    const { keys, redactor } = this.#options;
    const picked = keys.pick({ modelId: call.modelId, wanted: () => sealedFor(call, context.origin) });
    const { rings, signal } = context;
    const shortening = rings.shortening(context);
    const transport = rings.transport(call, context.model, { http: this.#http, redactor, ...this.#timeouts });
    const isReady = !('then' in picked) && shortening === undefined && !(transport instanceof Promise);
    if (isReady) return this.#answerWith(call, context, { first: picked, transport });
    const first = 'then' in picked ? raceAbort(withoutSecrets(picked, redactor), signal) : picked;
    return Promise.all([first, transport, shortening]).then((loaded) =>
      this.#answerWith(call, context, { first: loaded[0], transport: loaded[1], shortening: loaded[2] }),
    );
  }

  #answerWith(call: Call, context: RoundContext, { first, transport, shortening }: AnswersWith): WireRounds {
    const { model, callNumber, observer } = context;
    const { settings, environment, keys: pool, redactor } = this.#options;
    if (model.endpoint.profile.requiresKey) checkKey(model, call.headers, first);
    return new WireRounds(call, context, {
      settings,
      transport,
      http: this.#http,
      learned: this.#learned,
      keys: new CallKeys({ pool, first, redactor, callNumber, observer }),
      origin: this.#origins.get(model) ?? this.#originOf(model, call.modelId),
      commentsMs: this.#timeouts.commentsMs,
      shortening,
      environment,
    });
  }

  #originOf(model: ModelSettings, modelId: string): string {
    const origin = originOf(model.endpoint, modelId);
    this.#origins.set(model, origin);
    return origin;
  }
}

/**
 * Returns the beginning of the origin of sealed reasoning. The fingerprint of the key follows. The origin hides the
 * host and the model.
 */
export function originOf(endpoint: Endpoint, modelId: string): string {
  return `${shortHash(endpoint.url)}.${shortHash(modelId)}.`;
}

/** Returns the key of the conversation's latest sealed reasoning; `origin`: the call's own, if any. */
function sealedFor(call: Call, origin: string | undefined): string | undefined {
  if (origin !== undefined) return origin.split('.').at(-1);
  const origins = call.messages.flatMap((message) =>
    message.role === 'assistant'
      ? message.content.flatMap((content) => (content.type === 'reasoning' ? (content.origin ?? []) : []))
      : [],
  );
  return origins.at(-1)?.split('.').at(-1);
}
