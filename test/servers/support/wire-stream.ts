import { isRecord } from '../../../src/util/guards.js';

export type WireObject = Readonly<Record<string, unknown>>;

/** One JSON event per line, as some projects keep their recordings, framed as the server had sent it. */
export function framed(lines: string): Uint8Array {
  const frames = lines
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => `data: ${line.trim()}\n\n`);
  return new TextEncoder().encode(frames.join(''));
}

/** The events of a stream, read by the book and by nothing of ours: what our own reading is measured against. */
export function wireEvents(bytes: Uint8Array): WireObject[] {
  return new TextDecoder()
    .decode(bytes)
    .split(/\r?\n\r?\n/)
    .map((frame) => frame.split(/\r?\n/).filter((line) => line.startsWith('data:')))
    .map((lines) => lines.map((line) => line.slice('data:'.length).trim()).join('\n'))
    .filter((data) => data.startsWith('{'))
    .flatMap((data) => parsed(data));
}

/** A stream that was cut may end inside an event. */
function parsed(data: string): WireObject[] {
  try {
    const value: unknown = JSON.parse(data);
    return isRecord(value) ? [value] : [];
  } catch {
    return [];
  }
}

export function isResponsesStream(events: readonly WireObject[]): boolean {
  return events.some((event) => String(event['type']).startsWith('response.'));
}
