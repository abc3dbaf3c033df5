import { SecretScanner } from '../../observe/redact.js';
import { applyEdits, type Edit } from './edits.js';

export const HIDDEN = '[redacted]';

/** Finds secrets in bodies that are read byte by byte (`latin1`), where what is no ASCII is as many characters as bytes. */
export function scannerOf(secrets: readonly string[], options?: { readonly wholeOnly: boolean }): SecretScanner {
  return new SecretScanner([...new Set(secrets.flatMap((secret) => [secret, asBytes(secret)]))], options);
}

/** Hides texts in a body, wherever they stand and however they are written. */
export function secretEdits(body: string, scanner: SecretScanner, replacement = HIDDEN): Edit[] {
  return scanner.spansIn(body).map((span): Edit => ({ ...span, text: replacement }));
}

/** A text without secrets. */
export function withoutSecrets(text: string, scanner: SecretScanner): string {
  const body = asBytes(text);
  return Buffer.from(applyEdits(body, secretEdits(body, scanner), []).text, 'latin1').toString();
}

function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}
