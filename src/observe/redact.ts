import { HIDDEN, redactUrl } from './redact-url.js';
import { isRecord } from '../util/guards.js';
import { entryOf, isSecretMember, isToolHeaders, isUrl, secretsOfUrl } from './secrets-of.js';
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

/**
 * A copy of a JSON value without sealed reasoning and without fields that hold credentials; `holder`: the name it has, which
 * the entries of a list share.
 */
export function redactBody(value: unknown, holder?: string): unknown {
  if (typeof value === 'string') return withoutUrl(value);
  if (Array.isArray(value)) return value.map((entry) => redactBody(entry, entryOf(holder)));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, redactMember(name, member, holder)]));
}

function redactMember(name: string, member: unknown, holder: string | undefined): unknown {
  if (isSecretMember(name, member, holder)) return HIDDEN;
  if (!isToolHeaders(name, holder)) return redactBody(member, name);
  const names = isRecord(member) ? Object.keys(member) : [];
  return names.length === 0 ? member : Object.fromEntries(names.map((header) => [header, HIDDEN]));
}

const TELEMETRY_VIEW = Symbol.for('vercel.ai.telemetry.redact');

/**
 * The same JSON, marked for the telemetry of AI SDK 7, which asks a body for the view it may record (`@ai-sdk/provider-utils`
 * 5.0.81). The mark is neither enumerable nor sent.
 */
export function withTelemetryView(body: unknown): unknown {
  if (!isRecord(body)) return body;
  return Object.defineProperty({ ...body }, TELEMETRY_VIEW, { value: redactBody });
}

/** A URL that needs no change stays as it was written. */
function withoutUrl(text: string): string {
  return isUrl(text) && secretsOfUrl(text).length > 0 ? redactUrl(text) : text;
}

/** Enough to distinguish secrets, too little to use one. */
export function lastFour(value: string): string {
  return value.length > 8 ? `…${value.slice(-4)}` : HIDDEN;
}
