import { isStandIn } from './stand-ins.js';

/** Shorter ones (`test`, `ollama`) are words that every text has, and open no door. */
const MIN_CHARS = 8;
/** What somebody names is meant, unless it is no more than a syllable. */
const MIN_NAMED_CHARS = 4;
/** Keys that mean something; `lm-studio` is one too, and a word that its models say. */
const MIN_REAL_CHARS = 16;

/** Texts that must not be kept: those that were named, and those that were found on the way. */
export class KnownSecrets {
  readonly #all: Set<string>;

  constructor(named: readonly string[]) {
    this.#all = new Set(named.filter((secret) => secret.length >= MIN_NAMED_CHARS));
  }

  learn(found: readonly string[]): void {
    for (const secret of found.flatMap((one) => [one, decoded(one)])) {
      if (secret.length >= MIN_CHARS && !isStandIn(secret)) this.#all.add(secret);
    }
  }

  list(): string[] {
    return [...this.#all];
  }

  /** Whether a text holds one that is too long to be there by chance. */
  isSaidIn(text: string): boolean {
    return this.list().some((secret) => secret.length >= MIN_REAL_CHARS && text.includes(secret));
  }
}

/** Cookies and keys in URLs are sent encoded, and repeated as they are meant. */
function decoded(secret: string): string {
  try {
    return decodeURIComponent(secret);
  } catch {
    return secret;
  }
}
