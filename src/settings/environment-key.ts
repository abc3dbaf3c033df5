import { ownWords } from '../core/clean-text.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { redactUrl } from '../observe/redact-url.js';
import { buildHeaders } from '../request/build-headers.js';
import type { PickedKey } from '../request/key-pool.js';
import { readKeys } from '../request/read-keys.js';
import type { Environment } from './environment.js';
import type { ModelSettings } from './model-settings.js';
import type { HeaderSetting } from './request-hooks.js';
import type { ResponsesProviderSettings } from './settings.js';

const AUTH_HEADERS: ReadonlySet<string> = new Set(['authorization', 'api-key', 'x-api-key', 'x-goog-api-key']);

/** The key of the environment, for OpenAI or for where the environment sends requests: never for a URL of the settings. */
export function environmentKey(
  settings: ResponsesProviderSettings,
  { apiKey, baseURL }: Environment,
  url: string,
): string | undefined {
  const isFromSettings = settings.baseURL !== undefined || settings.resourceName !== undefined;
  return isOpenAi(url) || (!isFromSettings && baseURL !== undefined) ? apiKey : undefined;
}

/** Refused before anything is sent: the back end wants a key, and nothing in headers (of the call, too) or URL can be one. */
export function checkKey({ settings, endpoint, headers }: ModelSettings, own: HeaderSetting, { key }: PickedKey): void {
  const { url, profile } = endpoint;
  const auth = settings.auth ?? profile.auth;
  if (!profile.requiresKey || auth === 'none' || typeof auth === 'function') return;
  if (settings.transformRequest !== undefined || /[?&](key|api-key|api_key)=/i.test(url)) return;
  const layers = [...headers, own];
  const plain = layers.filter((layer) => typeof layer !== 'function');
  // Any result of a function may be a key.
  if (plain.length < layers.length) return;
  if (key !== undefined && plain.every((layer) => Object.keys(layer).length === 0)) return;
  if (Object.keys(buildHeaders(auth, key, plain)).some((name) => AUTH_HEADERS.has(name))) return;
  throw new ResponsesLoopError({
    code: 'missing-api-key',
    message: ownWords(
      `${redactUrl(url)} needs an API key: pass apiKey${isOpenAi(url) ? ', or set OPENAI_API_KEY' : ''}.`,
    ),
  });
}

/** An empty key is reported when the provider is created; another header may still work for a few models. */
export function checkGivenKey(model: ModelSettings): void {
  const { apiKey, models } = model.settings;
  if (apiKey === undefined || typeof apiKey === 'function' || models !== undefined) return;
  if (readKeys(apiKey).length === 0) checkKey(model, {}, { key: undefined, fingerprint: '' });
}

function isOpenAi(url: string): boolean {
  return new URL(url).hostname === 'api.openai.com';
}
