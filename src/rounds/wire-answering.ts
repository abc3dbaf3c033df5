import type { Call } from '../core/call.js';
import type { Redactor } from '../observe/redact.js';
import type { KeyPool, PickedKey } from '../request/key-pool.js';
import { writesAs } from '../request/vendors.js';
import { createHttpTransport } from '../transport/http-transport.js';
import type { Transport } from '../transport/transport.js';
import { raceAbort } from '../util/abort.js';
import { defined } from '../util/defined.js';
import { CallKeys, withoutSecrets } from './call-keys.js';
import type { Answering, AnsweringPlace } from './answering.js';
import { checkKey } from '../settings/environment-key.js';
import type { Environment } from '../settings/environment.js';
import { createLearnedRefusals } from './learned-refusals.js';
import { hintFor } from './hint-for.js';
import { limitsOf, timeoutsOf } from '../settings/model-limits.js';
import type { ModelSettings } from '../settings/model-settings.js';
import { createWireRounds } from './open-wire-round.js';
import { placeOf, sealedFor } from './reasoning-origin.js';
import { type DraftOptions, draftRequest } from './request-draft.js';
import { RoundBodies } from './round-bodies.js';
import type { ResponsesProviderSettings } from '../settings/settings.js';

export interface WireAnsweringOptions {
  readonly settings: ResponsesProviderSettings;
  /** As it was when the provider was created. */
  readonly environment: Environment;
  readonly keys: KeyPool;
  /** Takes out what the provider knows to be secret: its keys, and what its tools are given in confidence. */
  readonly redactor: Redactor;
}

/** The Responses server of the settings, as the one who answers: one per provider. */
export class WireAnswering {
  readonly #options: WireAnsweringOptions;
  readonly #transport: Transport;
  readonly #learned = createLearnedRefusals();
  readonly #places = new WeakMap<ModelSettings, string>();

  constructor(options: WireAnsweringOptions) {
    const { fetch, onEvent } = options.settings;
    this.#options = options;
    this.#transport = createHttpTransport({
      ...timeoutsOf(options.settings),
      redactor: options.redactor,
      ...defined({ fetch, observer: onEvent }),
    });
  }

  async answer(call: Call, place: AnsweringPlace): Promise<Answering> {
    const { model, signal } = place;
    const { keys, redactor } = this.#options;
    const picked = keys.pick({ modelId: call.modelId, wanted: () => sealedFor(call), signal });
    const first = 'then' in picked ? await raceAbort(withoutSecrets(picked, redactor), signal) : picked;
    checkKey({ settings: this.#options.settings, model, headers: call.headers, key: first });
    return this.#rounds(call, place, first);
  }

  #rounds(call: Call, { model, callNumber, defaults, retry, observer }: AnsweringPlace, first: PickedKey): Answering {
    const { settings, environment, keys: pool, redactor } = this.#options;
    const { endpoint } = model;
    const deployed = endpoint.deployment === undefined ? call : { ...call, modelId: endpoint.deployment };
    const keys = new CallKeys({ pool, first, redactor, callNumber, observer });
    const originOfKey = (key: PickedKey): string => this.#placeOf(model, call) + key.fingerprint;
    const bodies = new RoundBodies({
      call: deployed,
      profile: endpoint.profile,
      overrides: model.body,
      defaults,
      firstKey: first,
      originOf: originOfKey,
    });
    const place = (round: number) => ({ modelId: deployed.modelId, round });
    return {
      warnings: bodies.warnings,
      metadata: {
        get origin() {
          return originOfKey(keys.current);
        },
        stored: call.options['store'] === true,
        vendor: writesAs(endpoint.profile),
      },
      openRound: createWireRounds({
        bodies,
        keys,
        transport: this.#transport,
        draft: (body, round) => draftRequest(endpoint.url, body, place(round), this.#drafting(call, model, keys)),
        place: `${endpoint.url} ${deployed.modelId}`,
        learned: this.#learned,
        redactor: keys.redactor,
        includeRaw: call.includeRaw,
        keepsBody: !call.stream,
        retry,
        limits: limitsOf(model),
        commentsMs: timeoutsOf(settings).commentsMs,
        hint: (error) => hintFor(error, { settings, environment, endpoint }),
        callNumber,
        observer,
        now: Date.now,
        random: Math.random,
      }),
    };
  }

  /** What origins begin with; a hash of host and model. */
  #placeOf(model: ModelSettings, { modelId }: Call): string {
    const known = this.#places.get(model);
    if (known !== undefined) return known;
    const place = placeOf(model.endpoint, modelId);
    this.#places.set(model, place);
    return place;
  }

  #drafting(call: Call, model: ModelSettings, keys: CallKeys): DraftOptions {
    const { settings } = this.#options;
    return {
      auth: settings.auth ?? model.endpoint.profile.auth,
      apiKey: keys.current.key,
      headers: [...model.headers, call.headers],
      redactor: keys.redactor,
      transformRequest: settings.transformRequest,
    };
  }
}
