import { createSseDecoder } from '../../stream/decode-event.js';
import { isRecord } from '../../util/guards.js';
import { parseJson } from '../../util/json.js';

/** Returns the kind of a body, by the content type, or by the first line if that differs. */
export function bodyKind(contentType: string, body: Uint8Array): 'sse' | 'json' {
  if (contentType.toLowerCase().includes('event-stream')) return 'sse';
  const start = new TextDecoder().decode(body.subarray(0, 64));
  return /^\s*(?:(?:event|data|id|retry):|:)/.test(start) ? 'sse' : 'json';
}

/** Returns the JSON objects of a body: those of its events, or its only one. */
export function jsonOfBody(kind: 'sse' | 'json', body: Uint8Array): Record<string, unknown>[] {
  const texts: string[] = [];
  const text = new TextDecoder().decode(body);
  if (kind === 'json') texts.push(text);
  else {
    const decoder = createSseDecoder(({ data }) => texts.push(data));
    decoder.feed(text);
    decoder.end();
  }
  return texts.map(parseJson).filter(isRecord);
}

const TERMINALS: ReadonlySet<unknown> = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
  'response.done',
  'error',
]);

/** Returns whether a stream had its terminal event. */
export function isTerminated(objects: readonly Record<string, unknown>[]): boolean {
  return objects.some((event) => TERMINALS.has(event['type']));
}
