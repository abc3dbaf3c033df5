import { invalidSettings } from '../../errors/invalid-settings.js';
import {
  brokenRule,
  isCallable,
  isCallerList,
  isCount,
  isFlag,
  isText,
  isTextList,
  isTextRecord,
  isTime,
  type MemberRule,
  misnamed,
  otherNames,
} from '../../util/check.js';
import { isRecord } from '../../util/guards.js';
import { lazy } from '../../util/lazy.js';
import { isClientLike } from './connect/client-like.js';
import { foreignClash, inForeignWords, isDisabled, translateForeignFields } from './server-config.js';

type Config = Record<string, unknown>;

/** Our settings, and the names that other clients use for them. */
const serverNames = lazy(() =>
  otherNames({
    timeoutMs: ['timeout', 'toolTimeoutMs'],
    totalTimeoutMs: ['totalTimeout', 'maxTotalTimeout'],
    maxOutputChars: ['maxOutput', 'maxToolOutputChars'],
    allowTools: ['allowedTools', 'includeTools', 'enabledTools'],
    denyTools: ['deniedTools', 'excludeTools', 'blockedTools'],
    deferTools: ['deferLoading', 'deferredTools'],
    allowedCallers: [],
    useInstructions: ['instructions'],
    resolveResourceLinks: ['resolveLinks'],
    apps: ['mcpApps', 'ui'],
    structuredContent: [],
    url: ['uri'],
    authProvider: ['oauthProvider'],
  }),
);

const commonRules = lazy((): readonly MemberRule[] => [
  ...['timeoutMs', 'totalTimeoutMs'].map((name) => that(name, isTime, 'is not a number of milliseconds')),
  that('maxOutputChars', isCount, 'is not a number of at least 1'),
  that('allowTools', (value) => isNameList(value) || isCallable(value), 'are not a list of tool names or `*` patterns'),
  that('denyTools', isNameList, 'are not a list of tool names or `*` patterns'),
  that(
    'deferTools',
    (value) => value === '*' || isNameList(value),
    'are neither `"*"` nor a list of tool names or `*` patterns',
  ),
  that('allowedCallers', isCallerList, 'are not a list of "direct" and "programmatic"'),
  that('meta', (value) => isCallable(value) || isRecord(value), 'is neither an object nor a function'),
  that(
    'structuredContent',
    (value) => value === 'both' || value === 'text' || value === 'structured',
    'is not "both", "text" or "structured"',
  ),
  ...['disabled', 'useInstructions', 'resolveResourceLinks', 'apps'].map((name) =>
    that(name, isFlag, 'is not true or false'),
  ),
]);

const ONLY_WITH_URL: MemberRule = ['authProvider', () => false, 'has an `authProvider`, which only works with `url`'];

/** Config files of other clients have them; a server would get their text as its token. */
const VARIABLE = /\$\{[\w:.-]{1,200}\}/;
const ONLY_COMMANDS_REPLACE =
  'has a variable such as `${TOKEN}`. Only the commands of this package replace it; in a program, write `process.env.TOKEN`';

function isWithoutVariables(value: unknown): boolean {
  if (isText(value)) return !VARIABLE.test(value);
  return !isRecord(value) || Object.values(value).every((member) => !isText(member) || !VARIABLE.test(member));
}

interface ServerKind {
  /** The member that shows this kind of server. */
  readonly member: string;
  readonly rules: () => readonly MemberRule[];
  /** The allowed values of `type`. */
  readonly types?: readonly string[];
  readonly wrongType?: (type: string) => string;
}

const SERVER_KINDS: readonly ServerKind[] = [
  {
    member: 'command',
    rules: () => [
      ['command', (value) => isText(value) && value.trim() !== '', 'has an empty `command`; name the program to run'],
      that('args', isTextList, 'are not a list of strings'),
      ['env', isTextRecord, 'has `env` values that are not strings'],
      ['env', isWithoutVariables, `has a value in \`env\` that ${ONLY_COMMANDS_REPLACE}`],
      that('cwd', isText, 'is not a string'),
      ONLY_WITH_URL,
    ],
    types: ['stdio'],
    wrongType: (type) => `has a \`command\` but the type ${type}`,
  },
  {
    member: 'url',
    rules: () => [
      ['url', isWithoutVariables, `has a \`url\` that ${ONLY_COMMANDS_REPLACE}`],
      that('url', isHttpUrl, 'is not an absolute http or https URL'),
      that(
        'headers',
        (value) => isCallable(value) || isTextRecord(value),
        'are neither strings by name nor a function',
      ),
      ['headers', (value) => !hasLineBreak(value), 'has a header with a line break in its name or value'],
      ['headers', isWithoutVariables, `has a header that ${ONLY_COMMANDS_REPLACE}`],
      ['authProvider', isAuthProvider, 'has an `authProvider` that is not an `OAuthClientProvider` of the MCP SDK'],
    ],
    types: ['http', 'streamable-http', 'sse'],
    wrongType: (type) => `has the type ${type}; known are "http", "streamable-http" and "sse"`,
  },
  {
    member: 'client',
    rules: () => [
      [
        'client',
        isClientLike,
        'has a `client` without `listTools` and `callTool`; hand in a client of the MCP SDK or of `@ai-sdk/mcp`',
      ],
      ONLY_WITH_URL,
    ],
  },
];

