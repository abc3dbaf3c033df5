import { createParser } from 'eventsource-parser';
import { DEFAULT_LIMITS } from '../core/limits.js';
import type { RoundOutcome } from '../core/part.js';
import { limitReached } from '../errors/limit-reached.js';
import { asId, isRecord } from '../util/guards.js';
import { isDeeperThan } from '../util/json.js';

/** One message of an event stream, before its data is parsed. */
export interface SseMessage {
  readonly event?: string | undefined;
  readonly data: string;
}

export interface SseDecoder {
  /** Feeds text; messages that became complete are handed out before this returns. */
  feed(text: string): void;
  /** The stream is over: a last message without its blank line still counts (seen in relays). */
  end(): void;
}

export function createSseDecoder(onMessage: (message: SseMessage) => void): SseDecoder {
  const parser = createParser({ onEvent: onMessage });
  let endedInReturn = false;
  return {
    feed: (text) => {
      if (!endedInReturn && !text.includes('\r')) return parser.feed(text);
      const isRestOfEnd = endedInReturn && text.startsWith('\n');
      if (text !== '') endedInReturn = text.endsWith('\r');
      // The parser looks for a line feed anew behind every carriage return, up to the end of what it is fed.
      parser.feed((isRestOfEnd ? text.slice(1) : text).replaceAll(/\r\n?/g, '\n'));
    },
    end: () => parser.feed('\n\n'),
  };
}

/** A stream event as it came: only its type has been looked at. */
export interface DecodedEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The events that end a response, and what they make of it. `response.done` is xAI's word for completed. */
const OUTCOMES = {
  'response.completed': 'completed',
  'response.done': 'completed',
  'response.incomplete': 'incomplete',
  'response.failed': 'failed',
  'response.cancelled': 'failed',
  error: 'failed',
} satisfies Readonly<Record<string, RoundOutcome>>;

export type TerminalName = keyof typeof OUTCOMES;

export const TERMINALS: ReadonlyMap<string, RoundOutcome> = new Map(Object.entries(OUTCOMES));

/** Data that carries nothing: the Chat Completions end mark, keep-alives, comments wrapped as data (OpenRouter relays). */
const NOTHING = /^\s*(?:\[DONE\]\s*|:[^]*)?$/;

/** `undefined`: nothing in it. `'broken'`: data that is not a JSON object. Throws where it is nested too deep. */
export function decodeEvent(
  message: SseMessage,
  levels = DEFAULT_LIMITS.jsonDepth,
): DecodedEvent | 'broken' | undefined {
  // An object is something, without a closer look.
  if (!message.data.startsWith('{') && NOTHING.test(message.data)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(message.data);
  } catch {
    return 'broken';
  }
  checkMessageDepth(value, message.data, levels);
  if (!isRecord(value)) return 'broken';
  const { type } = value;
  const isNamed = typeof type === 'string' && type.startsWith('response.');
  return isNamed ? (value as DecodedEvent) : nameEvent(value, message.event);
}

/** Sent back, such a value would overflow the stack. Each level takes two characters at least, so most need no look. */
export function checkMessageDepth(value: unknown, text: string, levels: number): void {
  if (text.length > 2 * levels && isDeeperThan(value, levels))
    throw limitReached(`The answer holds JSON that is nested more than ${levels} levels deep`, {
      name: 'limits.jsonDepth',
      value: levels,
    });
}

/** Some servers put the type only on the `event:` line; a bare `{"error": …}` has none at all. */
function nameEvent(value: Record<string, unknown>, name: string | undefined): DecodedEvent {
  const isError = isBareError(value);
  if (typeof value['type'] === 'string' && !isError) return value as DecodedEvent;
  return { ...value, type: isError ? 'error' : (asId(name) ?? '') };
}

/** `{"error": {…}}` without an event type, or with the error's own type beside it. */
function isBareError(value: Record<string, unknown>): boolean {
  const type = value['type'];
  return value['error'] != null && (typeof type !== 'string' || !type.startsWith('response.')) && type !== 'error';
}
