import { LIMITS, LOOP_LIMITS, type NumberRows, RETRIES, SOCKETS, TIMEOUTS } from '../core/limits.js';
import { invalidSettings } from '../errors/invalid-settings.js';
import { checkHeaders, type HeaderLayer } from '../request/build-headers.js';
import { isSteering } from '../between/steering.js';
import { PROFILES } from '../request/profiles.js';
import { validateLocalTools } from '../tools/local/validate-local-tools.js';
import { validateMcpServers } from '../tools/mcp/validate-mcp-servers.js';
import { LOCAL_SOURCE_KEY } from '../tools/tool-source.js';
import { closest } from '../util/closest.js';
import { isAtLeast, isCallable, isFlag, isText, isTextList } from '../util/check.js';
import { asRecord, isRecord, rowOf } from '../util/guards.js';
import { lazy } from '../util/lazy.js';
import { orList } from '../util/or-list.js';
import type { ModelOverrides, ResponsesProviderSettings } from './settings.js';
import { unknownSetting } from './unknown-setting.js';

export type Check = (value: unknown, name: string) => string | undefined;

const must =
  (isFine: (value: unknown) => boolean, words: string): Check =>
  (value) =>
    isFine(value) ? undefined : `must be ${words}`;
const text = must(isText, 'a string');
const object = must(isRecord, 'an object');
const callable = must(isCallable, 'a function');
const flag = must(isFlag, 'true or false');
const atLeast = (least: number): Check => must((value) => isAtLeast(value, least), `a number of at least ${least}`);
const oneOf =
  (...allowed: readonly string[]): Check =>
  (value) => {
    if (isText(value) && allowed.includes(value)) return undefined;
    const close = isText(value) ? closest(value, allowed) : undefined;
    return `must be ${orList(allowed)}${close === undefined ? '' : ` (did you mean "${close}"?)`}`;
  };
const having = (...names: readonly string[]): Check =>
  must(
    (value) => isRecord(value) && names.every((name) => isCallable(value[name])),
    `an object with the functions ${names.join(', ')}`,
  );
const either =
  (...checks: readonly Check[]): Check =>
  (value, name) => {
    const problems = checks.map((check) => check(value, name));
    return problems.includes(undefined) ? undefined : problems.join(' or ');
  };

/** An object that may have these members. */
export const members =
  (known: Readonly<Record<string, Check>>): Check =>
  (value, name) => {
    if (!isRecord(value)) return 'must be an object';
    for (const [key, member] of Object.entries(value)) {
      const check = rowOf(known, key);
      if (check === undefined) return `has no member "${key}"; known are ${Object.keys(known).join(', ')}`;
      const problem = member === undefined ? undefined : check(member, key);
      if (problem !== undefined) return `has a wrong member: "${name}.${key}" ${problem}`;
    }
    return undefined;
  };

/** A check for each row of a table of numbers. */
export function numbers<Rows extends NumberRows>(rows: Rows): { readonly [Name in keyof Rows]: Check } {
  const checked = Object.entries(rows).map(([name, { least = 1, most = Infinity }]): [string, Check] => [
    name,
    (value, given) => (Number(value) > most ? `must be a number of at most ${most}` : atLeast(least)(value, given)),
  ]);
  return Object.fromEntries(checked) as { readonly [Name in keyof Rows]: Check };
}

/** The rows that `models` may set, with the least they may be there. */
export const rowsForModels = (rows: NumberRows): NumberRows =>
  Object.fromEntries(
    Object.entries(rows).flatMap(([name, row]) =>
      row.forModels === undefined ? [] : [[name, { ...row, least: row.forModels }]],
    ),
  );

const query: Check = (value) => {
  if (!isRecord(value)) return 'must be an object';
  const wrong = Object.entries(value).find(
    ([, member]) => member != null && typeof member !== 'string' && typeof member !== 'number',
  );
  return wrong === undefined ? undefined : `has a member "${wrong[0]}" that is neither a string nor a number`;
};

const secret = must(
  (value) => isText(value) && value.length >= 16,
  'a string of at least 16 characters (is the environment variable set?)',
);

const knownAuth = oneOf('bearer', 'api-key', 'x-goog-api-key', 'none');

const profile: Check = (value, name) => {
  if (!isRecord(value)) return 'must be a profile object';
  const missing = Object.keys(PROFILES.generic).filter((member) => value[member] === undefined);
  if (missing.length > 0) return `is a profile without ${missing.map((member) => `"${member}"`).join(', ')}`;
  const models = value['reasoningModels'];
  if (!Array.isArray(models) || !models.every(isPlainRegExp))
    return 'is a profile whose "reasoningModels" must be an array of regular expressions without the flags g and y';
  const problem = knownAuth(value['auth'], name);
  return problem === undefined ? undefined : `is a profile whose "auth" ${problem}`;
};

/** Expressions that remember where they stopped match only now and then. */
function isPlainRegExp(value: unknown): boolean {
  return value instanceof RegExp && !value.global && !value.sticky;
}

const backend: Check = (value, name) =>
  (typeof value === 'string' ? oneOf('auto', ...Object.keys(PROFILES)) : profile)(value, name);

const onUnknownTool: Check = (value, name) =>
  isCallable(value)
    ? 'cannot be a function; with "error" the model reads which tools it has'
    : oneOf('error', 'client')(value, name);

