import type { JsonObject } from '../core/json.js';
import type { AssistantContent, Message } from '../core/message.js';
import type { RoundRequest } from '../core/round.js';
import { createRequestBuilder, type RequestBuilder, type RequestBuilderOptions } from '../request/build-request.js';
import type { PickedKey } from '../request/key-pool.js';

/** No origin is ever called this. */
const REPLACED_KEY = 'replaced';

export interface RoundBodiesOptions extends Omit<RequestBuilderOptions, 'origin'> {
  readonly firstKey: PickedKey;
  /** Whose reasoning a key can open. */
  readonly originOf: (key: PickedKey) => string;
}

/**
 * The bodies of a call's rounds. When another key takes over, what the key before it had sealed stays behind, from the
 * conversation as from this call: no other key can open it.
 */
export class RoundBodies {
  readonly #options: RoundBodiesOptions;
  readonly #warnings: readonly string[];
  #builder: RequestBuilder;
  #origin: string;
  /** What earlier keys added to the conversation, without a claim to be opened by this one. */
  #before: readonly Message[] = [];

  constructor(options: RoundBodiesOptions) {
    this.#options = options;
    this.#origin = options.originOf(options.firstKey);
    this.#builder = this.#createBuilder();
    this.#warnings = this.#builder.warnings;
  }

  get warnings(): readonly string[] {
    return this.#warnings;
  }

  build(request: RoundRequest, key: PickedKey): JsonObject {
    const origin = this.#options.originOf(key);
    if (origin !== this.#origin) {
      this.#origin = origin;
      this.#builder = this.#createBuilder();
      this.#before = request.added.map(disown);
    }
    return this.#builder.build({ ...request, added: [...this.#before, ...request.added.slice(this.#before.length)] });
  }

  #createBuilder(): RequestBuilder {
    return createRequestBuilder({ ...this.#options, origin: this.#origin });
  }
}

function disown(message: Message): Message {
  if (message.role !== 'assistant') return message;
  const content = message.content.map((part): AssistantContent =>
    part.type === 'reasoning' ? { ...part, origin: REPLACED_KEY } : part,
  );
  return { ...message, content };
}
