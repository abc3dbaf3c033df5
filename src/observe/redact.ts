import { isSecretMember, isUrl, secretsOfUrl } from './secrets-of.js';
import { isTellingHeader, isTellingParameter } from './telling-names.js';

export { type SecretBearer, secretsOf } from './secrets-of.js';

const HIDDEN = '[redacted]';
/** Keys of local servers such as "x" are no secrets, and would tear every text apart. */
const MIN_SECRET_CHARS = 4;

/** Header values that open doors are cut to their last four characters. */
export function redactHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isTellingHeader(name) ? lastFour(value) : withoutUrl(value)]),
  );
}

/** The URL without user info and without values of telling query parameters. */
export function redactUrl(url: string): string {
  if (!URL.canParse(url)) return redactPair(withoutUserInfo(url));
  const parsed = new URL(url);
  parsed.username = '';
  parsed.password = '';
  for (const name of new Set(parsed.searchParams.keys())) {
    if (isTellingParameter(name)) parsed.searchParams.set(name, HIDDEN);
  }
  parsed.hash = redactPair(parsed.hash);
  return parsed.toString();
}

/** Everything up to the last `@` may be a password, whatever stands in it. */
function withoutUserInfo(text: string): string {
  const start = /^(?:https?:[\\/]*|[a-z][a-z\d+.-]*:[\\/]{2}|[^:@]*?[\\/]{2})?/i.exec(text)?.[0] ?? '';
  const at = text.lastIndexOf('@');
  return at < start.length ? text : start + text.slice(at + 1);
}

/** `name=value` behind `?`, `&` or `#`, in texts that no parser takes apart. */
function redactPair(text: string): string {
  return text.replaceAll(/([?&#])([^=&#?]+)=[^&#]+/g, (pair, before: string, name: string) =>
    isTellingParameter(name) ? `${before}${name}=${HIDDEN}` : pair,
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
  const forms = new Set(secrets.filter((secret) => secret.length >= MIN_SECRET_CHARS).flatMap(formsOf));
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
