import { clean, type CleanText, ownWords, withoutStop } from '../core/clean-text.js';
import { ApiError } from '../errors/api-error.js';
import { environmentKey } from '../settings/environment-key.js';
import type { Environment } from '../settings/environment.js';
import type { ModelSettings } from '../settings/model-settings.js';
import type { ResponsesProviderSettings } from '../settings/settings.js';
import type { CallKeys } from './call-keys.js';

export interface HintFacts {
  readonly settings: ResponsesProviderSettings;
  /** The variables when the provider was created. */
  readonly environment: Environment;
  readonly keys: Pick<CallKeys, 'refused'>;
}

/** Returns the failure with what to do about it, as sentences behind its message. */
export function withHints(error: ApiError, facts: HintFacts, model: ModelSettings): ApiError {
  const { refused } = facts.keys;
  let { message } = error.facts;
  if (error.mayFailOver && refused > 1) message = clean`${withoutStop(message)}. The server refused ${refused} keys.`;
  // An error that is not retryable concerns the setting `fetch`, as its message states.
  const isUnreachable = error.code === 'connection-failed' && error.isRetryable;
  const hint = isUnreachable ? connection(error) : answer(error, facts, model);
  if (hint !== undefined) message = clean`${withoutStop(message)}. ${hint}`;
  return message === error.facts.message ? error : new ApiError({ ...error.facts, message });
}

/** OpenSSL's words for a certificate whose signer Node does not know. */
const UNKNOWN_SIGNER = /self.signed|issuer certificate|first certificate/;
/** Node's codes for a port without a server. */
const REFUSED_AT = /ECONNREFUSED (\S{1,64}:(\d{1,5}))/;

function connection({ message, url }: ApiError): CleanText {
  if (UNKNOWN_SIGNER.test(message))
    return clean`If a proxy or your company signed the certificate, set NODE_EXTRA_CA_CERTS.`;
  const [, address, port = ''] = REFUSED_AT.exec(message) ?? [];
  const own = new URL(url).port;
  return address === undefined || (own === '' ? ['443', '80'] : [own]).includes(port)
    ? clean`Check that the server runs and that baseURL is right.`
    : ownWords(`${address} is not the server: check your proxy.`);
}

function answer(
  { statusCode }: ApiError,
  { settings, environment }: HintFacts,
  { endpoint: { profile, reasons, url } }: ModelSettings,
): CleanText | undefined {
  if (statusCode === 404 && profile.name === 'google')
    return clean`Google documents no Responses API at this host: use a relay that provides one.`;
  if (statusCode === 404) return ownWords(`URL built from baseURL: ${reasons.join(' ')}`);
  const isWithheld =
    settings.apiKey === undefined &&
    settings.auth === undefined &&
    environment.apiKey !== undefined &&
    environmentKey(settings, environment, url) === undefined;
  // Users set the variable and another `baseURL`, and wonder why the key is not sent.
  return statusCode === 401 && isWithheld
    ? clean`OPENAI_API_KEY was not sent, because baseURL points to a different server: if the key belongs to that server, pass it as apiKey.`
    : undefined;
}
