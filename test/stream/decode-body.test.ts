import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BodyDecoder } from '../../src/stream/decode-body.js';
import type { DecodedEvent } from '../../src/stream/decode-event.js';
import { everyByte, randomCuts } from '../../src/testing.js';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function decode(chunks: readonly Uint8Array[]) {
  const events: DecodedEvent[] = [];
  const decoder = new BodyDecoder((event) => events.push(event));
  for (const chunk of chunks) decoder.feed(chunk);
  decoder.end();
  return { events, decoder };
}

const EVENT = { type: 'x', text: '喵 🦆 é' };
const SSE = `data: ${JSON.stringify(EVENT)}\n\n`;

describe('what a body is, whatever its label says', () => {
  it.each<[string, string, string | undefined]>([
    ['an event stream', SSE, 'sse'],
    ['one that begins with an event line', `event: x\n${SSE}`, 'sse'],
    ['one that begins with a comment', `: hi\n\n${SSE}`, 'sse'],
    ['one that begins with empty lines', `\n\r\n  \n${SSE}`, 'sse'],
    ['one that begins with a byte order mark', `\uFEFF${SSE}`, 'sse'],
    ['a JSON object', '{"output":[]}', 'json'],
    ['a JSON object after blanks and a byte order mark', '\uFEFF \n {"output":[]}', 'json'],
    ['a JSON list', '[]', 'json'],
    ['a page', '<html>', 'html'],
    ['a page after blanks', '\n\n  <!doctype html>', 'html'],
    ['XML', '<?xml version="1.0"?>', 'html'],
    ['plain text', 'Not found', 'sse'],
    ['nothing', '', undefined],
    ['blanks', ' \n\n', undefined],
  ])('%s', (_name, text, kind) => {
    expect(decode([encode(text)]).decoder.kind).toBe(kind);
    expect(decode(everyByte(encode(text))).decoder.kind).toBe(kind);
  });
});

describe('bytes', () => {
  it('a character may be cut anywhere', () => {
    const bytes = encode(SSE);
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(decode([bytes.slice(0, at), bytes.slice(at)]).events).toEqual([EVENT]);
    }
  });

  it('chunks of any size give the same events', () => {
    const text = fc
      .array(
        fc.constantFrom(
          SSE,
          'data:{"a":"é"}\r\n\r\n',
          ': comment\n\n',
          'event: e\ndata: {"b":1}\n\n',
          'data: [DONE]\n\n',
          'data: broken\n\n',
          '\n',
        ),
        { maxLength: 6 },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.nat(), fc.integer({ min: 1, max: 60 }), (body, seed, maxBytes) => {
        const bytes = encode(body);
        const { events, decoder } = decode(randomCuts({ seed, maxBytes })(bytes));
        const whole = decode([bytes]);
        expect(events).toEqual(whole.events);
        expect([decoder.kind, decoder.brokenMessages, decoder.sawMessage, decoder.preview]).toEqual([
          whole.decoder.kind,
          whole.decoder.brokenMessages,
          whole.decoder.sawMessage,
          whole.decoder.preview,
        ]);
      }),
    );
  });

  it('bytes that are no UTF-8 do not stop what comes after them', () => {
    expect(
      decode([encode('data: {"type":"a","t":"'), new Uint8Array([0xff, 0xfe]), encode(`"}\n\n${SSE}`)]).events,
    ).toMatchObject([{ type: 'a' }, EVENT]);
  });
});

describe('messages that are broken', () => {
  it('are counted and passed over', () => {
    const { events, decoder } = decode([encode(`data: {"half\n\n${SSE}data: nonsense\n\n${SSE}`)]);
    expect(events).toEqual([EVENT, EVENT]);
    expect([decoder.brokenMessages, decoder.sawMessage]).toEqual([2, true]);
  });

  it('keep-alives and end marks are neither events nor broken', () => {
    const { events, decoder } = decode([encode(`: x\n\ndata:\n\ndata: : X\n\ndata:  [DONE]\n\n`)]);
    expect([events, decoder.brokenMessages, decoder.sawMessage]).toEqual([[], 0, false]);
  });

  it('JSON that breaks off is broken', () => {
    const { events, decoder } = decode([encode('{"output":[{"type":"mess')]);
    expect([events, decoder.brokenMessages, decoder.sawMessage]).toEqual([[], 1, false]);
  });
});

describe('the preview', () => {
  it('is the first 200 characters, whatever the chunks', () => {
    const text = `<p>${'x'.repeat(500)}`;
    expect(decode([encode(text)]).decoder.preview).toBe(text.slice(0, 200));
    expect(decode(randomCuts({ seed: 1 })(encode(text))).decoder.preview).toBe(text.slice(0, 200));
  });
});
