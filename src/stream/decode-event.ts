import { clean } from '../core/clean-text.js';
import { createParser } from 'eventsource-parser';
import { DEFAULT_LIMITS } from '../core/limits.js';
import type { RoundOutcome } from '../core/part.js';
import { limitReached } from '../errors/limit-reached.js';
import { asId, isRecord } from '../util/guards.js';
import { isDeeperThan } from '../util/json.js';

/** A message of an event stream, before its data is parsed. */
export interface SseMessage {
  readonly event?: string | undefined;
  readonly data: string;
}

/**
 * Returns complete messages before `feed` returns. `end`: the last message counts without its blank line (seen in
 * relays).
 */
export function createSseDecoder(onMessage: (message: SseMessage) => void): {
  feed(text: string): void;
  end(): void;
} {
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

/** A stream event as the server sent it; only its type was checked. */
export interface DecodedEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The events that end a response, with its outcome. `response.done` is xAI's word for completed. */
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

/** The events of the statuses that explain a response without output. */
export const TERMINAL_OF: ReadonlyMap<unknown, string> = new Map([
  ['failed', 'response.failed'],
  ['cancelled', 'response.failed'],
  ['incomplete', 'response.incomplete'],
]);

/** Data that carries nothing: the Chat Completions end mark, keep-alives, comments wrapped as data (OpenRouter relays). */
const NOTHING = /^\s*(?:\[DONE\]\s*|:[^]*)?$/;

/** `undefined`: no event. `'broken'`: data that is not a JSON object. Throws if it is nested too deeply. */
export function decodeEvent(
  message: SseMessage,
  levels = DEFAULT_LIMITS.jsonDepth,
): DecodedEvent | 'broken' | undefined {
  // An object counts as an event without further checks.
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
  if (typeof type === 'string' && type.startsWith('response.')) return value as DecodedEvent;
  // `{"error": {…}}` without an event type, or with the error's own type next to it.
  if (value['error'] != null && type !== 'error') return { ...value, type: 'error' };
  // A few servers send the type only on the `event:` line.
  return typeof type === 'string' ? (value as DecodedEvent) : { ...value, type: asId(message.event) ?? '' };
}

/**
 * Sent back, such a value would overflow the stack. Each level takes at least two characters, so most need no check.
 */
export function checkMessageDepth(value: unknown, text: string, levels: number): void {
  if (text.length > 2 * levels && isDeeperThan(value, levels))
    throw limitReached(clean`The answer contains JSON that is nested more than ${levels} levels deep`, {
      name: 'limits.jsonDepth',
      value: levels,
    });
}
