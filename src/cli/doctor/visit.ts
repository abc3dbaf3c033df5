import type { JsonObject, JsonValue } from '../../core/json.js';
import type { Profile } from '../../core/profile.js';
import { isTellingHeader } from '../../observe/secret-names.js';
import type { Answer, Item, Usage } from './answer.js';
import { ask } from './ask.js';

export type Auth = Profile['auth'];

/** How this server wants to be asked: known from the first question that it answers. */
export interface Manner {
  /** The URL of responses. */
  readonly url: string;
  readonly auth: Auth;
  /** Fields of every request that keep it small, without those that the server refuses. */
  readonly base: JsonObject;
  readonly stream: boolean;
}

export interface VisitOptions {
  readonly url: string;
  readonly apiKey: string | undefined;
  /** The variable that the key is read from, or would be. */
  readonly keyName: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly model: string | undefined;
  /** Fields of every request that this server wants and the API does not have. */
  readonly fields: JsonObject;
  readonly fetch: typeof globalThis.fetch;
  readonly hide: (text: string) => string;
}

interface AskOptions {
  readonly manner?: Manner;
  readonly until?: (event: Item) => boolean;
  /** `true`: as a user without a key. */
  readonly withoutKey?: boolean;
}

const AUTH: { readonly [K in Auth]: (key: string) => Readonly<Record<string, string>> } = {
  bearer: (key) => ({ authorization: `Bearer ${key}` }),
  'api-key': (key) => ({ 'api-key': key }),
  'x-goog-api-key': (key) => ({ 'x-goog-api-key': key }),
  none: () => ({}),
};

/** The facts that all probes share: the server, how it wants to be asked, and what was learned. */
export class Visit {
  model: string | undefined;
  /** The models that the server lists. */
  models: readonly string[] = [];
  manner: Manner;
  /** The signal of the running probe. */
  signal: AbortSignal = AbortSignal.timeout(0);
  /** The server accepts fields that it cannot know. */
  ignoresUnknown = false;
  /** The first answer with text. */
  first: Answer | undefined;
  /** The model named the content of a picture. */
  seesImages = false;
  /** The members that the server requires of an assistant message in addition to its text. */
  messageFields: JsonObject = {};
  /** A whole answer with reasoning. */
  thought: Answer | undefined;
  /** The profile that the model list suggests, if one does. */
  looksLike: string | undefined;
  /** The same in words. */
  what: string | undefined;
  readonly usage = { input: 0, output: 0 };
  readonly #options: VisitOptions;

  constructor(options: VisitOptions) {
    this.#options = options;
    this.model = options.model;
    this.manner = { url: options.url, auth: 'bearer', base: {}, stream: true };
  }

  /** Binds the following requests to this signal. */
  within(signal: AbortSignal): this {
    this.signal = signal;
    return this;
  }

  /** Further fields of every request. */
  get fields(): JsonObject {
    return this.#options.fields;
  }

  get hasKey(): boolean {
    return this.#options.apiKey !== undefined;
  }

  get keyName(): string {
    return this.#options.keyName;
  }

  /** Whether one of the user's headers may be a key. */
  get hasCredentials(): boolean {
    return Object.keys(this.#options.headers).some(isTellingHeader);
  }

  headers(auth: Auth = this.manner.auth): Readonly<Record<string, string>> {
    const { apiKey, headers } = this.#options;
    return { ...(apiKey === undefined ? {} : AUTH[auth](apiKey)), ...headers };
  }

  /** Limits the tokens of one answer, if the server accepts a limit. */
  most(tokens: number): number | undefined {
    return this.manner.base['max_output_tokens'] === undefined ? undefined : tokens;
  }

  get(url: string): Promise<Answer> {
    return this.#ask({ url, headers: this.headers() });
  }

  /** Asks for a response. Fields that are `undefined` are not sent, even if every request has them. */
  async ask(fields: Readonly<Record<string, JsonValue | undefined>>, options: AskOptions = {}): Promise<Answer> {
    const { manner = this.manner, until, withoutKey = false } = options;
    const body = { model: this.model, ...this.#options.fields, ...manner.base, stream: manner.stream, ...fields };
    const headers = withoutKey ? this.#options.headers : this.headers(manner.auth);
    const answer = await this.#ask({ url: manner.url, headers, body, until });
    this.count(answer.usage);
    if (answer.items.some(({ type }) => type === 'reasoning')) this.thought ??= answer;
    return answer;
  }

  count(usage: Usage | undefined): void {
    this.usage.input += usage?.input ?? 0;
    this.usage.output += usage?.output ?? 0;
  }

  async #ask(question: Omit<Parameters<typeof ask>[0], 'signal' | 'fetch' | 'hide'>): Promise<Answer> {
    const { fetch, hide } = this.#options;
    const whole = { ...question, signal: this.signal, fetch, hide };
    const answer = await ask(whole);
    // Relays fail now and then, and a server may close the connection at that moment; a real fault fails every time.
    const mayBeChance = answer.status >= 500 || (answer.kind === 'broken' && answer.status === 0);
    return mayBeChance && !this.signal.aborted ? ask(whole) : answer;
  }
}
