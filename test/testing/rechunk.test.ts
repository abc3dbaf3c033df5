import { describe, expect, it } from 'vitest';

import {
  encodeEvents,
  everyByte,
  randomCuts,
  randomPlaces,
  splitAt,
  toCr,
  toCrlf,
  whole,
  withBom,
  withComments,
  withDone,
  withoutEventLines,
} from '../../src/testing.js';

const bytes = encodeEvents([{ type: 'a', delta: 'é🦆' }, { type: 'b' }]);
const text = (given: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(given);

describe('cutting', () => {
  it.each([
    ['whole', whole],
    ['everyByte', everyByte],
    ['splitAt in the middle', splitAt(5)],
    ['splitAt before the start', splitAt(0)],
    ['splitAt behind the end', splitAt(10_000)],
    ['randomCuts', randomCuts({ seed: 1, maxBytes: 7 })],
  ])('%s gives the same bytes again and no empty chunk', (_, rechunk) => {
    const chunks = rechunk(bytes);
    expect(Buffer.concat(chunks)).toEqual(Buffer.from(bytes));
    expect(chunks.every((chunk) => chunk.length > 0)).toBe(true);
  });

  it('cuts the same way for the same seed only', () => {
    const lengths = (seed: number): number[] => randomCuts({ seed })(new Uint8Array(5000)).map((chunk) => chunk.length);
    expect(lengths(1)).toEqual(lengths(1));
    expect(lengths(1)).not.toEqual(lengths(2));
    expect(Math.max(...lengths(1))).toBeLessThanOrEqual(64);
  });

  it('chooses places inside the bytes', () => {
    const places = randomPlaces(10, 500, 1);
    expect(places).toHaveLength(500);
    expect([Math.min(...places), Math.max(...places)]).toEqual([1, 9]);
    expect(randomPlaces(1, 500, 1)).toEqual([]);
  });
});

describe('writing the same stream differently', () => {
  const stream = text(bytes);

  it('changes line ends', () => {
    expect(text(toCrlf(bytes))).toBe(stream.replaceAll('\n', '\r\n'));
    expect(text(toCr(bytes))).toBe(stream.replaceAll('\n', '\r'));
  });

  it('drops event lines and nothing else', () => {
    expect(text(withoutEventLines(bytes))).toBe('data: {"type":"a","delta":"é🦆"}\n\ndata: {"type":"b"}\n\n');
  });

  it('adds a byte order mark, comments and [DONE]', () => {
    expect(withBom(bytes).slice(0, 3)).toEqual(new Uint8Array([0xef, 0xbb, 0xbf]));
    expect(text(withComments(bytes, 'hi'))).toMatch(
      /^: hi\n\nevent: a\ndata: .*\n\n: hi\n\nevent: b\ndata: .*\n\n: hi\n\n$/,
    );
    expect(text(withDone(bytes))).toBe(`${stream}data: [DONE]\n\n`);
  });
});
