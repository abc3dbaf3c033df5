import { applyEdits, type Edit } from './edits.js';
import { spansOf } from './spellings.js';

export const HIDDEN = '[redacted]';

/** Hides texts in a body, read byte by byte (`latin1`), wherever they stand and however they are written. */
export function secretEdits(body: string, secrets: readonly string[], replacement = HIDDEN): Edit[] {
  return secrets.flatMap((secret) => spansOf(body, secret).map((span): Edit => ({ ...span, text: replacement })));
}

/** A text without secrets. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const body = Buffer.from(text).toString('latin1');
  return Buffer.from(applyEdits(body, secretEdits(body, secrets), []).text, 'latin1').toString();
}
