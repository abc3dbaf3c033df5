import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { checkHeaders } from '../request/build-headers.js';
import { PROFILES } from '../request/profiles.js';
import { validateLocalTools } from '../tools/local/validate-local-tools.js';
import { validateMcpServers } from '../tools/mcp/validate-mcp-servers.js';
import { isRecord } from '../util/guards.js';
import type { ResponsesProviderSettings } from './settings.js';

type Check = (value: unknown, name: string) => string | undefined;

const text: Check = (value) => (typeof value === 'string' ? undefined : 'must be a string');
const object: Check = (value) => (isRecord(value) ? undefined : 'must be an object');
const callable: Check = (value) => (typeof value === 'function' ? undefined : 'must be a function');
const atLeast =
  (least: number): Check =>
  (value) =>
    typeof value === 'number' && value >= least ? undefined : `must be a number of at least ${least}`;
const oneOf =
  (...allowed: readonly string[]): Check =>
  (value) =>
    allowed.includes(String(value)) ? undefined : `must be one of ${allowed.map((name) => `"${name}"`).join(', ')}`;
const either =
  (...checks: readonly Check[]): Check =>
  (value, name) => {
    const problems = checks.map((check) => check(value, name));
    return problems.includes(undefined) ? undefined : problems.join(' or ');
  };

const numbers =
  (...known: readonly string[]): Check =>
  (value, name) => {
    if (!isRecord(value)) return 'must be an object';
    for (const [key, member] of Object.entries(value)) {
      if (!known.includes(key)) return `has no member "${key}"; known are ${known.join(', ')}`;
      if (member === undefined) continue;
      const problem = atLeast(0)(member, name);
      if (problem !== undefined) return `.${key} ${problem}`;
    }
    return undefined;
  };

/** Every setting and what it has to look like: the same keys as the type, or this does not compile. */
const CHECKS: { readonly [K in keyof Required<ResponsesProviderSettings>]: Check } = {
  baseURL: text,
  backend: either(object, oneOf('auto', ...Object.keys(PROFILES))),
  apiKey: either(text, callable, (value) => (Array.isArray(value) && value.every((key) => typeof key === 'string') ? undefined : 'must be an array of strings')),
  auth: oneOf('bearer', 'api-key', 'x-goog-api-key', 'none'),
  headers: object,
  query: object,
  fetch: callable,
  name: (value) => (typeof value === 'string' && value !== '' && !value.endsWith('.responses') ? undefined : 'must be a name that does not end in ".responses"'),
  models: object,
  mcpServers: object,
  tools: object,
  maxRounds: atLeast(1),
  maxToolCalls: atLeast(1),
  toolConcurrency: either(oneOf('auto'), atLeast(1)),
  toolTimeoutMs: atLeast(0),
  maxToolOutputChars: atLeast(1),
  nameClash: oneOf('rename', 'loop'),
  preamble: oneOf('text', 'reasoning', 'drop'),
  toolParts: oneOf('declared', 'all', 'none'),
  carrier: oneOf('metadata', 'none'),
  timeouts: numbers('headersMs', 'idleMs'),
  retry: numbers('maxRetries'),
  onEvent: callable,
};

/** Refuses what cannot be right when the provider is created, not at the first call; names the setting and the fix. */
export function checkSettings(settings: ResponsesProviderSettings): void {
  if (typeof settings !== 'object' || settings === null) throw invalid('The settings must be an object.');
  for (const [name, value] of Object.entries(settings)) {
    if (!Object.hasOwn(CHECKS, name)) throw invalid(`There is no setting "${name}".${suggestion(name)}`);
    // `hasOwn` has just shown that it is one of the keys.
    const problem = value === undefined ? undefined : CHECKS[name as keyof typeof CHECKS](value, name);
    if (problem !== undefined) throw invalid(`The setting "${name}" ${problem}.`);
  }
  if (settings.headers !== undefined) checkHeaders(settings.headers, 'headers');
  for (const [pattern, override] of Object.entries(settings.models ?? {})) checkOverride(pattern, override);
  if (settings.mcpServers !== undefined) validateMcpServers(settings.mcpServers);
  if (settings.tools !== undefined) validateLocalTools(settings.tools);
}

function checkOverride(pattern: string, override: unknown): void {
  const where = `models[${JSON.stringify(pattern)}]`;
  if (!isRecord(override)) throw invalid(`${where} must be an object with "headers", "query" or "body".`);
  for (const name of Object.keys(override)) {
    if (name !== 'headers' && name !== 'query' && name !== 'body') throw invalid(`${where} has no member "${name}"; known are headers, query, body.`);
  }
  const { headers, body } = override;
  if (isRecord(headers)) checkHeaders(headers as Record<string, string>, `${where}.headers`);
  if (isRecord(body) && (body['model'] === null || body['input'] === null)) {
    throw invalid(`${where}.body removes "model" or "input", without which no request can be sent.`);
  }
}

/** People write `baseUrl` and `apikey`; tell them what they meant. */
function suggestion(name: string): string {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, '');
  const known = Object.keys(CHECKS);
  const close = known.find((candidate) => plain(candidate) === plain(name)) ?? known.find((candidate) => plain(candidate).startsWith(plain(name)));
  return close === undefined ? ` Known settings: ${known.join(', ')}.` : ` Did you mean "${close}"?`;
}

function invalid(message: string): ResponsesLoopError {
  return new ResponsesLoopError({ code: 'invalid-settings', message });
}
