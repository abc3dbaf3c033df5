import { createParser } from 'eventsource-parser';
import { asRecord } from '../../util/guards.js';
import { parseJson } from '../../util/json.js';
import type { Item } from './answer.js';

/** No probe expects an answer of nearly this size. */
const MAX_BYTES = 4_000_000;

export interface BodyRead {
  readonly text: string;
  readonly events: readonly Item[];
  readonly isStream: boolean;
  readonly hasEventLines: boolean;
  readonly chunks: number;
  /** The arrival of the first event, by `performance.now()`. */
  readonly firstAt: number | undefined;
  /** `left`: `isEnough` was true. */
  readonly end: 'end' | 'left' | 'too-large';
}

/** Reads a body to its end, to its limit, or until `isEnough`. Throws the connection's error. */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  isEnough: (event: Item) => boolean,
): Promise<BodyRead> {
  const events: Item[] = [];
  const seen = { hasEventLines: false, isEnough: false, text: '', bytes: 0, chunks: 0 };
  const parser = createParser({
    onEvent: ({ data, event: name }) => {
      seen.hasEventLines ||= name !== undefined;
      const event = asRecord(parseJson(data));
      if (event === undefined) return;
      events.push(event);
      seen.isEnough ||= isEnough(event);
    },
  });
  const utf8 = new TextDecoder();
  let firstAt: number | undefined;
  let end: BodyRead['end'] = 'end';
  // Leaving the loop cancels the body, so the rest is not awaited.
  for await (const chunk of body ?? []) {
    firstAt ??= performance.now();
    seen.chunks += 1;
    seen.bytes += chunk.length;
    const text = utf8.decode(chunk, { stream: true });
    seen.text += text;
    parser.feed(text);
    end = seen.bytes > MAX_BYTES ? 'too-large' : seen.isEnough ? 'left' : 'end';
    if (end !== 'end') break;
  }
  // Ends the last event of a stream without a final empty line.
  parser.feed('\n\n');
  const { text, hasEventLines, chunks } = seen;
  const isStream = events.length > 0 || /^\s*(?:data|event|id|:)/.test(text.slice(0, 100));
  return { text, events, isStream, hasEventLines, chunks, firstAt, end };
}
