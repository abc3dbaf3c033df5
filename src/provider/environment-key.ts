import type { ApiError } from '../errors/api-error.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { redactUrl } from '../observe/redact.js';
import { buildHeaders } from '../request/build-headers.js';
import type { PickedKey } from '../request/key-pool.js';
import { readEnvironment } from './environment.js';
import type { ModelSettings } from './model-settings.js';
import type { HeaderSetting } from './request-draft.js';
import type { ResponsesProviderSettings } from './settings.js';

const AUTH_HEADERS: ReadonlySet<string> = new Set(['authorization', 'api-key', 'x-api-key', 'x-goog-api-key']);

/** The key of the environment, for OpenAI or for where the environment sends requests: never for a URL of the settings. */
export function environmentKey(settings: ResponsesProviderSettings, url: string): string | undefined {
  const { apiKey, baseURL } = readEnvironment();
  const isFromSettings = settings.baseURL !== undefined || settings.resourceName !== undefined;
  return isOpenAi(url) || (!isFromSettings && baseURL !== undefined) ? apiKey : undefined;
}

/** People set the variable, point `baseURL` elsewhere, and wonder why their key does not arrive. */
export function withheldKeyHint(error: ApiError, settings: ResponsesProviderSettings, url: string): string | undefined {
  const { apiKey, auth } = settings;
  const isWithheld = apiKey === undefined && auth === undefined && readEnvironment().apiKey !== undefined;
  if (error.statusCode !== 401 || !isWithheld || environmentKey(settings, url) !== undefined) return undefined;
  return 'OPENAI_API_KEY was not sent, since baseURL points elsewhere: pass it as apiKey if it belongs to this server.';
}

export interface KeyCheck {
  readonly settings: ResponsesProviderSettings;
  readonly model: ModelSettings;
  /** Of the call. */
  readonly headers: HeaderSetting;
  readonly key: PickedKey;
}

/** Refused before anything is sent: the back end wants a key, and nothing in headers or URL can be one. */
export function checkKey({ settings, model, headers, key }: KeyCheck): void {
  const { url, profile } = model.endpoint;
  const auth = settings.auth ?? profile.auth;
  if (!profile.requiresKey || auth === 'none' || typeof auth === 'function') return;
  if (settings.transformRequest !== undefined || /[?&](key|api-key|api_key)=/i.test(url)) return;
  const layers = [...model.headers, headers];
  const plain = layers.filter((layer) => typeof layer !== 'function');
  // Whatever a function gives may be one.
  if (plain.length < layers.length) return;
  if (Object.keys(buildHeaders(auth, key.key, plain)).some((name) => AUTH_HEADERS.has(name))) return;
  throw new ResponsesLoopError({
    code: 'missing-api-key',
    message: `${redactUrl(url)} needs an API key: pass apiKey${isOpenAi(url) ? ', or set OPENAI_API_KEY' : ''}.`,
  });
}

function isOpenAi(url: string): boolean {
  return new URL(url).hostname === 'api.openai.com';
}
