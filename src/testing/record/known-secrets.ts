import { keysIn } from './key-formats.js';
import type { SecretScanner } from '../../observe/redact.js';
import { HIDDEN, scannerOf } from './secret-edits.js';
import { isStandIn } from './stand-ins.js';

/** Shorter ones (`test`, `ollama`) are words that every text has, and open no door. */
const MIN_CHARS = 8;
/** What somebody names is meant, unless it is no more than a syllable. */
const MIN_NAMED_CHARS = 4;

/** Texts that must not be kept: those that were named, and those that were found on the way. */
export class KnownSecrets {
  readonly #all = new Set<string>();
  #scanner: SecretScanner | undefined;

  constructor(named: readonly string[]) {
    for (const secret of named) if (secret.length >= MIN_NAMED_CHARS) this.#add(secret);
  }

  get size(): number {
    return this.#all.size;
  }

  learn(found: readonly string[]): void {
    for (const secret of found.flatMap((one) => [one, decoded(one), ...userInfo(one)])) {
      if (secret.length >= MIN_CHARS && !isStandIn(secret)) this.#add(secret);
    }
  }

  /** Finds what looks like a key, whatever it is called and wherever it stands. */
  learnFrom(value: unknown): void {
    if (typeof value === 'string') this.learn(keysIn(value));
    else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        this.learnFrom(name);
        this.learnFrom(member);
      }
    }
  }

  /** Finds all of them at once. */
  scanner(): SecretScanner {
    return (this.#scanner ??= scannerOf([...this.#all]));
  }

  #add(secret: string): void {
    // What hides them would be hidden itself, again and again.
    if (HIDDEN.includes(secret) || this.#all.has(secret)) return;
    this.#all.add(secret);
    this.#scanner = undefined;
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

/** `Basic …`: user and password, and the password alone. */
function userInfo(header: string): string[] {
  const [, sealed] = /^Basic\s+(\S+)$/i.exec(header) ?? [];
  if (sealed === undefined) return [];
  const text = Buffer.from(sealed, 'base64').toString();
  return [text, text.slice(text.indexOf(':') + 1)];
}
