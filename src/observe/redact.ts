import { HIDDEN, redactUrl } from './redact-url.js';
import { isRecord } from '../util/guards.js';
import { isSecretMember, secretsOfUrl, TOOL, URL_ALONE } from './secrets-of.js';
import { isTellingField, isTellingHeader, TELLING_FIELDS } from './secret-names.js';

export { redactUrl } from './redact-url.js';
export { Redactor } from './redactor.js';
export { SecretScanner } from './secret-scanner.js';
export { isHarmlessHeader, type SecretBearer, secretsOf, secretsOfAnswer } from './secrets-of.js';

/** Credentials in headers are cut to their last four characters. */
export function redactHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const shown: [string, string][] = [];
  for (const [name, value] of Object.entries(headers))
    shown.push([name, isTellingHeader(name) ? lastFour(value) : URL_ALONE.test(value) ? withoutUrl(value) : value]);
  return Object.fromEntries(shown);
}

/**
 * Returns a copy of a JSON value without sealed reasoning and without credentials. `holder` is the value's name, which
 * the entries of a list share.
 */
export function redactBody(value: unknown, holder?: string): unknown {
  if (typeof value === 'string') return withoutUrl(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => redactBody(entry, holder === 'tools' ? TOOL : undefined));
  const shown: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const isNamed = name === 'headers' || (TELLING_FIELDS.get(name) ?? isTellingField(name));
    const isPlain = typeof member === 'string' ? !URL_ALONE.test(member) : typeof member !== 'object';
    shown.push([name, isPlain && !isNamed ? member : redactMember(name, member, holder)]);
  }
  return Object.fromEntries(shown);
}

function redactMember(name: string, member: unknown, holder: string | undefined): unknown {
  if (isSecretMember(name, member, holder)) return HIDDEN;
  if (name !== 'headers' || holder !== TOOL) return redactBody(member, name);
  const names = isRecord(member) ? Object.keys(member) : [];
  return names.length === 0 ? member : Object.fromEntries(names.map((header) => [header, HIDDEN]));
}

const TELEMETRY_VIEW = Symbol.for('vercel.ai.telemetry.redact');

/**
 * The same JSON, marked for the telemetry of AI SDK 7, which requests a view to record from a body
 * (`@ai-sdk/provider-utils` 5.0.81). The mark is neither enumerable nor sent.
 */
export function withTelemetryView(body: unknown): unknown {
  if (!isRecord(body)) return body;
  return Object.defineProperty({ ...body }, TELEMETRY_VIEW, { value: redactBody });
}

/** A URL that needs no change stays unchanged. */
function withoutUrl(text: string): string {
  return URL_ALONE.test(text) && secretsOfUrl(text).length > 0 ? redactUrl(text) : text;
}

/** Enough to distinguish secrets, too little to use one. */
export function lastFour(value: string): string {
  return value.length > 8 ? `…${value.slice(-4)}` : HIDDEN;
}
