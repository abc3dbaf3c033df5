import { ApiError, type ErrorCode, ResponsesLoopError } from 'responses-loop';

/** What to try, by what went wrong. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  'missing-api-key': 'Pass --api-key, or leave all options out to try the demo without a key.',
  'connection-failed':
    'Start the server, or check the network and the host and port in --base-url, such as http://localhost:8080/v1.',
  'not-a-responses-api': 'Check the path in --base-url (most end in /v1), and that the server offers POST /responses.',
  timeout: 'Try again, or ask a smaller model.',
};

const BY_STATUS: Readonly<Record<number, string>> = {
  401: 'Check the key: --api-key, or OPENAI_API_KEY for OpenAI.',
  403: 'The key is known but may not do this: check its rights, and --model.',
  404: 'Check --base-url and --model; a server that only knows /chat/completions cannot be used.',
  429: 'Wait a little, or check the quota of the key.',
};

/** An error in words for people: what happened, where, and what to try. No stack trace. */
export function explainError(error: unknown): string {
  if (!ResponsesLoopError.isInstance(error)) return error instanceof Error ? error.message : String(error);
  const status = ApiError.isInstance(error) ? error.statusCode : undefined;
  const advice = ADVICE[error.code] ?? (status === undefined ? undefined : BY_STATUS[status]);
  return advice === undefined ? error.message : `${error.message}\n${advice}`;
}
