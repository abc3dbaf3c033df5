import { lazy } from '../util/lazy.js';
import { HIDDEN } from './redact-url.js';
import { SecretScanner, type Span } from './secret-scanner.js';

/** What stands in place of a key for local servers and in tests: no secret, and it would tear every text apart. */
const NO_SECRET =
  /^(?:.{0,3}|dummy|empty|fake|key|llama|local|none|no-?key|ollama|openai|secret|test|testing|token|unused|vllm)$/i;

/** Keys of local servers are words that URLs and conversations have too. */
const MIN_LONG_CHARS = 8;

/** All secrets, or those that are too long to be a word by chance. */
type Which = 'all' | 'long';

/** Gives the same array as long as nothing has changed: what is made of it is kept until then. */
export type SecretSource = () => readonly string[];

/** So many searches are kept: keys take turns. */
const KEPT = 16;
/** Longer lists hold sealed reasoning, which is another one in every round. */
const MAX_KEPT_CHARS = 4_000;

/** The last searches, by what they look for: most requests carry the same secrets as the ones before. */
class Searches {
  #made: { readonly secrets: readonly string[]; readonly which: Which; readonly scanner: SecretScanner }[] = [];

  for(secrets: readonly string[], which: Which): SecretScanner {
    const before = this.#made.find(
      (made) => made.which === which && (made.secrets === secrets || haveSame(made.secrets, secrets)),
    );
    if (before !== undefined) return before.scanner;
    const scanner = new SecretScanner(searched(secrets, which));
    const chars = secrets.reduce((sum, secret) => sum + secret.length, 0);
    if (chars <= MAX_KEPT_CHARS) this.#made = [{ secrets, which, scanner }, ...this.#made.slice(0, KEPT - 1)];
    return scanner;
  }
}

function haveSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((secret, at) => secret === b[at]);
}

/**
 * Takes secrets out of texts and JSON values. They are asked for when the first text comes, and looked for all at once.
 *
 * @example
 * const redactor = Redactor.of(() => pool.secrets());
 * redactor.text('Incorrect API key: sk-1234567890'); // 'Incorrect API key: [redacted]'
 */
export class Redactor {
  /** Knows no secrets. */
  static readonly NONE = Redactor.of();

  readonly #sources: readonly Source[];
  readonly #which: Which;
  readonly #searches: Searches;
  #long: Redactor | undefined;

  private constructor(sources: readonly Source[], which: Which, searches: Searches) {
    this.#sources = sources;
    this.#which = which;
    this.#searches = searches;
  }

  static of(...sources: readonly SecretSource[]): Redactor {
    return new Redactor([], 'all', new Searches()).and(...sources);
  }

  /** The same for all that were made of one another. */
  get family(): object {
    return this.#searches;
  }

  /** One that knows more. What this one has made of its own sources is used by both. */
  and(...sources: readonly SecretSource[]): Redactor {
    const added = sources.map((list) => new Source(list, this.#searches));
    return new Redactor([...this.#sources, ...added], this.#which, this.#searches);
  }

  /** Looks only for what is too long to be a word by chance: for URLs, requests and other texts of our own side. */
  get long(): Redactor {
    this.#long ??= this.#which === 'long' ? this : new Redactor(this.#sources, 'long', this.#searches);
    return this.#long;
  }

  /** The text without secrets; the same one if it holds none. */
  text(text: string): string {
    return replaced(text, this.#scanners());
  }

  /** A JSON value of the same shape, names of members included; the same one if it holds no secret. */
  value<T>(value: T): T {
    // Not asked for where there is no text.
    const scanners = lazy(() => this.#scanners());
    // A JSON value of the same shape.
    return mapTexts(value, (text) => replaced(text, scanners())) as T;
  }

  #scanners(): SecretScanner[] {
    return this.#sources.flatMap((source) => source.scanner(this.#which) ?? []);
  }
}

/** The secrets of one place, and the search for them: made when first wanted, and anew when they have changed. */
class Source {
  readonly #list: SecretSource;
  readonly #searches: Searches;
  #known: readonly string[] = [];
  #scanners: Partial<Record<Which, SecretScanner>> = {};

  constructor(list: SecretSource, searches: Searches) {
    this.#list = list;
    this.#searches = searches;
  }

  scanner(which: Which): SecretScanner | undefined {
    const secrets = this.#list();
    if (secrets !== this.#known) this.#scanners = {};
    this.#known = secrets;
    return secrets.length === 0 ? undefined : (this.#scanners[which] ??= this.#searches.for(secrets, which));
  }
}

function searched(secrets: readonly string[], which: Which): readonly string[] {
  const shortest = which === 'long' ? MIN_LONG_CHARS : 0;
  // What hides them would be hidden itself, again and again.
  return secrets.filter(
    (secret) => secret.length >= shortest && !NO_SECRET.test(secret) && !HIDDEN.includes(secret.toLowerCase()),
  );
}

function replaced(text: string, scanners: readonly SecretScanner[]): string {
  const spans = merged(scanners.flatMap((scanner) => scanner.spansIn(text)));
  if (spans.length === 0) return text;
  const pieces = spans.map(({ start }, at) => text.slice(spans[at - 1]?.end ?? 0, start));
  return `${pieces.join(HIDDEN)}${HIDDEN}${text.slice(spans.at(-1)?.end)}`;
}

/** Of secrets that overlap nothing is left: one may hold another. */
function merged(spans: readonly Span[]): readonly Span[] {
  if (spans.length < 2) return spans;
  const result: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last === undefined || span.start >= last.end) result.push(span);
    else if (span.end > last.end) result[result.length - 1] = { start: last.start, end: span.end };
  }
  return result;
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return mapEntries(value, change);
  const members: readonly (readonly [string, unknown])[] = Object.entries(value);
  const changed = members.map(([name, member]): [string, unknown] => [change(name), mapTexts(member, change)]);
  const isSame = changed.every(([name, member], at) => name === members[at]?.[0] && member === members[at][1]);
  return isSame ? value : Object.fromEntries(changed);
}

function mapEntries(entries: readonly unknown[], change: (text: string) => string): unknown {
  const changed = entries.map((entry) => mapTexts(entry, change));
  return changed.every((entry, at) => entry === entries[at]) ? entries : changed;
}
