import { HIDDEN, redactUrl } from './redact-url.js';
import { isSecretMember, isUrl, secretsOfUrl } from './secrets-of.js';
import { isTellingHeader } from './telling-names.js';

export { redactUrl } from './redact-url.js';
export { type SecretBearer, secretsOf } from './secrets-of.js';

/** What stands in place of a key for local servers and in tests: no secret, and it would tear every text apart. */
const NO_SECRET =
  /^(?:.{0,3}|dummy|empty|fake|key|llama|local|none|no-?key|ollama|openai|secret|test|testing|token|unused|vllm)$/i;

/** Header values that open doors are cut to their last four characters. */
export function redactHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isTellingHeader(name) ? lastFour(value) : withoutUrl(value)]),
  );
}

/** A copy of a JSON value without sealed reasoning and without fields that hold credentials. */
export function redactBody(value: unknown): unknown {
  return withoutCredentials(value);
}

function withoutCredentials(value: unknown, holder?: string): unknown {
  if (typeof value === 'string') return withoutUrl(value);
  if (Array.isArray(value)) return value.map((entry) => withoutCredentials(entry));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      isSecretMember(name, member, holder) ? HIDDEN : withoutCredentials(member, name),
    ]),
  );
}

/** A URL that needs no change stays as it was written. */
function withoutUrl(text: string): string {
  return isUrl(text) && secretsOfUrl(text).length > 0 ? redactUrl(text) : text;
}

/** Takes given secrets out of a text, wherever they stand in it; the longest first, since one may hold another. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  return withoutSecrets(secrets)(text);
}

/** Takes given secrets out of all texts of a JSON value; what holds none is given back as it is. */
export function redactSecretsIn<T>(value: T, secrets: readonly string[]): T {
  // A JSON value of the same shape.
  return secrets.length === 0 ? value : (mapTexts(value, withoutSecrets(secrets)) as T);
}

function withoutSecrets(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(secrets.filter((secret) => !NO_SECRET.test(secret)).flatMap(formsOf));
  const sorted = [...forms].toSorted((a, b) => b.length - a.length);
  return (text) => sorted.reduce((rest, form) => rest.split(form).join(HIDDEN), text);
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  const members: readonly (readonly [string, unknown])[] = Object.entries(value);
  const changed = members.map(([name, member]): [string, unknown] => [name, mapTexts(member, change)]);
  if (changed.every(([, member], index) => member === members[index]?.[1])) return value;
  return Array.isArray(value) ? changed.map(([, member]) => member) : Object.fromEntries(changed);
}

/** A secret as it looks in a text, in a URL, in JSON, and in JSON within JSON. */
function formsOf(secret: string): string[] {
  if (/^[\w.~-]*$/.test(secret)) return [secret];
  const inJson = JSON.stringify(secret).slice(1, -1);
  const forms = [secret, inJson, JSON.stringify(inJson).slice(1, -1)];
  forms.push(new URLSearchParams([['', secret]]).toString().slice(1));
  try {
    forms.push(encodeURIComponent(secret), encodeURI(secret));
  } catch {
    // Half a surrogate pair has no place in a URL.
  }
  return forms;
}

/** Enough to tell one from another, too little to use it. */
export function lastFour(value: string): string {
  return value.length > 8 ? `…${value.slice(-4)}` : HIDDEN;
}
