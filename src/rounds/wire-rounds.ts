import type { Call } from '../core/call.js';
import type { JsonObject } from '../core/json.js';
import type { Answerer, OpenRound, Round } from '../core/round.js';
import { ApiError } from '../errors/api-error.js';
import { redactBody, redactHeaders, redactUrl } from '../observe/redact.js';
import { redactorsOf, type RequestRedactors } from '../observe/redactor.js';
import { buildHeaders, type HeaderLayer } from '../request/build-headers.js';
import { writesAs } from '../request/vendors.js';
import type { HeaderSetting, RequestDraft } from '../settings/request-hooks.js';
import type { ResponsesProviderSettings } from '../settings/settings.js';
import type { FailureContext } from '../stream/decode-failure.js';
import { readRound } from '../stream/read-round.js';
import type { Transport, TransportResponse } from '../transport/transport.js';
import { raceAbort } from '../util/abort.js';
import { delay } from '../util/timers.js';
import { announceRetry, announceStripped, checkBudget, decideAfter, type FailedRequest } from './after-failure.js';
import type { RoundSource, RoundContext } from './round-source.js';
import type { CallKeys } from './call-keys.js';
import { lookAhead } from './look-ahead.js';
import { CallRefusals, type LearnedRefusals } from './refusals.js';
import { draftByFunctions } from './request-draft.js';
import { RoundBodies } from './round-bodies.js';

export interface WireRoundsOptions {
  readonly settings: ResponsesProviderSettings;
  readonly transport: Transport;
  readonly learned: LearnedRefusals;
  readonly keys: CallKeys;
  /** What the origin of sealed reasoning begins with. */
  readonly origin: string;
  /** Longest time without an event, in milliseconds; 0 is for ever. */
  readonly commentsMs: number;
  /** What may help against an error, appended to its message. */
  readonly hint: (error: ApiError) => string | undefined;
}

/**
 * The rounds of one call, answered by a Responses server. Each is built, sent and read; with another key, without what the
 * server refuses, or once more if that may help.
 */
export class WireRounds implements RoundSource {
  readonly warnings;
  readonly metadata: Answerer;
  readonly #call: Call;
  readonly #context: RoundContext;
  readonly #options: WireRoundsOptions;
  readonly #bodies: RoundBodies;
  /** As servers know it. */
  readonly #modelId: string;
  #refusals: CallRefusals | undefined;

