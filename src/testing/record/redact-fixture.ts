import { redactBody, redactHeaders } from '../../observe/redact.js';
import { isRecord } from '../../util/guards.js';
import { HIDDEN } from './edits.js';
import { isStandIn } from './sealed.js';

/** Headers of an answer without credentials: hidden whole, since `…` cannot stand in a header that is sent again. */
export function redactAnswerHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const redacted = Object.entries(redactHeaders(headers));
  return Object.fromEntries(redacted.map(([name, value]) => [name, value.startsWith('…') ? HIDDEN : value]));
}

/** A request's body without credentials and sealed reasoning; made-up names of sealed values stay. */
export function redactRequest(body: unknown): unknown {
  return keepStandIns(body, redactBody(body));
}

function keepStandIns(original: unknown, redacted: unknown): unknown {
  if (isStandIn(original)) return original;
  if (Array.isArray(original) && Array.isArray(redacted)) {
    return original.map((member, at) => keepStandIns(member, redacted[at]));
  }
  if (!isRecord(original) || !isRecord(redacted)) return redacted;
  return Object.fromEntries(Object.keys(original).map((key) => [key, keepStandIns(original[key], redacted[key])]));
}
