import { isRecord } from '../../util/guards.js';
import { lazy } from '../../util/lazy.js';
import { isClientLike } from './connect/client-like.js';

export type Config = Record<string, unknown>;
/** A complaint about one server, or nothing. */
export type Check = (config: Config) => string | undefined;

const HTTP_TYPES: ReadonlySet<unknown> = new Set(['http', 'streamable-http', 'sse']);

/** Names under which people look for our settings; most are those of other clients. */
const MISTAKEN: readonly (readonly [string, readonly string[]])[] = [
  ['timeoutMs', ['timeout', 'timeoutMS', 'timeoutms', 'toolTimeoutMs', 'idleTimeoutMs']],
  ['totalTimeoutMs', ['totalTimeout', 'maxTotalTimeout', 'maxTotalTimeoutMs']],
  ['allowTools', ['allowedTools', 'allowTool', 'includeTools', 'enabledTools']],
  ['denyTools', ['deniedTools', 'denyTool', 'excludeTools', 'blockedTools', 'blockTools']],
  ['deferTools', ['deferTool', 'deferredTools', 'deferLoading', 'defer']],
  ['allowedCallers', ['allowCallers', 'allowedCaller', 'callers']],
  ['useInstructions', ['useInstruction', 'instructions', 'includeInstructions']],
  ['resolveResourceLinks', ['resolveResources', 'resolveLinks', 'resolveResourceLink']],
  ['url', ['URL', 'uri']],
  ['authProvider', ['oauthProvider', 'oAuthProvider']],
];

export const commonChecks = lazy((): readonly Check[] => [
  mistaken,
  ...['timeoutMs', 'totalTimeoutMs'].map(
    (name): Check =>
      ({ [name]: value }) =>
        value === undefined || (typeof value === 'number' && value >= 0)
          ? undefined
          : `has a \`${name}\` that is not a number of milliseconds`,
  ),
  ...['allowTools', 'denyTools'].map(
    (name): Check =>
      ({ [name]: value }) =>
        value === undefined || isNameList(value) || (name === 'allowTools' && typeof value === 'function')
          ? undefined
          : `has \`${name}\` that are not a list of tool names or patterns`,
  ),
  ({ deferTools }) =>
    deferTools === undefined || deferTools === '*' || isNameList(deferTools)
      ? undefined
      : 'has `deferTools` that are neither `"*"` nor a list of tool names or patterns',
  ({ allowedCallers }) =>
    allowedCallers === undefined || (isStringList(allowedCallers) && allowedCallers.every(isCaller))
      ? undefined
      : 'has `allowedCallers` that are not a list of "direct" and "programmatic"',
  ({ meta }) =>
    meta === undefined || typeof meta === 'function' || isRecord(meta)
      ? undefined
      : 'has a `meta` that is neither an object nor a function',
  ...['disabled', 'useInstructions', 'resolveResourceLinks'].map(
    (name): Check =>
      ({ [name]: value }) =>
        value === undefined || typeof value === 'boolean' ? undefined : `has a \`${name}\` that is not true or false`,
  ),
]);

export const stdioChecks = lazy((): readonly Check[] => [
  ({ command }) =>
    typeof command === 'string' && command.trim() !== ''
      ? undefined
      : 'has an empty `command`; name the program to run',
  ({ args }) => (args === undefined || isStringList(args) ? undefined : 'has `args` that are not a list of strings'),
  ({ env }) => (env === undefined || isStringRecord(env) ? undefined : 'has `env` values that are not strings'),
  ({ cwd }) => (cwd === undefined || typeof cwd === 'string' ? undefined : 'has a `cwd` that is not a string'),
  (config) => {
    const type = config['type'] ?? config['transport'];
    return type === undefined || type === 'stdio'
      ? undefined
      : `has a \`command\` but the type ${JSON.stringify(type)}`;
  },
  onlyWithUrl,
]);

export const httpChecks = lazy((): readonly Check[] => [
  ({ url }) => (isHttpUrl(url) ? undefined : 'has a `url` that is not an absolute http or https URL'),
  (config) => {
    const type = config['type'] ?? config['transport'];
    return type === undefined || HTTP_TYPES.has(type)
      ? undefined
      : `has the type ${JSON.stringify(type)}; known are "http", "streamable-http" and "sse"`;
  },
  ({ headers }) =>
    headers === undefined || typeof headers === 'function' || isStringRecord(headers)
      ? undefined
      : 'has `headers` that are neither strings by name nor a function',
  ({ headers }) => (hasLineBreak(headers) ? 'has a header with a line break in its name or value' : undefined),
  ({ authProvider }) =>
    authProvider === undefined || hasMethods(authProvider, ['tokens', 'saveTokens', 'redirectToAuthorization'])
      ? undefined
      : 'has an `authProvider` that is not an `OAuthClientProvider` of the MCP SDK',
]);

export const clientChecks = lazy((): readonly Check[] => [
  ({ client }) =>
    isClientLike(client)
      ? undefined
      : 'has a `client` without `listTools` and `callTool`; hand in a client of the MCP SDK or of `@ai-sdk/mcp`',
  onlyWithUrl,
]);

function onlyWithUrl({ authProvider }: Config): string | undefined {
  return authProvider === undefined ? undefined : 'has an `authProvider`, which only works with `url`';
}

function mistaken(config: Config): string | undefined {
  for (const [meant, names] of MISTAKEN) {
    const wrong = new Set([meant, ...names].map((known) => known.toLowerCase()));
    const name = Object.keys(config).find(
      (typed) => typed !== meant && config[typed] !== undefined && wrong.has(typed.toLowerCase()),
    );
    const unit = meant.endsWith('Ms') ? ' (milliseconds)' : '';
    const why = name === 'timeout' ? '? Some clients count it in seconds, others in milliseconds' : '';
    if (name !== undefined) return `has \`${name}\`; did you mean \`${meant}\`${unit}${why}`;
  }
  return undefined;
}

function hasMethods(value: unknown, names: readonly string[]): boolean {
  // A class instance has its methods on the prototype.
  return isRecord(value) && names.every((name) => typeof value[name] === 'function');
}

function isCaller(name: string): boolean {
  return name === 'direct' || name === 'programmatic';
}

function isNameList(value: unknown): boolean {
  return isStringList(value) && !value.includes('');
}

function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((member) => typeof member === 'string');
}

function isStringRecord(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((member) => typeof member === 'string');
}

function isHttpUrl(value: unknown): boolean {
  if (!(value instanceof URL) && typeof value !== 'string') return false;
  try {
    return /^https?:$/.test(new URL(value).protocol);
  } catch {
    return false;
  }
}

function hasLineBreak(headers: unknown): boolean {
  return (
    isRecord(headers) &&
    Object.entries(headers)
      .flat()
      .some((text) => typeof text === 'string' && /[\r\n\0]/.test(text))
  );
}
