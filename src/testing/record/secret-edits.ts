import { type Edit, replaceAll } from './edits.js';

const HIDDEN = '[redacted]';

/** Hides texts in a body, read byte by byte (`latin1`), wherever they stand and however they are written. */
export function secretEdits(text: string, secrets: readonly string[], replacement = HIDDEN): Edit[] {
  return secrets.flatMap((secret) => formsOf(secret).flatMap((form) => replaceAll(text, form, replacement)));
}

/** How deep JSON texts stand in JSON texts: an error that quotes an error that quotes the request has three. */
const MAX_DEPTH = 4;

/** As it is, in JSON of any depth, with slashes escaped as PHP does, and in a URL. */
function formsOf(secret: string): string[] {
  const forms = [secret];
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) forms.push(JSON.stringify(forms.at(-1)).slice(1, -1));
  const inUrl = new URLSearchParams([['', secret]]).toString().slice(1);
  forms.push(...forms.map((form) => form.replaceAll('/', '\\/')), inUrl, inUrl.replaceAll('+', '%20'));
  return [...new Set(forms.map((form) => Buffer.from(form).toString('latin1')))];
}
