import { redactBody, redactHeaders } from '../../observe/redact.js';
import { isRecord } from '../../util/guards.js';
import { HIDDEN } from './edits.js';
import { isStandIn } from './sealed.js';

/**
 * Returns an answer's headers without credentials. Values are replaced whole, because `…` cannot be sent in a header
 * again.
 */
export function redactAnswerHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const redacted = Object.entries(redactHeaders(headers));
  return Object.fromEntries(redacted.map(([name, value]) => [name, value.startsWith('…') ? HIDDEN : value]));
}

/** Returns a request's body without credentials and sealed reasoning; made-up names of sealed values remain. */
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
