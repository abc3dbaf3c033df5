import { inFlags } from 'responses-loop-example-shared/model-flags.js';
import { isTooLong } from 'responses-loop-example-shared/too-long.js';
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

/** What the person can do, by the status of the answer. */
const REMEDIES: readonly (readonly [(status: number | undefined) => boolean, string])[] = [
  [
    (status) => status === 401 || status === 403,
    'Check the key you started chat-server with: OPENAI_API_KEY, --api-key-env, or the variable in the --models file.',
  ],
  [(status) => status === 404, 'Check the name of the model and --base-url.'],
  [(status) => status === 429, 'Wait a moment and regenerate, or check the quota of the key.'],
  [(status) => status !== undefined && status >= 500, 'Regenerate. If it fails again, look at the log of the server.'],
];

const TOO_LONG_REMEDY =
  'The chat is too long for the model. Send /compact, then send your message again; if it is long, make it shorter.';

/** Without stacks, headers and keys: of an error its own sentence is shown, and what to do. */
export function describeError(error: unknown, secrets: readonly string[] = []): Failure {
  if (error instanceof StoreError) return { code: 'store_failed', message: error.message };
  const cause = causeOf(error);
  const { code, statusCode } = asRecord(cause);
  const status = typeof statusCode === 'number' ? `http_${statusCode}` : 'model_error';
  const message = withoutSecrets(inFlags(messageOf(error)), secrets);
  const remedy = remedyOf(cause, message);
  return { code: typeof code === 'string' ? code : status, message: remedy === '' ? message : `${message} ${remedy}` };
}

/** Empty if the sentence has one itself. */
function remedyOf(cause: unknown, message: string): string {
  if (isTooLong(cause)) return TOO_LONG_REMEDY;
  const { url, statusCode } = asRecord(cause);
  if (typeof url !== 'string' || message.includes('--base-url')) return '';
  const status = typeof statusCode === 'number' ? statusCode : undefined;
  return REMEDIES.find(([isFor]) => isFor(status))?.[1] ?? '';
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
