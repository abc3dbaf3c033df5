import type { Clean, CleanText } from '../core/clean-text.js';
import { mapTexts } from '../util/json.js';
import { HIDDEN } from './redact-url.js';
import { SecretScanner } from './secret-scanner.js';
import { type SecretBearer, secretsOf, secretsOfBody } from './secrets-of.js';

/** Common stand-ins for a key at local servers and in tests; hiding them would black out ordinary words. */
const NO_SECRET =
  /^(?:.{0,3}|dummy|empty|fake|key|llama|local|none|no-?key|ollama|openai|secret|test|testing|token|unused|vllm)$/i;

/** Keys of local servers are words that also occur in URLs and conversations. */
const MIN_LONG_CHARS = 8;

/** All secrets, or only those too long for an accidental word. */
type Which = 'all' | 'long';

/** Returns the same array until it changes, because the compiled search is cached. */
export type SecretSource = () => readonly string[];

/** The number of cached lists, because keys take turns. */
const KEPT = 16;
/** Longer lists include sealed reasoning, which changes in every round. */
const MAX_KEPT_CHARS = 4_000;

/** The last searches, by their secrets, because most requests repeat the previous secrets. */
class Searches {
  readonly #ofLists = new WeakMap<readonly string[], Partial<Record<Which, SecretScanner>>>();
  readonly #ofPlaces = new WeakMap<readonly string[], readonly string[]>();
  #latest: readonly (readonly string[])[] = [];

  for(secrets: readonly string[], which: Which): SecretScanner {
    const scanners = this.#ofLists.get(secrets) ?? this.#ofLists.get(this.#same(secrets)) ?? {};
    this.#ofLists.set(secrets, scanners);
    return (scanners[which] ??= new SecretScanner(searched(secrets, which)));
  }

  /**
   * Secrets of URL and headers. Most requests repeat the previous ones, and the first text of an answer waits for this.
   */
  secretsOfPlace({ url, headers, secrets }: SecretBearer): readonly string[] {
    if (secrets !== undefined) return secretsOf({ url, headers, secrets, body: undefined });
    const parts = this.#same([url, ...Object.entries(headers).flat()]);
    const found = this.#ofPlaces.get(parts) ?? secretsOf({ url, headers, body: undefined });
    this.#ofPlaces.set(parts, found);
    return found;
  }

  /** Returns a cached list with equal content, to keep the compiled search. */
  #same(list: readonly string[]): readonly string[] {
    for (const known of this.#latest) if (haveSame(known, list)) return known;
    const chars = list.reduce((sum, text) => sum + text.length, 0);
    if (chars <= MAX_KEPT_CHARS) this.#latest = [list, ...this.#latest.slice(0, KEPT - 1)];
    return list;
  }
}

function haveSame(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (const [at, secret] of a.entries()) if (secret !== b[at]) return false;
  return true;
}

/**
 * Removes secrets from texts and JSON values. Reads the secrets at the first text, and searches for all at once.
 *
 * @example
 * const redactor = Redactor.of(() => pool.secrets());
 * redactor.text('Incorrect API key: sk-1234567890'); // 'Incorrect API key: [redacted]'
 */
export class Redactor {
  /** Knows no secrets. */
  static readonly NONE = Redactor.of();

  readonly #sources: readonly SecretSource[];
  readonly #which: Which;
  /** Shared by all derived redactors. */
  readonly searches: Searches;
  #long: Redactor | undefined;

  private constructor(sources: readonly SecretSource[], which: Which, searches: Searches) {
    this.#sources = sources;
    this.#which = which;
    this.searches = searches;
  }

  static of(...sources: readonly SecretSource[]): Redactor {
    return new Redactor(sources, 'all', new Searches());
  }

  /** Returns a redactor with more secrets. Both share their searches. */
  and(...sources: readonly SecretSource[]): Redactor {
    return new Redactor([...this.#sources, ...sources], this.#which, this.searches);
  }

  /** Searches only for secrets too long for an accidental word: for URLs, requests and our other texts. */
  get long(): Redactor {
    this.#long ??= this.#which === 'long' ? this : new Redactor(this.#sources, 'long', this.searches);
    return this.#long;
  }

  /** Prepares the search. */
  prepare(): void {
    this.#scanners();
  }

  /** Returns the text without secrets; the same text if it contains none. */
  text(text: string): CleanText {
    return replaced(text, this.#scanners());
  }

  /** Returns a JSON value of the same shape, names of members included; the same value if it has no secret. */
  value<T>(value: T): Clean<T> {
    if (this.#sources.length === 0) return value as Clean<T>;
    // Searches all texts at once, because few values have a secret.
    const texts = textsIn(value).join('\0');
    const scanners = texts === '' ? [] : this.#scanners();
    if (SecretScanner.spansIn(texts, scanners).length === 0) return value as Clean<T>;
    const change = (text: string): string => replaced(text, scanners);
    return mapTexts(value, change, () => true) as Clean<T>;
  }

  #scanners(): SecretScanner[] {
    const scanners: SecretScanner[] = [];
    for (const source of this.#sources) {
      const secrets = source();
      if (secrets.length > 0) scanners.push(this.searches.for(secrets, this.#which));
    }
    return scanners;
  }
}

function searched(secrets: readonly string[], which: Which): readonly string[] {
  const shortest = which === 'long' ? MIN_LONG_CHARS : 0;
  // A replacement that counted as a secret would be replaced again and again.
  return secrets.filter(
    (secret) => secret.length >= shortest && !NO_SECRET.test(secret) && !HIDDEN.includes(secret.toLowerCase()),
  );
}

/** All texts of a JSON value, names of members included. */
function textsIn(value: unknown): readonly string[] {
  const texts: string[] = [];
  const left = [value];
  for (const member of left) {
    if (typeof member === 'string') texts.push(member);
    if (typeof member !== 'object' || member === null) continue;
    if (!Array.isArray(member)) texts.push(...Object.keys(member));
    for (const inner of Object.values(member)) left.push(inner);
  }
  return texts;
}

/** Overlapping secrets are merged, because one may include another. */
function replaced(text: string, scanners: readonly SecretScanner[]): CleanText {
  const found = SecretScanner.spansIn(text, scanners);
  if (found.length === 0) return text as CleanText;
  let shown = '';
  let done = 0;
  for (const { start, end } of found.toSorted((a, b) => a.start - b.start)) {
    if (start >= done) shown += text.slice(done, start) + HIDDEN;
    done = Math.max(done, end);
  }
  return (shown + text.slice(done)) as CleanText;
}

export interface RequestRedactors {
  /** Knows the request's own secrets and all others. */
  readonly whole: Redactor;
  /** Without the conversation's secret-like words and sealed reasoning. */
  readonly withoutBody: Redactor;
}

/** Removes a request's secrets from texts. Searches for nothing before the first text. */
export function redactorsOf(request: SecretBearer, known: Redactor): RequestRedactors {
  let ofPlace: readonly string[] | undefined;
  let ofBody: readonly string[] | undefined;
  const withoutBody = known.and(() => (ofPlace ??= known.searches.secretsOfPlace(request)));
  return { withoutBody, whole: withoutBody.and(() => (ofBody ??= secretsOfBody(request.body))) };
}
