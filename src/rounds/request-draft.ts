import { FailedFunction } from '../errors/failed-function.js';
import { invalidSettings } from '../errors/invalid-settings.js';
import type { JsonObject } from '../core/json.js';
import { buildHeaders, checkHeaders, type HeaderLayer, mergeHeaders } from '../request/build-headers.js';
import { withOwnItems } from '../request/body-override.js';
import type { Profile } from '../core/profile.js';
import { type Redactor, secretsOf } from '../observe/redact.js';
import { redactThrown } from '../observe/redact-error.js';
import { errorText } from '../util/error-text.js';
import { defined } from '../util/defined.js';
import { isRecord } from '../util/guards.js';
import type {
  AuthFunction,
  HeaderSetting,
  RequestDraft,
  RequestPlace,
  TransformRequest,
} from '../settings/request-hooks.js';

export interface DraftOptions {
  readonly auth: Profile['auth'] | AuthFunction;
  readonly apiKey: string | undefined;
  /** Later ones win. */
  readonly headers: readonly HeaderSetting[];
  /** Removes secrets from errors. */
  readonly redactor: Redactor;
  readonly transformRequest?: TransformRequest | undefined;
}

/** Adds headers to a body if functions of the settings take part. */
export async function draftByFunctions(
  url: string,
  body: JsonObject,
  place: RequestPlace,
  { auth, apiKey, headers, redactor, transformRequest }: DraftOptions,
): Promise<RequestDraft> {
  let draft: RequestDraft = { url, body, headers: {} };
  try {
    const layers = await Promise.all(headers.map((layer) => layerOf(layer, place)));
    draft = { url, body, headers: buildHeaders(typeof auth === 'function' ? 'none' : auth, apiKey, layers) };
    if (typeof auth === 'function') draft = await authorized(draft, place, auth, apiKey);
    return transformRequest === undefined ? draft : await transformed(draft, place, transformRequest);
  } catch (error) {
    // A function's error may repeat its arguments.
    const given = secretsOf({ ...draft, body: undefined });
    throw redactThrown(
      error,
      redactor.and(() => given),
    );
  }
}

async function layerOf(setting: HeaderSetting, place: RequestPlace): Promise<HeaderLayer> {
  return typeof setting === 'function' ? headersOf('headers', 'no object.', () => setting(place)) : setting;
}

async function authorized(
  draft: RequestDraft,
  place: RequestPlace,
  auth: AuthFunction,
  apiKey: string | undefined,
): Promise<RequestDraft> {
  const problem = "no object of headers: return { authorization: 'Bearer …' }.";
  const given = await headersOf('auth', problem, () => auth({ ...draft, ...place, apiKey }));
  const values = Object.values(given).filter((value) => typeof value === 'string');
  // `Bearer …`: what follows the scheme is a secret by itself.
  const secrets = values.flatMap((value) => [value, ...value.split(' ').slice(1)]);
  return { ...draft, headers: mergeHeaders([draft.headers, given]), secrets };
}

async function headersOf(setting: string, problem: string, ask: () => unknown): Promise<HeaderLayer> {
  const layer = await asked(setting, ask);
  if (!isRecord(layer)) throw invalidSettings(`${setting} is a function whose result is ${problem}`);
  // The checks below cover them.
  const headers = layer as HeaderLayer;
  checkHeaders(headers, `${setting}()`);
  return headers;
}

async function transformed(
  draft: RequestDraft,
  place: RequestPlace,
  transform: TransformRequest,
): Promise<RequestDraft> {
  // A copy, because changes in place would persist in later rounds.
  const given = { ...draft, ...place, body: structuredClone(draft.body) };
  const changes = await asked('transformRequest', () => transform(given));
  if (changes === undefined || changes === null) return draft;
  if (!isRecord(changes)) throw invalidSettings(`transformRequest returned ${typeof changes}, not an object.`);
  const unknown = Object.keys(changes).filter((name) => !MAY_CHANGE.has(name));
  if (unknown.length > 0)
    throw invalidSettings(
      `transformRequest returned ${unknown.map((name) => `"${name}"`).join(', ')}; known are url, headers, body. Write { body: { ...body, … } }.`,
    );
  const changed = { ...draft, ...defined(changes) };
  for (const [problem, isWrong] of TRANSFORM_CHECKS)
    if (isWrong({ ...changed })) throw invalidSettings(`transformRequest returned ${problem}.`);
  checkHeaders(changed.headers, 'transformRequest()');
  const ownBody = withOwnItems(changed.body);
  return { ...draft, url: changed.url, body: ownBody, headers: mergeHeaders([draft.headers, changed.headers]) };
}

/** Other members of the draft may return too and are ignored. */
const MAY_CHANGE: ReadonlySet<string> = new Set(['url', 'headers', 'body', 'secrets', 'modelId', 'round']);

const TRANSFORM_CHECKS: readonly (readonly [string, (draft: Readonly<Record<string, unknown>>) => boolean])[] = [
  ['a body that is not an object', ({ body }) => !isRecord(body)],
  ['a body without "model"', ({ body }) => isRecord(body) && body['model'] === undefined],
  ['a body without "input"', ({ body }) => isRecord(body) && body['input'] === undefined],
  ['a url that is not a complete URL', ({ url }) => typeof url !== 'string' || !URL.canParse(url)],
  ['a url with a user name or password, which fetch refuses to send', ({ url }) => hasUserInfo(url)],
  ['headers that are no object', ({ headers }) => !isRecord(headers)],
];

function hasUserInfo(url: unknown): boolean {
  if (typeof url !== 'string' || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username !== '' || password !== '';
}

async function asked(setting: string, ask: () => unknown): Promise<unknown> {
  try {
    return await ask();
  } catch (cause) {
    const message = `The setting "${setting}" is a function that failed: ${errorText(cause)}`;
    throw new FailedFunction('invalid-settings', message, cause);
  }
}
