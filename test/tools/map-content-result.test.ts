import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitFiles, mapContentResult } from '../../src/tools/map-content-result.js';

const text = (value: string): object => ({ type: 'text', text: value });
const file = (mediaType: string, base64: string, filename?: string): object => ({
  type: 'file',
  mediaType,
  source: { type: 'data', base64 },
  ...(filename === undefined ? {} : { filename }),
});

describe('blocks', () => {
  it.each<[string, object, object]>([
    ['text', { type: 'text', text: 'a' }, text('a')],
    ['image', { type: 'image', data: 'AAA', mimeType: 'image/png' }, file('image/png', 'AAA')],
    [
      'image as a data URL',
      { type: 'image', data: 'data:image/png;base64,AAA', mimeType: 'image/png' },
      file('image/png', 'AAA'),
    ],
    ['image without a type', { type: 'image', data: 'AAA' }, file('image/*', 'AAA')],
    ['audio', { type: 'audio', data: 'AAA', mimeType: 'audio/wav' }, file('audio/wav', 'AAA')],
    ['text resource', { type: 'resource', resource: { uri: 'x://a', text: 'inside' } }, text('inside')],
    [
      'binary resource',
      { type: 'resource', resource: { uri: 'x://dir/a.zip?x', blob: 'AAA', mimeType: 'application/zip' } },
      file('application/zip', 'AAA', 'a.zip'),
    ],
    [
      'resource link',
      { type: 'resource_link', name: 'Plan', uri: 'file:///plan.md', mimeType: 'text/markdown' },
      text('Resource "Plan": file:///plan.md (text/markdown)'),
    ],
    ['unknown block', { type: 'video', url: 'x' }, text('{"type":"video","url":"x"}')],
  ])('%s', (_name, block, expected) => {
    expect(mapContentResult({ content: [block] })).toEqual({ isError: false, content: [expected] });
  });
});

describe('results', () => {
  it('an error keeps its text', () => {
    expect(mapContentResult({ isError: true, content: [text('no such file')] })).toEqual({
      isError: true,
      content: [text('no such file')],
    });
  });

  it('the model reads text and structured value, the value alone where there is no text, and nothing twice', () => {
    const value = { a: 1, b: [2] };
    const read = (words: string[], ...how: [undefined?, ('both' | 'text' | 'structured')?]) =>
      mapContentResult({ structuredContent: value, content: words.map(text) }, ...how).content;
    const json = text('{"a":1,"b":[2]}');
    expect(read(['one'])).toEqual([text('one'), json]);
    expect(read(['one', '{ "b": [2],\n "a": 1 }'])).toEqual([text('one'), text('{ "b": [2],\n "a": 1 }')]);
    const wrapped = { structuredContent: { content: 'three ducks' }, content: [text('three ducks')] };
    expect(mapContentResult(wrapped).content).toEqual([text('three ducks')]);
    expect(read(['{"a":1}'])).toEqual([text('{"a":1}'), json]);
    expect(read(['one'], undefined, 'text')).toEqual([text('one')]);
    expect(read(['one'], undefined, 'structured')).toEqual([json]);
    const picture = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
    const seen = mapContentResult(
      { structuredContent: value, content: [picture, text('one')] },
      undefined,
      'structured',
    );
    expect(seen.content).toEqual([file('image/png', 'AAAA'), json]);
  });

  it('of an error the model reads both, whatever is set', () => {
    const failed = { isError: true, structuredContent: { code: 7 }, content: [text('failed')] };
    for (const shows of ['both', 'text', 'structured'] as const)
      expect(mapContentResult(failed, undefined, shows).content).toEqual([text('failed'), text('{"code":7}')]);
  });

  it('any value is read once where its text is the same, in whatever spelling', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(4), (value, indent) => {
        const { content } = mapContentResult({
          structuredContent: value,
          content: [text(JSON.stringify(value, undefined, indent))],
        });
        expect(content).toHaveLength(1);
      }),
    );
  });

  it('the structured value is kept for user interfaces', () => {
    const value = { a: 1 };
    expect(mapContentResult({ structuredContent: value, content: [text('one')] }).value).toEqual(value);
    expect(mapContentResult({ structuredContent: value, content: [] })).toEqual({
      isError: false,
      value,
      content: [text('{"a":1}')],
    });
    expect(mapContentResult({ toolResult: value })).toEqual({ isError: false, value, content: [text('{"a":1}')] });
  });

  it.each([{}, { content: [] }, { content: [text('')] }, { content: null }, { content: [null] }])(
    'says so when there is nothing: %j',
    (result) => {
      expect(mapContentResult(result)).toEqual({ isError: false, content: [text('(no output)')] });
    },
  );
});

describe('files that are too large', () => {
  const image = (bytes: number): object => ({
    type: 'image',
    data: 'A'.repeat((bytes * 4) / 3),
    mimeType: 'image/png',
  });

  it('become a line with type and size; what fits is sent', () => {
    const { content } = mapContentResult({ content: [image(6), image(9), image(3)] }, 10);
    expect(content).toEqual([
      file('image/png', 'A'.repeat(8)),
      text('[image/png left out: 0.0 MB, the limit is 0.0 MB]'),
      file('image/png', 'AAAA'),
    ]);
  });

  it('the limit is 20 MB for all files of an output', () => {
    const { content } = mapContentResult({ content: [image(12_000_000), image(12_000_000)] });
    expect(content[0]).toMatchObject({ type: 'file' });
    expect(content[1]).toEqual(text('[image/png left out: 12.0 MB, the limit is 20.0 MB]'));
  });

  it('the name is kept, padding does not count, and links weigh nothing', () => {
    const pdf = { type: 'file', mediaType: 'application/pdf', filename: 'a.pdf' } as const;
    const link = { ...pdf, source: { type: 'url', url: 'https://x' } } as const;
    const small = { ...pdf, source: { type: 'data', base64: 'AA==' } } as const;
    const output = { isError: false, content: [link, small] };
    expect(limitFiles(output, 1)).toBe(output);
    expect(limitFiles(output, 0).content).toEqual([
      link,
      text('[a.pdf (application/pdf) left out: 0.0 MB, the limit is 0.0 MB]'),
    ]);
  });
});

describe('blocks for the user only', () => {
  const annotated = (audience: string[]): object => ({ ...text('hello'), annotations: { audience } });

  it('are named to the model and kept for user interfaces', () => {
    const content = [annotated(['user']), annotated(['user', 'assistant']), annotated([])];
    expect(mapContentResult({ content })).toEqual({
      isError: false,
      content: [text('[text, 5 characters: for the user only]'), text('hello'), text('hello')],
      value: { content },
    });
  });

  it('are named to the model as well if they are all that came', () => {
    const content = [annotated(['user'])];
    expect(mapContentResult({ content })).toEqual({
      isError: false,
      content: [text('[text, 5 characters: for the user only]')],
      value: { content },
    });
  });

  it('do not displace the structured value', () => {
    expect(mapContentResult({ content: [annotated(['user'])], structuredContent: { a: 1 } }).value).toEqual({ a: 1 });
  });

  it('are sent when they say what went wrong', () => {
    expect(mapContentResult({ isError: true, content: [annotated(['user'])] }).content).toEqual([text('hello')]);
  });

  it('base64 that was broken into lines is put together', () => {
    const block = { type: 'image', data: 'AA\nAA', mimeType: 'image/png' };
    expect(mapContentResult({ content: [block] }).content).toEqual([file('image/png', 'AAAA')]);
  });
});
