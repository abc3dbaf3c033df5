import type { SecretScanner } from '../../observe/redact.js';
import { HIDDEN, scannerOf } from './edits.js';
import { isStandIn } from './sealed.js';

/** The formats of keys of well-known services, so that a pasted key is found too. */
const FORMATS = new RegExp(
  [
    String.raw`\b(?:sk|rk|pk)[-_](?=[\w-]*\d)[\w-]{20,}`, // OpenAI, Anthropic, OpenRouter, Stripe
    String.raw`\b(?:xai|gsk|hf|npm|r8|pplx|nvapi|tvly|glpat|github_pat)[-_](?=\w*\d)[\w-]{20,}`,
    String.raw`\bgh[oprsu]_\w{30,}`,
    String.raw`\bA(?:KIA|SIA)[A-Z\d]{16}\b`,
    String.raw`\bAIza[\w-]{35}`,
    String.raw`\bya29\.[\w-]{20,}`,
    String.raw`\bxox[abeoprs]-[\w-]{10,}`,
    String.raw`\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]+`, // JSON web tokens
    String.raw`-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`,
  ].join('|'),
  'g',
);

/** Schemes of `authorization`, under any header name. */
const SCHEME = /^(?:basic|bearer|token)\s+\S{8,}$/i;

/** Returns the parts of a text that look like keys. */
export function keysIn(text: string): string[] {
  return text.match(FORMATS) ?? [];
}

/** Returns whether a header value looks like a key. */
export function isKeyHeader(value: string): boolean {
  return SCHEME.test(value) || keysIn(value).length > 0;
}

/** Shorter values (`test`, `ollama`) are common words and protect nothing. */
const MIN_CHARS = 8;
/** A user who names a secret means it, unless it is only a syllable. */
const MIN_NAMED_CHARS = 4;

/** The secrets to remove: named by the user, or found in the conversation. */
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

  /** Finds what looks like a key, in any member. */
  learnFrom(value: unknown): void {
    if (typeof value === 'string') this.learn(keysIn(value));
    else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        this.learnFrom(name);
        this.learnFrom(member);
      }
    }
  }

  /** Returns a scanner for all of them. */
  scanner(): SecretScanner {
    return (this.#scanner ??= scannerOf([...this.#all]));
  }

  #add(secret: string): void {
    // A replacement that counted as a secret would be replaced again and again.
    if (HIDDEN.includes(secret) || this.#all.has(secret)) return;
    this.#all.add(secret);
    this.#scanner = undefined;
  }
}

/** Cookies and keys in URLs are sent encoded and may be repeated decoded. */
function decoded(secret: string): string {
  try {
    return decodeURIComponent(secret);
  } catch {
    return secret;
  }
}

/** Returns user and password of `Basic …`, and the password alone. */
function userInfo(header: string): string[] {
  const [, sealed] = /^Basic\s+(\S+)$/i.exec(header) ?? [];
  if (sealed === undefined) return [];
  const text = Buffer.from(sealed, 'base64').toString();
  return [text, text.slice(text.indexOf(':') + 1)];
}
