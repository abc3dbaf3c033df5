import { ApiError } from '../errors/api-error.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { redactSecrets } from './redact.js';

/** The same error, or one like it where a secret was to be seen in it: servers and platforms repeat what they were sent. */
export function redactError(error: Error, secrets: readonly string[]): Error {
  const clean = (text: string): string => redactSecrets(text, secrets);
  if (clean(everythingIn(error)) === everythingIn(error)) return error;
  const cause = error.cause instanceof Error ? redactError(error.cause, secrets) : undefined;
  const message = clean(error.message);
  if (!ApiError.isInstance(error)) {
    if (ResponsesLoopError.isInstance(error)) return new ResponsesLoopError({ code: error.code, message, cause });
    return new Error(message, cause === undefined ? undefined : { cause });
  }
  const { responseBody, serverCode, responseHeaders, ...facts } = error.facts;
  return new ApiError({
    ...facts,
    message,
    ...(responseBody === undefined ? {} : { responseBody: clean(responseBody) }),
    ...(serverCode === undefined ? {} : { serverCode: clean(serverCode) }),
    ...(responseHeaders === undefined ? {} : { responseHeaders: mapValues(responseHeaders, clean) }),
    cause,
  });
}

/** All that somebody who prints an error gets to see of the outside. */
function everythingIn(error: Error): string {
  const cause = error.cause instanceof Error ? everythingIn(error.cause) : String(error.cause);
  const body = ApiError.isInstance(error)
    ? `${error.responseBody ?? ''} ${error.serverCode ?? ''} ${Object.values(error.responseHeaders ?? {}).join(' ')}`
    : '';
  return `${error.message} ${error.stack ?? ''} ${body} ${cause}`;
}

function mapValues(
  headers: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value)]));
}
