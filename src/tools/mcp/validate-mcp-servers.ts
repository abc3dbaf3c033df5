import { ResponsesLoopError } from '../../errors/responses-loop-error.js';
import { isRecord } from '../../util/guards.js';
import { isDisabled } from './server-config.js';

type Config = Record<string, unknown>;
/** A complaint about one server, or nothing. */
type Check = (config: Config) => string | undefined;

const HTTP_TYPES: ReadonlySet<unknown> = new Set(['http', 'streamable-http', 'sse']);

/**
 * Refuses server settings that cannot work, naming the server; called when the provider is created. Fields that other
 * clients know (`autoApprove`, `description`, …) are let through.
 *
 * @throws ResponsesLoopError `invalid-settings`
 */
export function validateMcpServers(servers: unknown): void {
  if (servers === undefined) return;
  if (!isRecord(servers)) throw invalid('`mcpServers` has to be an object of servers by key.');
  for (const [key, config] of Object.entries(servers)) {
    const complaint = isRecord(config) ? complain(config) : 'has to be an object with `command` or `url`';
    if (complaint !== undefined) throw invalid(`mcpServers["${key}"] ${complaint}.`);
  }
}

function complain(config: Config): string | undefined {
  if (isDisabled(config)) return undefined;
  const hasCommand = config['command'] !== undefined;
  const hasUrl = config['url'] !== undefined;
  if (hasCommand && hasUrl) return 'has both `command` and `url`; keep one of them';
  if (!hasCommand && !hasUrl) return 'has neither `command` (a local process) nor `url` (an HTTP server)';
  for (const check of [checkTimeout, ...(hasCommand ? STDIO_CHECKS : HTTP_CHECKS)]) {
    const complaint = check(config);
    if (complaint !== undefined) return complaint;
  }
  return undefined;
}

const STDIO_CHECKS: readonly Check[] = [
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
];

const HTTP_CHECKS: readonly Check[] = [
  ({ url }) => (isHttpUrl(url) ? undefined : 'has a `url` that is not an absolute http or https URL'),
  (config) => {
    const type = config['type'] ?? config['transport'];
    return type === undefined || HTTP_TYPES.has(type)
      ? undefined
      : `has the type ${JSON.stringify(type)}; known are "http", "streamable-http" and "sse"`;
  },
  ({ headers }) =>
    headers === undefined || isStringRecord(headers) ? undefined : 'has `headers` that are not strings',
  ({ headers }) => (hasLineBreak(headers) ? 'has a header with a line break in its name or value' : undefined),
];

function checkTimeout({ timeoutMs }: Config): string | undefined {
  return timeoutMs === undefined || (typeof timeoutMs === 'number' && timeoutMs >= 0)
    ? undefined
    : 'has a `timeoutMs` that is not a number of milliseconds';
}

function isStringList(value: unknown): boolean {
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

function invalid(message: string): ResponsesLoopError {
  return new ResponsesLoopError({ code: 'invalid-settings', message });
}