  constructor(call: Call, context: RoundContext, options: WireRoundsOptions) {
    const { endpoint, body: overrides } = context.model;
    const { keys, origin } = options;
    this.#call = call;
    this.#context = context;
    this.#options = options;
    this.#modelId = endpoint.deployment ?? call.modelId;
    this.#bodies = new RoundBodies({
      call: endpoint.deployment === undefined ? call : { ...call, modelId: endpoint.deployment },
      profile: endpoint.profile,
      overrides,
      defaults: context.defaults,
      firstKey: keys.current,
      place: origin,
    });
    this.warnings = this.#bodies.warnings;
    this.metadata = {
      // It may change with the key, in mid-call.
      get origin() {
        return origin + keys.current.fingerprint;
      },
      stored: call.options['store'] === true,
      vendor: writesAs(endpoint.profile),
    };
  }

  readonly openRound: OpenRound = async (request) => {
    const { learned, keys } = this.#options;
    if (learned.known.size > 0) this.#refusals ??= this.#createRefusals();
    keys.startOver();
    for (let requests = 1, retries = 0; ; requests += 1) {
      const whole = this.#bodies.build(request, keys.current);
      const body = this.#refusals?.strip(whole) ?? whole;
      const attempt = { request, body, sent: body, retries };
      try {
        const round = await this.#send(attempt);
        const warnings = [...this.#bodies.takeWarnings(), ...(this.#refusals?.accepted() ?? [])];
        return warnings.length === 0 ? round : { ...round, warnings };
      } catch (error) {
        if (!ApiError.isInstance(error) || request.signal.aborted) throw error;
        retries += await this.#prepareNext({ ...attempt, error }, requests);
      }
    }
  };

  async #send(attempt: Omit<FailedRequest, 'error'> & { sent: JsonObject }): Promise<Round> {
    const { request, body } = attempt;
    const { index, signal } = request;
    const { keys, transport, commentsMs } = this.#options;
    const { callNumber, limits } = this.#context;
    const drafted = this.#draft(body, index);
    const draft = 'then' in drafted ? await raceAbort(drafted, signal) : drafted;
    attempt.sent = draft.body;
    this.#bodies.sends(draft.body, request);
    keys.sends(draft, Date.now());
    const response = await transport.open({ callNumber, round: index, signal, limits, ...draft });
    const redactors = redactorsOf(draft, keys.redactor);
    const reading = readRound({
      chunks: response.chunks,
      ids: request.newIds(),
      context: contextOf(draft, response, index, redactors),
      includeRaw: this.#call.includeRaw,
      // Without a stream the caller may ask for the response as it came.
      keepsBody: !this.#call.stream,
      limits,
      commentsMs,
      signal,
    });
    const batches = await lookAhead(reading, redactors);
    keys.worked();
    return { requestBody: draft.body, responseHeaders: response.headers, batches };
  }

  /** Puts URL and headers to a body. */
  #draft(body: JsonObject, round: number): RequestDraft | Promise<RequestDraft> {
    const { url, profile } = this.#context.model.endpoint;
    const { keys, settings } = this.#options;
    const { transformRequest, auth = profile.auth } = settings;
    const apiKey = keys.current.key;
    const headers = [...this.#context.model.headers, this.#call.headers];
    const layers = headers.filter(isLayer);
    if (typeof auth !== 'function' && transformRequest === undefined && layers.length === headers.length)
      return { url, body, headers: buildHeaders(auth, apiKey, layers) };
    const place = { modelId: this.#modelId, round };
    return draftByFunctions(url, body, place, { auth, apiKey, headers, redactor: keys.redactor, transformRequest });
  }

  /** Does what is decided after a failure, and returns the retries it takes; throws where nothing may follow. */
  async #prepareNext(failed: FailedRequest, requests: number): Promise<0 | 1> {
    const { error, request } = failed;
    const { keys, hint } = this.#options;
    const { limits, retry } = this.#context;
    const refusals = (this.#refusals ??= this.#createRefusals());
    const next = await decideAfter(failed, { bodies: this.#bodies, keys, refusals, retry });
    if (next.type === 'give-up') throw withHint(error, hint(error));
    checkBudget(error, requests, limits.requestsPerRound);
    if (next.type === 'strip') announceStripped(next.names, this.#context);
    if (next.type !== 'retry') return 0;
    const { delayMs, key } = next;
    announceRetry(error, { round: request.index, attempt: failed.retries + 1, delayMs }, this.#context);
    await delay(delayMs, request.signal);
    keys.startOver();
    keys.use(key, error);
    return 1;
  }

  #createRefusals(): CallRefusals {
    return new CallRefusals(this.#options.learned, `${this.#context.model.endpoint.url} ${this.#modelId}`);
  }
}

function isLayer(setting: HeaderSetting): setting is HeaderLayer {
  return typeof setting !== 'function';
}

function withHint(error: ApiError, hint: string | undefined): ApiError {
  return hint === undefined ? error : new ApiError({ ...error.facts, message: `${error.message} ${hint}` });
}

function contextOf(
  { url, body }: RequestDraft,
  response: TransportResponse,
  round: number,
  { whole }: RequestRedactors,
): FailureContext {
  // Made only for an error: copying a long conversation for every round would cost more than the round.
  return {
    round,
    clean: (text) => whole.text(text),
    get url() {
      return redactUrl(url);
    },
    get responseHeaders() {
      return redactHeaders(response.headers);
    },
    get requestBody() {
      return redactBody(body);
    },
  };
}
