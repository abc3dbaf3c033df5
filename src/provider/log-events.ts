import type { Observer, ObserverEvent } from '../observe/event.js';

/** What `console`, pino, winston and their like have in common. */
export interface Logger {
  debug(message: string, data: object): void;
  info(message: string, data: object): void;
  warn(message: string, data: object): void;
  error(message: string, data: object): void;
}

export type LogLevel = keyof Logger;

/** How loud an event is, and what is said of it. */
type Line<T extends ObserverEvent['type']> = readonly [
  level: LogLevel | ((event: Extract<ObserverEvent, { type: T }>) => LogLevel),
  say: (event: Extract<ObserverEvent, { type: T }>) => string,
];

const LINES: { readonly [T in ObserverEvent['type']]: Line<T> } = {
  'call-start': ['info', ({ callNumber, modelId }) => `call ${callNumber} to ${modelId}`],
  'call-end': [
    ({ finishReason }) => (finishReason === 'error' ? 'error' : 'info'),
    ({ callNumber, finishReason, rounds, durationMs }) =>
      `call ${callNumber} ended: ${finishReason}, ${rounds} rounds, ${durationMs} ms`,
  ],
  'round-start': ['debug', ({ callNumber, round }) => `call ${callNumber} round ${round}`],
  'round-end': [
    'debug',
    ({ callNumber, round, finishReason, calls, durationMs }) =>
      `call ${callNumber} round ${round} ended: ${finishReason}, ${calls} tool calls, ${durationMs} ms`,
  ],
  request: ['debug', ({ url }) => `POST ${url}`],
  response: [
    ({ status }) => (status >= 400 ? 'warn' : 'debug'),
    ({ url, status, durationMs }) => `${status} from ${url} after ${durationMs} ms`,
  ],
  'request-error': ['warn', ({ url, message }) => `POST ${url} failed: ${message}`],
  retry: ['warn', ({ url, attempt, delayMs, reason }) => `retry ${attempt} of ${url} in ${delayMs} ms: ${reason}`],
  key: [
    ({ what }) => (what === 'chosen' ? 'debug' : 'warn'),
    ({ key, what, reason }) => `key ${key} ${what}${reason === undefined ? '' : `: ${reason}`}`,
  ],
  'tool-start': ['info', ({ source, tool }) => `tool ${source}/${tool}`],
  'tool-approval': [
    ({ approved }) => (approved ? 'info' : 'warn'),
    ({ source, tool, approved }) => `tool ${source}/${tool} ${approved ? 'approved' : 'denied'}`,
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
};

/**
 * An observer that writes a line per event to a logger, with the event as data. Requests, rounds and progress are
 * `debug`, what went wrong `warn` or `error`, the rest `info`.
 *
 * @example
 * createResponsesProvider({ onEvent: logEvents(console) });
 */
export function logEvents(logger: Logger): Observer {
  return (event) => {
    // TypeScript cannot see that type and line of the table belong together.
    const [level, say] = LINES[event.type] as Line<ObserverEvent['type']>;
    logger[typeof level === 'function' ? level(event) : level](`[responses-loop] ${say(event)}`, event);
  };
}

/**
 * One observer out of several.
 *
 * @example
 * createResponsesProvider({ onEvent: observers(logEvents(console), httpLog(keep)) });
 */
export function observers(...all: readonly Observer[]): Observer {
  return (event) => {
    for (const observer of all) {
      try {
        observer(event);
      } catch {
        // One that fails takes nothing away from the others.
      }
    }
  };
}
