const SECRET_HEADER = /^(authorization|proxy-authorization|api-key|x-api-key|x-goog-api-key|cookie|set-cookie)$|token|secret/i;
const SECRET_FIELD = /^(encrypted_content|api_?key|authorization|password|access_token|refresh_token)$/i;
const SECRET_QUERY = /^(key|api[-_]?key|token|access_token|sig|signature|code|subscription-key)$/i;
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
    Object.entries(value).map(([key, member]) => [
      key,
      SECRET_FIELD.test(key) && typeof member === 'string' && member !== '' ? HIDDEN : redactBody(member),
    ]),
  );
}

/** Takes given secrets out of a text, wherever they stand in it. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => (secret.length < 4 ? rest : rest.split(secret).join(HIDDEN)), text);
}

function lastFour(value: string): string {
  return value.length > 8 ? `…${value.slice(-4)}` : HIDDEN;
}
