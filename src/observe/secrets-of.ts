import { asRecord } from '../util/guards.js';
import { isTellingField, isTellingHeader, isTellingParameter, TELLING_FIELDS } from './secret-names.js';

/** A text that is only a URL. */
export const URL_ALONE = /^https?:\/\/\S+$/i;

/** The parts of a request that a server might repeat. */
export interface SecretBearer {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Known credentials under any name. */
  readonly secrets?: readonly string[] | undefined;
}

/**
 * Keys and tokens of its headers and its URL, sealed reasoning and credentials of its body. A header of an unknown name
 * counts if its value is long and unbroken like a key, because gateways choose their own names.
 */
export function secretsOf({ url, headers, body, secrets = [] }: SecretBearer): string[] {
  const unknown = Object.entries(headers).flatMap(([name, value]) => (isLikeKey(name, value) ? [value] : []));
  return [...secrets.flatMap(withPieces), ...secretsOfAnswer(headers, body), ...unknown, ...secretsOfUrl(url)];
}

/** The same of an answer, whose headers have any names and long harmless values. */
export function secretsOfAnswer(headers: Readonly<Record<string, string>>, body: unknown): string[] {
  const named = Object.entries(headers).flatMap(([name, value]) => (isTellingHeader(name) ? [value] : []));
  return [...named.flatMap(withPieces), ...secretsOfBody(body)];
}

/** Shorter ones are words: a region, a team, a tier. */
const MIN_UNKNOWN_CHARS = 16;

function isLikeKey(name: string, value: string): boolean {
  return value.length >= MIN_UNKNOWN_CHARS && !/\s/.test(value) && !URL_ALONE.test(value) && !isHarmlessHeader(name);
}

/** Headers about content, caller and trace, which are harmless at any length. */
const HARMLESS =
  /^(?:accept|content|openai|x-stainless|sec|x-b3|if)-|^(?:accept|user-agent|referer|http-referer|origin|host|date|traceparent|tracestate|baggage|x-title|via|forwarded|etag)$|(?:^|-)(?:version|model|trace-id|request-id|correlation-id|betas?|region|timestamp)$/i;

/** A request header without a credential. */
export function isHarmlessHeader(name: string): boolean {
  return HARMLESS.test(name);
}

/** `Bearer …`: the scheme is no secret, but the rest is, as is each value of a cookie. */
function withPieces(value: string): string[] {
  const cookies = value.includes('=') ? value.split(/;\s*/).map((pair) => pair.slice(pair.indexOf('=') + 1)) : [];
  const [scheme = '', ...rest] = value.split(' ');
  const user = scheme.toLowerCase() === 'basic' ? basicUser(rest.join('')) : [];
  return [value, ...rest, ...user, ...cookies];
}

/** `user:password`, and the password alone. */
function basicUser(base64: string): string[] {
  try {
    const text = atob(base64);
    return [text, text.slice(text.indexOf(':') + 1)];
  } catch {
    return [];
  }
}

/** Returns the secrets of a URL only: its user info, and the values of sensitive parameters, encoded and decoded. */
export function secretsOfUrl(text: string): string[] {
  const mayHaveSome = /[@?#]/.test(text);
  if (!mayHaveSome || !URL.canParse(text)) return [];
  const { username, password, search, hash } = new URL(text);
  const userInfo = password === '' ? [username] : [`${username}:${password}`, password];
  const found = userInfo.flatMap((part) => (part === '' ? [] : [part, decoded(part)]));
  for (const pair of [...search.slice(1).split('&'), ...hash.slice(1).split('&')]) {
    for (const [name, value] of new URLSearchParams(pair)) {
      if (isTellingParameter(name) && value !== '') found.push(value, pair.slice(pair.indexOf('=') + 1));
    }
  }
  return found;
}

/** Names in these are parameters of a schema, and their members describe a value. */
const SCHEMA_MAPS = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
]);

/** Whether a member of a JSON object has to be hidden; `holder` is the name of the object it is in. */
export function isSecretMember(name: string, value: unknown, holder: string | undefined): boolean {
  if (!isTellingField(name)) return false;
  return isText(value) || (isOther(value) && !SCHEMA_MAPS.has(holder ?? ''));
}

/** The holder of a hosted tool. Its headers for its server are credentials under any name. */
export const TOOL = '[tool]';

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isOther = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'object' && value !== null && Object.keys(value).length > 0);

/** Sealed reasoning and credentials of a body. */
export function secretsOfBody(value: unknown): readonly string[] {
  const found: string[] = [];
  collect(value, undefined, found);
  return found;
}

/** Uses one list, because a list for each member of every request would cost more than the search. */
function collect(value: unknown, holder: string | undefined, found: string[]): void {
  if (typeof value === 'string' && URL_ALONE.test(value)) found.push(...secretsOfUrl(value));
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) return collectList(value, holder, found);
  for (const [name, member] of Object.entries(value)) {
    const isNamed = name === 'headers' || (TELLING_FIELDS.get(name) ?? isTellingField(name));
    const isPlain = typeof member === 'string' ? !URL_ALONE.test(member) : typeof member !== 'object';
    if (!isPlain || isNamed) collectMember(name, member, holder, found);
  }
}

function collectList(list: readonly unknown[], holder: string | undefined, found: string[]): void {
  for (const entry of list)
    if (holder === 'input' && typeof entry === 'object' && entry !== null) collectItem(entry, found);
    else collect(entry, holder === 'tools' ? TOOL : undefined, found);
}

function collectMember(name: string, member: unknown, holder: string | undefined, found: string[]): void {
  if (isSecretMember(name, member, holder)) for (const text of textsIn(member)) found.push(text);
  else if (name !== 'headers' || holder !== TOOL) collect(member, name, found);
  else
    for (const value of Object.values(asRecord(member) ?? {}))
      if (typeof value === 'string') found.push(...withPieces(value));
}

/** Input items never change, and each request of a call repeats the previous ones. */
const OF_ITEMS = new WeakMap<object, readonly string[]>();

function collectItem(item: object, found: string[]): void {
  const known = OF_ITEMS.get(item) ?? secretsOfBody(item);
  OF_ITEMS.set(item, known);
  for (const secret of known) found.push(secret);
}

/** Shorter ones within an object (`{ type: 'basic' }`) are words that messages contain too. */
const MIN_NESTED_CHARS = 8;

function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.values(value).flatMap((member) => textsIn(member).filter((text) => text.length >= MIN_NESTED_CHARS));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
