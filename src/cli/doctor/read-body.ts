import { createParser } from 'eventsource-parser';
import { asRecord } from '../../util/guards.js';
import { type Item, parsed } from './answer.js';

/** No probe asks for an answer that is nearly as long. */
const MAX_BYTES = 4_000_000;

export interface BodyRead {
  readonly text: string;
  readonly events: readonly Item[];
  readonly isStream: boolean;
  readonly hasEventLines: boolean;
  readonly chunks: number;
  /** When the first one came, as `performance.now()` has it. */
  readonly firstAt: number | undefined;
  /** `left`: `isEnough` said so. */
  readonly end: 'end' | 'left' | 'too-large';
}

/** Reads a body to its end, to its limit, or until enough was seen. Throws what the connection throws. */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  isEnough: (event: Item) => boolean,
): Promise<BodyRead> {
  const events: Item[] = [];
  const seen = { text: '', bytes: 0, chunks: 0, firstAt: undefined as number | undefined, isEnough: false };
  let hasEventLines = false;
  const parser = createParser({
    onEvent: ({ data, event: name }) => {
      hasEventLines ||= name !== undefined;
      const event = asRecord(parsed(data));
      if (event === undefined) return;
      events.push(event);
      seen.isEnough ||= isEnough(event);
    },
  });
  const utf8 = new TextDecoder();
  let end: BodyRead['end'] = 'end';
  const reader = body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || value === undefined) break;
    seen.firstAt ??= performance.now();
    seen.chunks += 1;
    seen.bytes += value.length;
    const text = utf8.decode(value, { stream: true });
    seen.text += text;
    parser.feed(text);
    end = seen.bytes > MAX_BYTES ? 'too-large' : seen.isEnough ? 'left' : 'end';
    if (end === 'end') continue;
    // What is still to come is not waited for.
    reader?.cancel().catch(() => {});
    break;
  }
  // The last event of a stream that ends without an empty line.
  parser.feed('\n\n');
  const isStream = events.length > 0 || /^\s*(?:data|event|id|:)/.test(seen.text.slice(0, 100));
  return { text: seen.text, events, isStream, hasEventLines, chunks: seen.chunks, firstAt: seen.firstAt, end };
}
