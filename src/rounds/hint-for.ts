import type { ApiError } from '../errors/api-error.js';
import type { Endpoint } from '../request/endpoint.js';
import { environmentKey } from '../settings/environment-key.js';
import type { Environment } from '../settings/environment.js';
import type { ResponsesProviderSettings } from '../settings/settings.js';

export interface HintOptions {
  readonly settings: ResponsesProviderSettings;
  readonly environment: Environment;
  readonly endpoint: Endpoint;
}

/** What may help against an error of a server. */
export function hintFor(
  { statusCode }: ApiError,
  { settings, environment, endpoint }: HintOptions,
): string | undefined {
  if (statusCode === 404 && endpoint.profile.name === 'google')
    return 'Google documents no Responses API at this host: a relay that offers one is needed.';
  if (statusCode === 404) return `How the URL came about: ${endpoint.reasons.join(' ')}`;
  const { apiKey, auth } = settings;
  const isWithheld =
    apiKey === undefined &&
    auth === undefined &&
    environment.apiKey !== undefined &&
    environmentKey(settings, environment, endpoint.url) === undefined;
  // People set the variable, point `baseURL` elsewhere, and wonder why their key does not arrive.
  return statusCode === 401 && isWithheld
    ? 'OPENAI_API_KEY was not sent, since baseURL points elsewhere: pass it as apiKey if it belongs to this server.'
    : undefined;
}
