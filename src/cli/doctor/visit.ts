import type { JsonObject, JsonValue } from '../../core/json.js';
import type { Profile } from '../../core/profile.js';
import { isTellingHeader } from '../../observe/secret-names.js';
import type { Answer, Item, Usage } from './answer.js';
import { ask } from './ask.js';

export type Auth = Profile['auth'];

/** How this server wants to be asked: found out by the first question that it answers. */
export interface Manner {
  /** Where answers are made. */
  readonly url: string;
  readonly auth: Auth;
  /** Fields of every request that keep it small; without those that the server refuses. */
  readonly base: JsonObject;
  readonly stream: boolean;
}

export interface VisitOptions {
  readonly url: string;
  readonly apiKey: string | undefined;
  /** The variable that it is taken from, or would be. */
  readonly keyName: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly model: string | undefined;
  /** Fields of every request: what this server wants and the API does not have. */
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

/** What all probes share: the server, how it wants to be asked, and what was learned on the way. */
export class Visit {
  model: string | undefined;
  /** Those that the server lists. */
  models: readonly string[] = [];
  manner: Manner;
  /** Of the probe that runs. */
  signal: AbortSignal = AbortSignal.timeout(0);
  /** The server takes fields that it cannot know. */
  ignoresUnknown = false;
  /** The first answer with a text. */
  first: Answer | undefined;
  /** The model named what a picture shows. */
  seesImages = false;
  /** What an assistant message needs beside its text to be taken. */
  messageFields: JsonObject = {};
  /** An answer that thought, in full. */
  thought: Answer | undefined;
  /** What the model lists say the server is: a name of a profile, if it has one. */
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

  /** What is asked from here on has to end with this signal. */
  within(signal: AbortSignal): this {
    this.signal = signal;
    return this;
  }

  /** Fields that every request has besides. */
  get fields(): JsonObject {
    return this.#options.fields;
  }

  get hasKey(): boolean {
    return this.#options.apiKey !== undefined;
  }

  get keyName(): string {
    return this.#options.keyName;
  }

  /** Whether a header of the user's may stand for a key. */
  get hasCredentials(): boolean {
    return Object.keys(this.#options.headers).some(isTellingHeader);
  }

  headers(auth: Auth = this.manner.auth): Readonly<Record<string, string>> {
    const { apiKey, headers } = this.#options;
    return { ...(apiKey === undefined ? {} : AUTH[auth](apiKey)), ...headers };
  }

  /** So many tokens at most for one answer, where the server takes a limit at all. */
  most(tokens: number): number | undefined {
    return this.manner.base['max_output_tokens'] === undefined ? undefined : tokens;
  }

  get(url: string): Promise<Answer> {
    return this.#ask({ url, headers: this.headers() });
  }

  /** Asks for a response. Fields that are `undefined` are not sent, also if every request has them. */
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
    // Relays fail now and then, and a server may close the connection just then; what cannot be done fails every time.
    const mayBeChance = answer.status >= 500 || (answer.kind === 'broken' && answer.status === 0);
    return mayBeChance && !this.signal.aborted ? ask(whole) : answer;
  }
}
