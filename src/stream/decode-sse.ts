import { createParser } from 'eventsource-parser';

/** One message of an event stream, before anybody looked at its data. */
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
