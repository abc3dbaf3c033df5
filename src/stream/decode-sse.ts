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
  return {
    feed: (text) => parser.feed(text),
    end: () => parser.feed('\n\n'),
  };
}
