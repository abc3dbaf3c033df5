import { redactThrown } from '../observe/redact-error.js';
import type { Call } from '../core/call.js';
import type { JsonObject } from '../core/json.js';
import type { Answerer, OpenRound, Round, RoundRequest } from '../core/round.js';
import { ApiError } from '../errors/api-error.js';
import { redactBody, redactHeaders, redactUrl } from '../observe/redact.js';
import { redactorsOf, type RequestRedactors } from '../observe/redactor.js';
import { buildHeaders } from '../request/build-headers.js';
import { writesAs } from '../request/vendors.js';
import type { Environment } from '../settings/environment.js';
import type { RequestDraft } from '../settings/request-hooks.js';
import type { ResponsesProviderSettings } from '../settings/settings.js';
import type { FailureContext } from '../stream/decode-failure.js';
import { readRound } from '../stream/read-round.js';
import type { HttpTransport, Transport, TransportResponse } from '../transport/transport.js';
import { notify } from '../observe/notify.js';
import { raceAbort } from '../util/abort.js';
import { defined } from '../util/defined.js';
import { afterEvents, steadyNow } from '../util/timers.js';
import { type Ask, askThrough } from './layers.js';
import type { LastingExchange, LastingResponse, RoundContext, RoundSource, Shortening } from './round-source.js';
import type { CallKeys } from './call-keys.js';
import { lookAhead } from './look-ahead.js';
import type { LearnedRefusals } from './learned-refusals.js';
import type { CallRefusals } from './refusals.js';
import { RoundBodies } from './round-bodies.js';

export interface WireRoundsOptions {
  readonly settings: ResponsesProviderSettings;
  /** Makes the transport of each round. @default `http` */
  readonly transport: (() => Transport) | undefined;
  readonly http: HttpTransport;
  readonly learned: LearnedRefusals;
  readonly keys: CallKeys;
  /** The beginning of the origin of sealed reasoning. */
  readonly origin: string;
  readonly shortening: Shortening | undefined;
  /** Longest time without an event, in milliseconds; 0 is for ever. */
  readonly commentsMs: number;
  /** The variables when the provider was created. */
  readonly environment: Environment;
}

/** A request of a round: its original and its sent body. */
interface Attempt extends Ask {
  lasting?: LastingResponse | undefined;
}

/**
 * The rounds of one call, answered by a Responses server. Each is built, sent and read; again with another key, without
 * refused parts, or unchanged if that may help.
 */
export class WireRounds implements RoundSource {
  readonly warnings;
  readonly metadata: Answerer;
  readonly #call: Call;
  readonly #context: RoundContext;
  readonly #options: WireRoundsOptions;
  readonly #bodies: RoundBodies;
  /** The name for servers. */
  readonly #modelId: string;
  #refusals: CallRefusals | undefined;