/** Builds a rule for a member from its fault: "is not …" or "are not …". */
function that(name: string, isFine: (value: unknown) => boolean, wrong: string): MemberRule {
  return [name, isFine, `has ${wrong.startsWith('is') ? 'a ' : ''}\`${name}\` that ${wrong}`];
}

/**
 * Refuses impossible server settings and names the server. Fields of other clients are translated if their meaning is
 * certain (`serverUrl`, `disabledTools`). Others pass (`autoApprove`, `description`), unless users mistake them for
 * ours.
 *
 * @throws ResponsesLoopError `invalid-settings`
 */
export function validateMcpServers(servers: unknown): void {
  if (servers === undefined) return;
  if (!isRecord(servers)) throw invalidSettings('`mcpServers` must be an object of servers by key.');
  for (const [key, entry] of Object.entries(servers)) {
    const complaint = isRecord(entry) ? complain(entry) : 'must be an object with `command`, `url` or `client`';
    if (complaint !== undefined) throw invalidSettings(`mcpServers["${key}"] ${complaint}.`);
  }
}

function complain(entry: Config): string | undefined {
  if (isClientLike(entry) || isDisabled(entry)) return undefined;
  const complaint = foreignClash(entry) ?? complainTranslated(translateForeignFields(entry));
  return complaint === undefined ? undefined : inForeignWords(complaint, entry);
}

function complainTranslated(entry: Config): string | undefined {
  const [kind, other] = SERVER_KINDS.filter(({ member }) => entry[member] !== undefined);
  if (other !== undefined) return `has both \`${kind?.member}\` and \`${other.member}\`; keep one of them`;
  const problem = wrongName(entry) ?? brokenRule(entry, commonRules());
  if (problem !== undefined) return problem;
  return kind === undefined ? nothingToGoBy(entry) : (brokenRule(entry, kind.rules()) ?? wrongType(entry, kind));
}

function wrongName(entry: Config): string | undefined {
  const name = misnamed(entry, serverNames());
  if (name === undefined) return undefined;
  const unit = name.meant.endsWith('Ms') ? ' (milliseconds)' : '';
  const why = name.typed === 'timeout' ? '? Some clients count it in seconds, others in milliseconds' : '';
  return `has \`${name.typed}\`; did you mean \`${name.meant}\`${unit}${why}`;
}

function wrongType(entry: Config, { types, wrongType: problem }: ServerKind): string | undefined {
  const type = entry['type'] ?? entry['transport'];
  const isFine = type === undefined || types === undefined || types.some((known) => known === type);
  return isFine ? undefined : problem?.(JSON.stringify(type));
}

function nothingToGoBy(entry: Config): string {
  return 'tools' in entry && typeof entry['tools'] === 'function'
    ? 'is a client without `listTools` and `callTool`; hand in a client of the MCP SDK or of `@ai-sdk/mcp`'
    : 'has neither `command` (a local process) nor `url` (an HTTP server) nor `client`';
}

function isAuthProvider(value: unknown): boolean {
  const methods = ['tokens', 'saveTokens', 'redirectToAuthorization'];
  // A class instance has its methods on the prototype.
  return isRecord(value) && methods.every((name) => isCallable(value[name]));
}

/** No pattern excludes: one that begins with `!` would not do what its author means. */
function isNameList(value: unknown): boolean {
  return isTextList(value) && value.every((name) => name !== '' && !name.startsWith('!'));
}

function isHttpUrl(value: unknown): boolean {
  return (value instanceof URL || isText(value)) && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

function hasLineBreak(headers: unknown): boolean {
  const texts = isRecord(headers) ? Object.entries(headers).flat() : [];
  return texts.some((text) => isText(text) && /[\r\n\0]/.test(text));
}
