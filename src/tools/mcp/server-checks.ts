import {
  isCallable,
  isCallerList,
  isFlag,
  isText,
  isTextList,
  isTextRecord,
  isTime,
  type MemberRule,
  otherNames,
} from '../../util/check.js';
import { isRecord } from '../../util/guards.js';
import { lazy } from '../../util/lazy.js';
import { isClientLike } from './client-like.js';

/** Our settings, and names under which people look for them; most are those of other clients. */
export const serverNames = lazy(() =>
  otherNames({
    timeoutMs: ['timeout', 'toolTimeoutMs'],
    totalTimeoutMs: ['totalTimeout', 'maxTotalTimeout'],
    allowTools: ['allowedTools', 'includeTools', 'enabledTools'],
    denyTools: ['deniedTools', 'excludeTools', 'blockedTools'],
    deferTools: ['deferLoading', 'deferredTools'],
    allowedCallers: [],
    useInstructions: ['instructions'],
    resolveResourceLinks: ['resolveLinks'],
    url: ['uri'],
    authProvider: ['oauthProvider'],
  }),
);

export const commonRules = lazy((): readonly MemberRule[] => [
  ...['timeoutMs', 'totalTimeoutMs'].map((name): MemberRule => [
    name,
    isTime,
    `has a \`${name}\` that is not a number of milliseconds`,
  ]),
  [
    'allowTools',
    (value) => isNameList(value) || isCallable(value),
    'has `allowTools` that are not a list of tool names or patterns',
  ],
  ['denyTools', isNameList, 'has `denyTools` that are not a list of tool names or patterns'],
  [
    'deferTools',
    (value) => value === '*' || isNameList(value),
    'has `deferTools` that are neither `"*"` nor a list of tool names or patterns',
  ],
  ['allowedCallers', isCallerList, 'has `allowedCallers` that are not a list of "direct" and "programmatic"'],
  ['meta', (value) => isCallable(value) || isRecord(value), 'has a `meta` that is neither an object nor a function'],
  ...['disabled', 'useInstructions', 'resolveResourceLinks'].map((name): MemberRule => [
    name,
    isFlag,
    `has a \`${name}\` that is not true or false`,
  ]),
]);

const ONLY_WITH_URL: MemberRule = ['authProvider', () => false, 'has an `authProvider`, which only works with `url`'];

const stdioRules = lazy((): readonly MemberRule[] => [
  ['command', (value) => isText(value) && value.trim() !== '', 'has an empty `command`; name the program to run'],
  ['args', isTextList, 'has `args` that are not a list of strings'],
  ['env', isTextRecord, 'has `env` values that are not strings'],
  ['cwd', isText, 'has a `cwd` that is not a string'],
  ONLY_WITH_URL,
]);

const httpRules = lazy((): readonly MemberRule[] => [
  ['url', isHttpUrl, 'has a `url` that is not an absolute http or https URL'],
  [
    'headers',
    (value) => isCallable(value) || isTextRecord(value),
    'has `headers` that are neither strings by name nor a function',
  ],
  ['headers', (value) => !hasLineBreak(value), 'has a header with a line break in its name or value'],
  ['authProvider', isAuthProvider, 'has an `authProvider` that is not an `OAuthClientProvider` of the MCP SDK'],
]);

const clientRules = lazy((): readonly MemberRule[] => [
  [
    'client',
    isClientLike,
    'has a `client` without `listTools` and `callTool`; hand in a client of the MCP SDK or of `@ai-sdk/mcp`',
  ],
  ONLY_WITH_URL,
]);

/** The member that says of which kind a server is, what may stand in its type, and what has to hold for it. */
export const SERVER_KINDS = [
  {
    member: 'command',
    rules: stdioRules,
    types: ['stdio'],
    wrongType: (type: string) => `has a \`command\` but the type ${type}`,
  },
  {
    member: 'url',
    rules: httpRules,
    types: ['http', 'streamable-http', 'sse'],
    wrongType: (type: string) => `has the type ${type}; known are "http", "streamable-http" and "sse"`,
  },
  { member: 'client', rules: clientRules, types: undefined, wrongType: undefined },
] as const;

function isAuthProvider(value: unknown): boolean {
  const methods = ['tokens', 'saveTokens', 'redirectToAuthorization'];
  // A class instance has its methods on the prototype.
  return isRecord(value) && methods.every((name) => isCallable(value[name]));
}

function isNameList(value: unknown): boolean {
  return isTextList(value) && !value.includes('');
}

function isHttpUrl(value: unknown): boolean {
  return (value instanceof URL || isText(value)) && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

function hasLineBreak(headers: unknown): boolean {
  const texts = isRecord(headers) ? Object.entries(headers).flat() : [];
  return texts.some((text) => isText(text) && /[\r\n\0]/.test(text));
}