  constructor(call: Call, context: RoundContext, options: WireRoundsOptions) {
    const { route } = context;
    const { endpoint, body } = context.model;
    const { keys, origin, shortening } = options;
    this.#call = call;
    this.#context = context;
    this.#options = options;
    this.#modelId = endpoint.deployment ?? call.modelId;
    this.#bodies = new RoundBodies({
      call: endpoint.deployment === undefined ? call : { ...call, modelId: endpoint.deployment },
      profile: endpoint.profile,
      overrides: route === undefined ? body : [...body, route.body],
      defaults: context.defaults,
      firstKey: keys.current,
      place: origin,
      shortening,
    });
    this.warnings = this.#bodies.warnings;
    this.metadata = {
      // It may change with the key, during the call.
      get origin() {
        return origin + keys.current.fingerprint;
      },
      stored: call.options['store'] === true,
      vendor: writesAs(endpoint.profile),
    };
  }

  readonly openRound: OpenRound = async (request) => {
    const { keys, http, transport } = this.#options;
    keys.startOver();
    const context = this.#context;
    const bodies = this.#bodies;
    const layers = async () => {
      const made = await import('./after-failure.js');
      this.#refusals ??= await this.#createRefusals();
      return [
        made.explaining(this.#options, context.model),
        made.withRetries(context, { keys, bodies }),
        made.withOtherKey(keys, bodies, context),
        made.withWholeConversation(bodies, context),
        made.withoutRefused(this.#refusals, context),
      ];
    };
    const ofRound = transport?.() ?? http;
    return askThrough(request, layers, (ask) => this.#attempt(ask, ofRound));
  };

  async #attempt(ask: Ask, transport: Transport): Promise<Round> {
    const { request } = ask;
    if (this.#options.learned.known.size > 0) this.#refusals ??= await this.#createRefusals();
    const whole = this.#build(request);
    const body = this.#refusals?.strip(whole) ?? whole;
    const attempt: Attempt = Object.assign(ask, { body, sent: body, lasting: undefined });
    try {
      return await this.#send(attempt, request, transport);
    } catch (error) {
      if (!ApiError.isInstance(error) || request.signal.aborted) throw error;
      throw attempt.lasting?.unrepeatable(error) ?? error;
    }
  }

  #build(request: RoundRequest): JsonObject {
    const { keys } = this.#options;
    try {
      return this.#bodies.build(request, keys.current);
    } catch (error) {
      throw redactThrown(error, keys.redactor);
    }
  }

  async #send(attempt: Attempt, request: RoundRequest, transport: Transport): Promise<Round> {
    const { body } = attempt;
    const { index, signal } = request;
    const { keys, commentsMs } = this.#options;
    const { callNumber, limits, rings, requestObserver: observer } = this.#context;
    const drafted = this.#draft(body, index);
    const draft = 'then' in drafted ? await raceAbort(drafted, signal) : drafted;
    attempt.sent = draft.body;
    this.#bodies.sends(draft.body, request);
    keys.sends(draft, steadyNow());
    const lasting = rings.lasting(draft.body, () => this.#exchange(body, request, draft));
    if (lasting !== undefined) attempt.lasting = await lasting;
    const opening = transport.open({ callNumber, round: index, signal, limits, observer, ...draft });
    // During the request, because the first text of an answer would wait for it.
    const redactors = redactorsOf(draft, keys.redactor);
    afterEvents(() => redactors.whole.prepare());
    const response = await opening;
    const reading = readRound({
      chunks: response.chunks,
      ...defined({ onEvent: response.onEvent }),
      ...defined({ continuation: attempt.lasting }),
      ids: request.newIds(),
      context: contextOf(draft, response.headers, index, redactors),
      includeRaw: this.#call.includeRaw,
      // Without a stream the caller may read the unchanged response.
      keepsBody: !this.#call.stream,
      limits,
      commentsMs,
      signal,
    });
    const batches = await lookAhead(attempt.lasting?.whileRead(reading) ?? reading, redactors);
    keys.worked();
    const warnings = [...this.#bodies.takeWarnings(), ...(this.#refusals?.accepted() ?? [])];
    const { origin } = this.metadata;
    const requestUrl = () => redactors.whole.long.text(redactUrl(draft.url));
    return { requestBody: draft.body, requestUrl, responseHeaders: response.headers, origin, warnings, batches };
  }

  /** Returns the exchange for requests about a lasting response. */
  #exchange(body: JsonObject, { index, signal }: RoundRequest, first: RequestDraft): LastingExchange {
    const { keys, http } = this.#options;
    const { callNumber, limits, retry, observer, requestObserver } = this.#context;
    const { whole } = redactorsOf(first, keys.redactor);
    const url = whole.long.text(redactUrl(first.url));
    return {
      signal,
      retry,
      limits,
      // Drafted anew, because a token may have expired.
      ask: async ({ method, path, query, signal: until }) => {
        const draft = await this.#draft(body, index);
        const { 'content-type': _type, ...headers } = draft.headers;
        const asked = { ...draft, url: below(draft.url, path, query) };
        // A request without a body has no content type.
        const rest = method === 'POST' ? { body: {} } : { headers };
        return http.open({
          callNumber,
          round: index,
          limits,
          observer: requestObserver,
          ...asked,
          ...rest,
          method,
          signal: until,
        });
      },
      announce: (again) => notify(observer, () => ({ type: 'resume', callNumber, url, round: index, ...again })),
      facts: () => ({ url, round: index }),
      clean: (text) => whole.text(text),
    };
  }

  #draft(body: JsonObject, round: number): RequestDraft | Promise<RequestDraft> {
    const { model, route } = this.#context;
    const { profile } = model.endpoint;
    const url = route === undefined ? model.endpoint.url : below(model.endpoint.url, route.path);
    const { keys, settings } = this.#options;
    const { transformRequest, auth = profile.auth } = settings;
    const apiKey = keys.current.key;
    const headers = [...this.#context.model.headers, this.#call.headers];
    const layers = headers.filter((setting) => typeof setting !== 'function');
    if (typeof auth !== 'function' && transformRequest === undefined && layers.length === headers.length)
      return { url, body, headers: buildHeaders(auth, apiKey, layers) };
    const place = { modelId: this.#modelId, round };
    const functions = { auth, apiKey, headers, redactor: keys.redactor, transformRequest };
    return import('./request-draft.js').then(({ draftByFunctions }) => draftByFunctions(url, body, place, functions));
  }

  async #createRefusals(): Promise<CallRefusals> {
    const { CallRefusals } = await import('./after-failure.js');
    const place = `${this.#context.model.endpoint.url} ${this.#modelId}`;
    return new CallRefusals(this.#options.learned, place, this.#call.level);
  }
}

/** Returns a URL below another, with more parameters. */
function below(url: string, path: string, query: Readonly<Record<string, string>> = {}): string {
  const whole = new URL(url);
  whole.pathname = whole.pathname.replace(/\/$/, '') + path;
  for (const [name, value] of Object.entries(query)) whole.searchParams.set(name, value);
  return whole.toString();
}

function contextOf(
  { url, body }: RequestDraft,
  headers: TransportResponse['headers'],
  round: number,
  { whole }: RequestRedactors,
): FailureContext {
  // Made only for an error: copying a long conversation for every round would cost more than the round.
  return {
    round,
    redactor: whole,
    get url() {
      return whole.long.text(redactUrl(url));
    },
    get responseHeaders() {
      return whole.value(redactHeaders(headers));
    },
    get requestBody() {
      return whole.long.value(redactBody(body));
    },
  };
}
