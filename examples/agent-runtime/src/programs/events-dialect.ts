import type { DriverStreamEvent } from '../types/index.js';
import type { Dialect, Heard, Line } from './dialect.js';

const KNOWN: ReadonlySet<unknown> = new Set<DriverStreamEvent['type']>([
  'message_start',
  'text_delta',
  'thinking_delta',
  'tool_use_start',
  'input_json_delta',
  'tool_use_stop',
  'tool_result',
  'message_delta',
  'message_stop',
  'warning',
  'error',
  'interrupted',
]);

/**
 * Programs that speak the events of this one: `{"type":"message","data":{"content"}}` and `{"type":"interrupt"}` go in, events
 * come out, and `{"type":"session","data":{"sessionId"}}` names the talk.
 */
export function eventsDialect(): Dialect {
  return {
    resume: (sessionId) => ['--session', sessionId],
    message: ({ content }) => ({ type: 'message', data: { content } }),
    interrupt: () => ({ type: 'interrupt' }),
    hear,
  };
}

function hear({ type, timestamp, data }: Line): Heard {
  if (typeof data !== 'object' || data === null) return {};
  const { sessionId } = data as { readonly sessionId?: unknown };
  if (type === 'session') return typeof sessionId === 'string' ? { sessionId } : {};
  if (!KNOWN.has(type)) return {};
  const at = typeof timestamp === 'number' ? timestamp : Date.now();
  return { events: [{ type, timestamp: at, data } as DriverStreamEvent] };
}
