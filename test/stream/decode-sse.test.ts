import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createSseDecoder, type SseMessage } from '../../src/stream/decode-event.js';

function decode(...texts: string[]): SseMessage[] {
  const messages: SseMessage[] = [];
  const decoder = createSseDecoder(({ event, data }) => messages.push({ event, data }));
  for (const text of texts) decoder.feed(text);
  decoder.end();
  return messages;
}

const STREAM =
  ': hello\nevent: a\ndata: {"x":1}\n\ndata:{"y":2}\nid: 7\nretry: 10\n\nevent:b\ndata: one\ndata: two\n\n: bye\n\ndata: last\n\n';
const MESSAGES = [
  { event: 'a', data: '{"x":1}' },
  { data: '{"y":2}' },
  { event: 'b', data: 'one\ntwo' },
  { data: 'last' },
];

describe('framing', () => {
  it.each<[string, string, SseMessage[]]>([
    ['LF', STREAM, MESSAGES],
    ['CR LF', STREAM.replaceAll('\n', '\r\n'), MESSAGES],
    ['CR', STREAM.replaceAll('\n', '\r'), MESSAGES],
    ['no blank after the colon (defect g)', 'data:{"x":1}\n\n', [{ data: '{"x":1}' }]],
    ['only one blank belongs to the colon', 'data:  x\n\n', [{ data: ' x' }]],
    ['a field without a value', 'data\n\n', [{ data: '' }]],
    ['an event without data is none', 'event: ping\n\n', []],
    ['several empty lines', '\n\n\ndata: x\n\n\n\n', [{ data: 'x' }]],
    ['comments only', ': OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n', []],
    ['no empty line at the end', 'data: x\n\ndata: y\n', [{ data: 'x' }, { data: 'y' }]],
    ['no line end at the end', 'data: x\n\ndata: y', [{ data: 'x' }, { data: 'y' }]],
    ['lines that are no fields', 'Hello\nHTTP/1.1 200 OK\n\ndata: x\n\n', [{ data: 'x' }]],
  ])('%s', (_name, text, expected) => {
    expect(decode(text)).toEqual(expected);
  });

  it('a text of carriage returns is not looked through anew behind each of them', () => {
    const search = vi.spyOn(String.prototype, 'indexOf');
    const text = '\r'.repeat(2_000);
    decode(text);
    const looked = search.mock.results.map(({ value }, call) => {
      const from = search.mock.calls[call]?.[1] ?? 0;
      const found = Number(value);
      return (found < 0 ? String(search.mock.contexts[call]).length : found) - from;
    });
    search.mockRestore();
    expect(looked.reduce((sum, length) => sum + length, 0)).toBeLessThan(10 * text.length);
  });

  it('gives the same messages wherever the text is cut and however lines end', () => {
    const line = fc.constantFrom(
      'data: a',
      'data:b',
      'data: {"c": "ü"}',
      ': comment',
      'event: e',
      'id: 1',
      '',
      '',
      'nonsense',
      'data',
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 12 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.nat(200), { maxLength: 6 }),
        (lines, end, cuts) => {
          const whole = `${lines.join('\n')}\n\n`;
          const text = whole.replaceAll('\n', end);
          const places = [0, ...cuts.filter((at) => at <= text.length).toSorted((a, b) => a - b), text.length];
          const pieces = places.slice(1).map((at, index) => text.slice(places[index], at));
          expect(decode(...pieces)).toEqual(decode(whole));
        },
      ),
      { numRuns: 500 },
    );
  });
});
