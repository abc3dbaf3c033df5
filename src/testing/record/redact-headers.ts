import { redactHeaders } from '../../observe/redact.js';
import { HIDDEN } from './secret-edits.js';

/** Headers of an answer without credentials: hidden whole, since `…` cannot stand in a header that is sent again. */
export function redactAnswerHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const redacted = Object.entries(redactHeaders(headers));
  return Object.fromEntries(redacted.map(([name, value]) => [name, value.startsWith('…') ? HIDDEN : value]));
}
