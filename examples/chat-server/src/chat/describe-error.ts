import { StoreError } from '../store/store-error.js';

/** What a person is shown of an error. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** A sentence of a server may be a whole page, and that of a check everything that was checked. */
const MAX_CHARS = 400;
/** No more is searched: the patterns take the square of the time for a text that was made for it. */
const MAX_SEARCHED = 4_000;
/** Where a request went is no business of who chats. */
const ADDRESSES: readonly (readonly [RegExp, string])[] = [
  [/ \[https?:\/\/[^\]]*\]/g, ''],
  [/https?:\/\/[^\s\])]*\/responses\b[^\s\]):]*/g, 'the server of the model'],
];
/** What looks like a credential, wherever it comes from. */
const SECRETS = [/\bBearer\s+[\w.~+/=-]{8,}/gi, /\b(sk|pk|ghp|gho|glpat|xox[abp])[-_][\w-]{8,}/g];

/** Without stacks, headers and keys: of an error only its own sentence is shown. */
export function describeError(error: unknown, secrets: readonly string[] = []): Failure {
  if (error instanceof StoreError) return { code: 'store_failed', message: error.message };
  const cause = causeOf(error);
  const { code, statusCode } = asRecord(cause);
  const status = typeof statusCode === 'number' ? `http_${statusCode}` : 'model_error';
  return { code: typeof code === 'string' ? code : status, message: withoutSecrets(messageOf(error), secrets) };
}

export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const known = secrets
    .filter((secret) => secret.length >= 4)
    .reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
  const searched = withoutAddresses(known.slice(0, MAX_SEARCHED));
  const shown = SECRETS.reduce((rest, pattern) => rest.replace(pattern, '…'), searched);
  return shown.length > MAX_CHARS ? `${shown.slice(0, MAX_CHARS)}…` : shown;
}

function withoutAddresses(text: string): string {
  return ADDRESSES.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), text);
}

/** The SDK's error about spent retries holds the last one. */
function causeOf(error: unknown): unknown {
  return asRecord(error)['lastError'] ?? error;
}

function messageOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const { message } = asRecord(error);
  const [line = ''] = typeof message === 'string' ? message.trim().split('\n') : [];
  return line === '' ? 'The model failed without saying why.' : line;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
