import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { JsonObject } from '../../core/json.js';
import { redactUrl } from '../../observe/redact.js';
import { aBoolean, aFunction, aText, checkOptions, listOf, oneOf, optional } from '../checks.js';
import { type Fixture, FixtureError, type FixtureRound } from '../fixture/fixture.js';
import { writeFixture } from '../fixture/write-fixture.js';
import { Cleaner } from './cleaner.js';
import { bodyKind, isTerminated, jsonOfBody } from './json-of-body.js';
import type { TappedBody } from './tap-response.js';

/** The name of a recording, and replacements in it. */
export interface RecordingOptions {
  /** What the fixture shows, in one line. @default the name of the directory */
  readonly title?: string | undefined;
  /** The server and its version. @default the host of the first request, as `https://host` */
  readonly source?: string | undefined;
  /** What to look at, and what is unusual about it. */
  readonly notes?: string | undefined;
  /** `true` replaces an existing fixture. @default `false`: it is an error */
  readonly overwrite?: boolean | undefined;
  /**
   * More secrets to remove, of four characters or more. Keys, tokens and cookies are found by the names of their
   * headers and fields.
   */
  readonly secrets?: readonly string[] | undefined;
  /**
   * Sealed reasoning (`encrypted_content`) in answers: `'replace'` writes `sealed-1`, `sealed-2`, … in its place,
   * equal names for equal values; `'refuse'` makes it an error.
   * @default `'replace'`
   */
  readonly sealed?: 'replace' | 'refuse' | undefined;
}

/** A request, and its answer once that is complete. */
export interface RecordedExchange {
  readonly origin: string;
  /** Cleaned of the secrets known at that time. */
  request: JsonObject;
  round?: FixtureRound;
  /** The number of secrets known when it was cleaned. */
  known?: number;
}

const REPLACED = 'Keys in the bodies are replaced by [redacted], sealed reasoning by sealed-1 and so on.';

/** With a misspelled `secrets`, keys would stay in files that are committed. */
const OPTIONS = {
  title: optional(aText),
  source: optional(aText),
  notes: optional(aText),
  overwrite: optional(aBoolean),
  secrets: optional(listOf(aText)),
  sealed: optional(oneOf('replace', 'refuse')),
  fetch: optional(aFunction),
};

/** All recorded exchanges, in memory and on disk. */
export class Recording {
  readonly cleaner: Cleaner;
  readonly #directory: string;
  readonly #options: RecordingOptions;
  /** In the order of sending; a request without an answer is no round. */
  readonly #exchanges: RecordedExchange[] = [];
  readonly #date = new Date().toISOString().slice(0, 10);
  #writing: Promise<void> = Promise.resolve();
  #failure: Error | undefined;

  constructor(directory: string, options: RecordingOptions) {
    if (typeof directory !== 'string' || directory === '' || basename(resolve(directory)) === '') {
      const given = JSON.stringify(directory) ?? 'undefined';
      throw new FixtureError(given, 'names no directory for the fixture, such as "fixtures/my-server".');
    }
    checkOptions('recordFetch', options, OPTIONS);
    this.#directory = resolve(directory);
    this.#options = options;
    this.cleaner = new Cleaner(options.secrets ?? []);
    this.#refuseOverwriting();
  }

  /** Throws the first failure, because a lost recording must not go unnoticed. */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  begin(
    sent: { readonly url: URL; readonly headers: Readonly<Record<string, string>> },
    body: JsonObject,
  ): RecordedExchange {
    const { url, headers } = sent;
    const request = this.cleaner.request(body, { url: url.href, headers });
    const exchange = { origin: url.origin, request };
    this.#exchanges.push(exchange);
    return exchange;
  }

  /** Keeps the answer. Never rejects, so that the app's call continues; the next request throws. */
  async finish(exchange: RecordedExchange, response: Response, body: TappedBody): Promise<void> {
    try {
      exchange.round = this.#roundOf(exchange, response, body);
      await this.#write();
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      this.#failure ??= error instanceof FixtureError ? error : new FixtureError(this.#directory, problem, error);
    }
  }

  #roundOf(exchange: RecordedExchange, response: Response, body: TappedBody): FixtureRound {
    const headers = Object.fromEntries(response.headers.entries());
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.replace(/^[^=]*=|;.*$/gs, ''));
    const clean = this.cleaner.answer({ headers, body: body.bytes, chunks: body.chunks }, cookies);
    if (this.#options.sealed === 'refuse' && this.cleaner.foundSealed) {
      throw new FixtureError(this.#directory, 'was not written: an answer contains sealed reasoning.');
    }
    const kind = bodyKind(headers['content-type'] ?? '', clean.body);
    const isCut = body.ending === 'left' && !(kind === 'sse' && isTerminated(jsonOfBody(kind, clean.body)));
    return {
      status: response.status,
      headers: clean.headers,
      ending: body.ending === 'reset' || isCut ? 'reset' : 'end',
      ...(isCut && { aborted: true }),
      chunks: clean.chunks,
      request: exchange.request,
      body: clean.body,
      kind,
    };
  }

  /** Writes one after another, each time all exchanges, so that the last write is always a whole fixture. */
  #write(): Promise<void> {
    const isFirst = this.#exchanges.filter(({ round }) => round !== undefined).length === 1;
    const write = async (): Promise<void> => {
      if (isFirst) {
        this.#refuseOverwriting();
        // It belongs to the earlier fixture.
        await rm(join(this.#directory, 'parts.json'), { force: true });
      }
      await writeFixture(this.#directory, this.#fixture());
    };
    this.#writing = this.#writing.catch(() => {}).then(write);
    return this.#writing;
  }

  /** Checked again before the first write, because another recording may have been faster. */
  #refuseOverwriting(): void {
    const file = join(this.#directory, 'meta.json');
    if (this.#options.overwrite === true || !existsSync(file)) return;
    throw new FixtureError(file, 'is there already; `overwrite: true` replaces the fixture.');
  }

  /** A secret found later may be in an earlier exchange. */
  #cleanAgain(exchange: RecordedExchange): FixtureRound[] {
    const { round } = exchange;
    if (round === undefined) return [];
    if (exchange.known === this.cleaner.known) return [round];
    exchange.request = this.cleaner.request(exchange.request, { url: exchange.origin, headers: {} });
    exchange.round = {
      ...round,
      ...this.cleaner.answer({ ...round, chunks: round.chunks ?? [] }),
      request: exchange.request,
    };
    exchange.known = this.cleaner.known;
    return [exchange.round];
  }

  #fixture(): Fixture {
    const answered = this.#exchanges.filter(({ round }) => round !== undefined);
    const rounds = answered.flatMap((exchange) => this.#cleanAgain(exchange));
    const { title, source, notes } = this.#options;
    const name = basename(this.#directory);
    const remarks = [notes ?? 'Recorded with recordFetch.', ...(this.cleaner.changedBody ? [REPLACED] : [])];
    const meta = {
      name,
      title: this.cleaner.text(title ?? name),
      origin: 'recorded' as const,
      source: this.cleaner.text(withoutUserInfo(source ?? answered[0]?.origin ?? 'unknown')),
      date: this.#date,
      notes: this.cleaner.text(remarks.join(' ')),
      rounds: rounds.map(({ request: _request, body: _body, kind: _kind, ...round }) => round),
    };
    return { meta, rounds };
  }
}

/** A user may pass the base URL as the source. */
function withoutUserInfo(source: string): string {
  return /^https?:\/\/\S+$/i.test(source) ? redactUrl(source) : source;
}
