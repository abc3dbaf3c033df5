import type { JsonObject } from '../core/json.js';
import type { RoundRequest } from '../core/round.js';
import type { CallWarning } from '../core/warning.js';
import type { ApiError } from '../errors/api-error.js';
import { createRequestBuilder, type RequestBuilder, type RequestBuilderOptions } from '../request/build-request.js';
import type { PickedKey } from '../request/key-pool.js';
import type { Shortening } from './round-source.js';

export interface RoundBodiesOptions extends Omit<RequestBuilderOptions, 'origin' | 'shorten'> {
  readonly firstKey: PickedKey;
  /** The beginning of the origin of sealed reasoning: host and model; the fingerprint of the key follows. */
  readonly place: string;
  readonly shortening?: Shortening | undefined;
}

/**
 * The bodies of a call's rounds. After a change of key, they omit reasoning that the old key sealed, in the
 * conversation and in this call. The new key can neither open it nor continue the old key's response.
 */
export class RoundBodies {
  readonly #options: RoundBodiesOptions;
  readonly warnings: readonly CallWarning[];
  #builder: RequestBuilder;
  #origin: string;
  /** The previous round's response, and its key. */
  #previous: { readonly id: string; readonly origin: string } | undefined;
  /** The caller continues a state that a server keeps for one account, so we cannot send all of it. */
  continuesServerState = false;
  /** True if the server lost a response that it claimed to store; from then on every round is sent whole. */
  #lostChain = false;
  readonly #announced = new Set<string>();

  constructor(options: RoundBodiesOptions) {
    this.#options = options;
    this.#origin = options.place + options.firstKey.fingerprint;
    this.#builder = this.#createBuilder();
    this.warnings = this.#builder.warnings;
  }

  build(request: RoundRequest, key: PickedKey): JsonObject {
    const { index, prompt, added, tools, offered, toolChoice, closing, previousResponseId } = request;
    // The previous round's key stays until another is picked.
    if (previousResponseId !== undefined && previousResponseId !== this.#previous?.id)
      this.#previous = { id: previousResponseId, origin: this.#origin };
    const origin = this.#options.place + key.fingerprint;
    if (origin !== this.#origin) {
      this.#origin = origin;
      this.#builder = this.#createBuilder();
    }
    return this.#builder.build({
      index,
      prompt,
      added,
      tools,
      offered,
      toolChoice,
      closing,
      previousResponseId: !this.#lostChain && this.#previous?.origin === origin ? previousResponseId : undefined,
    });
  }

  /** Reads the outgoing body, because `transformRequest` decides last what it continues. */
  sends(body: JsonObject, { previousResponseId }: RoundRequest): void {
    const { conversation, previous_response_id: continued } = body;
    if (conversation != null || (continued != null && continued !== previousResponseId))
      this.continuesServerState = true;
  }

  /**
   * Whether the server no longer has the response that a round of ours continued, so that the round can be sent whole.
   * That is impossible for a continuation by the caller.
   */
  losesChain(error: ApiError, sent: JsonObject, { previousResponseId }: RoundRequest): boolean {
    if (previousResponseId === undefined || sent[FIELD] !== previousResponseId) return false;
    this.#lostChain = isAboutChain(error, previousResponseId);
    return this.#lostChain;
  }

  /** Warnings since the call began, each once. */
  takeWarnings(): readonly string[] {
    const { shortening } = this.#options;
    const lost = this.#lostChain ? [LOST_CHAIN] : [];
    const late = [...lost, ...(shortening?.takeWarnings() ?? []), ...this.#builder.lateWarnings];
    const fresh = late.filter((warning) => !this.#announced.has(warning));
    for (const warning of fresh) this.#announced.add(warning);
    return fresh;
  }

  #createBuilder(): RequestBuilder {
    const { shortening } = this.#options;
    return createRequestBuilder({ origin: this.#origin, ...this.#options, shorten: shortening?.shorten });
  }
}

const LOST_CHAIN =
  'The server did not accept the previous response. From now on, the provider sends the whole conversation.';
const FIELD = 'previous_response_id';
const NOT_FOUND = 'previous_response_not_found';
const REFUSING: ReadonlySet<number | undefined> = new Set([400, 404, 422]);

/** Servers without a code for it name the field (llama.cpp in prose), or repeat the id. */
function isAboutChain({ serverCode, statusCode, facts, message }: ApiError, responseId: string): boolean {
  if (serverCode === NOT_FOUND) return true;
  const named = facts.named?.map(({ path }) => path) ?? [];
  return (
    REFUSING.has(statusCode) && [message, ...named].some((words) => words.includes(FIELD) || words.includes(responseId))
  );
}
