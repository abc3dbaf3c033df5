import type { Observer, ObserverEvent } from './event.js';
import { showControls } from '../util/control-characters.js';
import { ignoreErrors } from '../util/error-text.js';
import { lazy } from '../util/lazy.js';

// For apps that print foreign texts on a terminal themselves.
export { showControls } from '../util/control-characters.js';

/** The common part of `console`, winston and the like. */
export interface Logger {
  /** Rounds, requests and connections. */
  debug(message: string, data: object): void;
  /** Calls, tools that ran, and approvals. */
  info(message: string, data: object): void;
  /** Problems that do not end the call: warnings, retries, tools that failed. */
  warn(message: string, data: object): void;
  /** Calls that failed. */
  error(message: string, data: object): void;
}

/** pino and similar loggers, whose first argument is the data. */
export interface ObjectFirstLogger {
  /** Rounds, requests and connections. */
  debug(data: object, message: string): void;
  /** Calls, tools that ran, and approvals. */
  info(data: object, message: string): void;
  /** Problems that do not end the call: warnings, retries, tools that failed. */
  warn(data: object, message: string): void;
  /** Calls that failed. */
  error(data: object, message: string): void;
}

export type LogLevel = keyof Logger;

/** The level of an event, and its text. */
type Line<T extends ObserverEvent['type']> = readonly [
  level: LogLevel | ((event: Extract<ObserverEvent, { type: T }>) => LogLevel),
  say: (event: Extract<ObserverEvent, { type: T }>) => string,
];

/** The event `replaced` is of the new key, with the reason of the refused one. */
const KEY_NEWS = { chosen: 'chosen', paused: 'paused', replaced: 'replaces a refused key' };

const lines = lazy((): { readonly [T in ObserverEvent['type']]: Line<T> } => ({
  'call-start': ['info', ({ callNumber, modelId }) => `call ${callNumber} to ${modelId}`],
  fallback: [
    ({ because: why }) => (why === 'failure' || why === 'circuit' ? 'warn' : 'debug'),
    ({ callNumber, uses, because: why, error }) => `call ${callNumber} goes to ${uses} (${why})${because(error)}`,
  ],
  'call-end': [
    ({ finishReason }) => (finishReason === 'error' ? 'error' : 'info'),
    ({ callNumber, finishReason, rounds, durationMs, error }) =>
      `call ${callNumber} ended: ${finishReason}, ${rounds} rounds, ${durationMs} ms${because(error?.message)}`,
  ],
  'round-start': ['debug', ({ callNumber, round }) => `call ${callNumber} round ${round}`],
  'round-end': [
    'debug',
    ({ callNumber, round, finishReason, calls, durationMs }) =>
      `call ${callNumber} round ${round} ended: ${finishReason}, ${calls} tool calls, ${durationMs} ms`,
  ],
  'round-kept': ['debug', ({ callNumber, round }) => `call ${callNumber} round ${round} kept`],
  request: ['debug', ({ url, method = 'POST' }) => `${method} ${url}`],
  response: [
    ({ status }) => (status >= 400 ? 'warn' : 'debug'),
    ({ url, status, durationMs }) => `${status} from ${url} after ${durationMs} ms`,
  ],
  'request-error': ['warn', ({ url, message }) => `request to ${url} failed: ${message}`],
  socket: ['debug', ({ what, rounds, reason }) => `WebSocket ${what} after ${rounds} requests${because(reason)}`],
  'transport-fallback': ['warn', ({ reason }) => `requests go over HTTP: ${reason}`],
  resume: ['warn', ({ url, attempt, after }) => `resume ${attempt} of ${url} after event ${after}`],
  continuation: ['warn', ({ round, reason }) => `round ${round} broke off, the model is asked to continue: ${reason}`],
  trim: ['debug', ({ round, chars, keptChars }) => `input of round ${round}: ${keptChars} of ${chars} characters left`],
  'cache-break': ['warn', cacheLine],
  retry: ['warn', ({ url, attempt, delayMs, reason }) => `retry ${attempt} of ${url} in ${delayMs} ms: ${reason}`],
  key: [
    ({ what }) => (what === 'chosen' ? 'debug' : 'warn'),
    ({ key, keyNumber = '', what, reason }) => `key ${keyNumber} ${key} ${KEY_NEWS[what]}${because(reason)}`,
  ],
  'tool-start': ['info', ({ source, tool }) => `tool ${source}/${tool}`],
  'tool-approval-request': ['info', ({ source, tool }) => `tool ${source}/${tool} waits for the user`],
  'tool-approval': [
    ({ approved }) => (approved ? 'info' : 'warn'),
    ({ source, tool, approved, reason }) =>
      `tool ${source}/${tool} ${approved ? 'approved' : 'denied'}${because(reason)}`,
  ],
  'tool-progress': [
    'debug',
    ({ source, tool, progress, total }) =>
      `tool ${source}/${tool} at ${progress}${total === undefined ? '' : `/${total}`}`,
  ],
  'tool-retry': ['warn', ({ source, tool, attempt, reason }) => `tool ${source}/${tool} retry ${attempt}: ${reason}`],
  'tool-end': [
    ({ isError }) => (isError ? 'warn' : 'info'),
    ({ source, tool, isError, durationMs }) =>
      `tool ${source}/${tool} ${isError ? 'failed' : 'done'}, ${durationMs} ms`,
  ],
  'mcp-connect': [
    'info',
    ({ server, tools, durationMs }) => `MCP server "${server}" connected, ${tools} tools, ${durationMs} ms`,
  ],
  'mcp-error': ['warn', ({ message }) => message],
  warning: ['warn', ({ message }) => message],
}));

function cacheLine({ round, at, change, name, ...tokens }: Extract<ObserverEvent, { type: 'cache-break' }>): string {
  const { expectedTokens = '?', cachedTokens = '?' } = tokens;
  const what = at === undefined ? 'nothing changed' : `${at}${name === undefined ? '' : ` (${name})`} ${change}`;
  return `prompt cache of round ${round}: ${what}, ${cachedTokens} of ${expectedTokens} tokens were cached`;
}

function because(reason: string | undefined): string {
  return reason === undefined || reason === '' ? '' : `: ${reason}`;
}

/**
 * An observer that writes a line per event to a logger, with the event as data. Requests, rounds and progress are
 * `debug`, problems `warn` or `error`, the rest `info`. pino wants the data before the message: `objectFirst`.
 * `console` prints the data in full, request bodies included: `data: false` leaves it out.
 *
 * @example
 * createResponsesProvider({ onEvent: logEvents(console, { data: false }) });
 * createResponsesProvider({ onEvent: logEvents(pino(), { objectFirst: true }) });
 */
export function logEvents(
  logger: Logger,
  options?: { readonly objectFirst?: false; readonly data?: boolean },
): Observer;
export function logEvents(logger: ObjectFirstLogger, options: { readonly objectFirst: true }): Observer;
export function logEvents(
  logger: Logger | ObjectFirstLogger,
  { objectFirst = false, data = true }: { readonly objectFirst?: boolean; readonly data?: boolean } = {},
): Observer {
  return (event) => {
    // TypeScript cannot see that type and line of the table belong together.
    const [level, say] = lines()[event.type] as Line<ObserverEvent['type']>;
    // Includes texts of servers and tools.
    const message = `[responses-loop] ${showControls(say(event))}`;
    // The type does not show which of the two the option is.
    const target = logger as Record<LogLevel, (...line: unknown[]) => unknown>;
    const line = objectFirst ? [event, message] : data ? [message, event] : [message];
    ignoreErrors(() => target[typeof level === 'function' ? level(event) : level](...line));
  };
}
