import { HIDDEN, redactUrl } from './redact-url.js';
import { isSecretMember, isUrl, secretsOfUrl } from './secrets-of.js';
import { isTellingHeader } from './secret-names.js';

export { redactUrl } from './redact-url.js';
export { Redactor } from './redactor.js';
export { SecretScanner } from './secret-scanner.js';
export { isHarmlessHeader, type SecretBearer, secretsOf, secretsOfAnswer } from './secrets-of.js';

/** Header values that open doors are cut to their last four characters. */
export function redactHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isTellingHeader(name) ? lastFour(value) : withoutUrl(value)]),
  );
}

/** A copy of a JSON value without sealed reasoning and without fields that hold credentials; `holder`: the name it has. */
export function redactBody(value: unknown, holder?: string): unknown {
  if (typeof value === 'string') return withoutUrl(value);
  if (Array.isArray(value)) return value.map((entry) => redactBody(entry));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      isSecretMember(name, member, holder) ? HIDDEN : redactBody(member, name),
    ]),
  );
}

/** A URL that needs no change stays as it was written. */
function withoutUrl(text: string): string {
  return isUrl(text) && secretsOfUrl(text).length > 0 ? redactUrl(text) : text;
}

/** Enough to distinguish secrets, too little to use one. */
export function lastFour(value: string): string {
  return value.length > 8 ? `…${value.slice(-4)}` : HIDDEN;
}
