/** What opens doors; `…-tokens` only counts, and `www-authenticate` says what is wanted. */
const SECRET_HEADER = /^(?!www-authenticate$).*(?:auth|cookie|token(?!s)|secret|password|key$)/i;
const SECRET_FIELD =
  /^(?:encrypted_content|authorization|cookie|password|.*secret|(?:.*[-_])?token|(?:.*[-_])?api[-_]?key)$/i;
const SECRET_QUERY = /^(?:key|api-?key|.*[-_]key|auth|code|password|sig|.*signature|.*secret|(?:.*[-_])?token)$/i;
const HIDDEN = '[redacted]';

/** Header values that open doors are cut to their last four characters. */
export function redactHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, SECRET_HEADER.test(name) ? lastFour(value) : value]),
  );
}

/** The URL without user info and without values of telling query parameters. */
export function redactUrl(url: string): string {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return url.replace(/\/\/[^/@]*@/, '//');
  }
  parsed.username = '';
  parsed.password = '';
  for (const name of [...parsed.searchParams.keys()]) {
    if (SECRET_QUERY.test(name)) parsed.searchParams.set(name, HIDDEN);
  }
  return parsed.toString();
}

/** A copy of a JSON value without sealed reasoning and without fields that hold credentials. */
export function redactBody(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redactBody);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, isSecret(key, member) ? HIDDEN : redactBody(member)]),
  );
}

/** Takes given secrets out of a text, wherever they stand in it; the longest first, since one may hold another. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, secret) => (secret.length < 4 ? rest : rest.split(secret).join(HIDDEN)), text);
}

/** What a request carries that a server might repeat in its answer. */
export interface SecretBearer {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Keys and tokens of its headers and its URL, sealed reasoning and credentials of its body. */
export function secretsOf({ url, headers, body }: SecretBearer): string[] {
  const named = [
    ...Object.entries(headers).filter(([name]) => SECRET_HEADER.test(name)),
    ...[...new URL(url).searchParams].filter(([name]) => SECRET_QUERY.test(name)),
  ];
  // `Bearer …`: the scheme is no secret, what follows it is one by itself.
  return [...named.flatMap(([, value]) => [value, ...value.split(' ').slice(1)]), ...secretsIn(body)];
}

function secretsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(secretsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => (isSecret(key, member) ? [member] : secretsIn(member)));
}

function isSecret(key: string, member: unknown): member is string {
  return SECRET_FIELD.test(key) && typeof member === 'string' && member !== '';
}

/** Enough to tell one from another, too little to use it. */
export function lastFour(value: string): string {
  return value.length > 8 ? `…${value.slice(-4)}` : HIDDEN;
}