/** Every setting and what it has to look like: the same keys as the type, or this does not compile. */
export const settingChecks = lazy((): { readonly [K in keyof Required<ResponsesProviderSettings>]: Check } => ({
  baseURL: text,
  backend,
  apiKey: either(text, callable, must(isTextList, 'an array of strings')),
  auth: either(knownAuth, callable),
  organization: text,
  project: text,
  resourceName: must(
    (value) => isText(value) && /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i.test(value),
    'the name of an Azure resource; a URL belongs into "baseURL"',
  ),
  apiVersion: text,
  useDeploymentBasedUrls: flag,
  headers: either(object, callable),
  query,
  fetch: callable,
  transport: oneOf('sse', 'websocket', 'auto'),
  webSocket: callable,
  sockets: members(numbers(SOCKETS)),
  name: must(
    (value) => isText(value) && value !== '' && !value.endsWith('.responses'),
    'a name that does not end in ".responses"',
  ),
  models: object,
  transformRequest: callable,
  mcpServers: object,
  onElicitation: callable,
  onToolsChanged: callable,
  tools: object,
  ...numbers(LOOP_LIMITS),
  runTools: oneOf('model', 'sdk'),
  prepareRound: callable,
  stopWhen: must(
    (value) => isCallable(value) || (Array.isArray(value) && value.every(isCallable)),
    'a function, or an array of functions',
  ),
  price: callable,
  outputs: having('put', 'get'),
  steering: must(isSteering, 'a handle that createSteering() made'),
  toolConcurrency: either(oneOf('auto'), atLeast(1)),
  approve: callable,
  historySecret: secret,
  approvalMaxAgeMs: atLeast(1),
  journal: must(
    (value) => isCallable(value) || (isRecord(value) && isCallable(value['step'])),
    'an object with a function "step", or a function that returns one',
  ),
  redactToolOutput: callable,
  onUnknownTool,
  nameClash: oneOf('rename', 'loop'),
  toolParts: oneOf('declared', 'all', 'none'),
  toolProgress: oneOf('events', 'parts'),
  carrier: oneOf('metadata', 'reasoning', 'none'),
  timeouts: members(numbers(TIMEOUTS)),
  retry: members(numbers(RETRIES)),
  limits: members(numbers(LIMITS)),
  onEvent: callable,
}));

/** Left out by mistake they would protect nothing: an environment variable that is not set must not pass for a decision. */
const FAILS_OPEN: ReadonlySet<string> = new Set(['historySecret', 'approvalMaxAgeMs']);

/** Refuses what cannot be right when the provider is created, not at the first call; names the setting and the fix. */
export function checkSettings(settings: ResponsesProviderSettings): void {
  if (asRecord(settings) === undefined) throw invalidSettings('The settings must be an object.');
  const known = settingChecks();
  for (const [name, value] of Object.entries(settings)) {
    const check = rowOf<Check>(known, name);
    if (check === undefined) throw invalidSettings(unknownSetting(name, Object.keys(known)));
    if (value === undefined && !FAILS_OPEN.has(name)) continue;
    const problem = check(value, name);
    if (problem !== undefined) throw invalidSettings(`The setting "${name}" ${problem}.`);
  }
  checkTogether(settings);
  checkHeaders({ organization: settings.organization, project: settings.project }, 'settings');
  if (isRecord(settings.headers)) checkHeaders(settings.headers, 'headers');
  for (const [pattern, override] of Object.entries(settings.models ?? {})) checkOverride(pattern, override);
  if (settings.mcpServers !== undefined) validateMcpServers(settings.mcpServers);
  if (settings.tools !== undefined) validateLocalTools(settings.tools);
}

/** Refuses settings that conflict with another. */
export function checkTogether(settings: ResponsesProviderSettings): void {
  const { historySecret, approvalMaxAgeMs, mcpServers, approve } = settings;
  if (approvalMaxAgeMs !== undefined && historySecret === undefined)
    throw invalidSettings(
      'The setting "approvalMaxAgeMs" needs "historySecret": without it, a client can write any time into an approval.',
    );
  // `approve` reads `source: 'local'` as a function of the app, so no server may pass for one.
  if (approve !== undefined && rowOf(mcpServers ?? {}, LOCAL_SOURCE_KEY) !== undefined)
    throw invalidSettings(
      `mcpServers["${LOCAL_SOURCE_KEY}"] has the key by which \`approve\` knows the functions in \`tools\`; give the server another one.`,
    );
}

/** The same keys as the type, or this does not compile. */
const overrides = lazy((): { readonly [K in keyof Required<ModelOverrides>]: Check } => ({
  headers: either(object, callable),
  query,
  backend,
  limits: members(numbers(rowsForModels({ ...LOOP_LIMITS, ...LIMITS }))),
  transport: oneOf('sse', 'websocket', 'auto'),
  body: (value) => {
    if (typeof value === 'function') return undefined;
    if (!isRecord(value)) return 'must be an object or a function';
    return value['model'] === null || value['input'] === null
      ? 'removes "model" or "input", without which no request can be sent'
      : undefined;
  },
}));

function checkOverride(pattern: string, override: unknown): void {
  const where = `models[${JSON.stringify(pattern)}]`;
  const known = overrides();
  if (!isRecord(override)) throw invalidSettings(`${where} must be an object with ${Object.keys(known).join(', ')}.`);
  for (const [name, value] of Object.entries(override)) {
    const check = rowOf<Check>(known, name);
    if (check === undefined)
      throw invalidSettings(`${where} has no member "${name}"; known are ${Object.keys(known).join(', ')}.`);
    const problem = value === undefined ? undefined : check(value, name);
    if (problem !== undefined) throw invalidSettings(`${where}.${name} ${problem}.`);
  }
  // Its values are looked at one by one.
  if (isRecord(override['headers'])) checkHeaders(override['headers'] as HeaderLayer, `${where}.headers`);
}
