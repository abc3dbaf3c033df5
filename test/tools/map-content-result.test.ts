import { describe, expect, it } from 'vitest';
import { mapContentResult } from '../../src/tools/map-content-result.js';

const text = (value: string): object => ({ type: 'text', text: value });
const file = (mediaType: string, base64: string, filename?: string): object => ({
  type: 'file',
  mediaType,
  source: { type: 'data', base64 },
  ...(filename === undefined ? {} : { filename }),
});

describe('M12 S1-34 blocks', () => {
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
  it('M16 an error keeps its text', () => {
    expect(mapContentResult({ isError: true, content: [text('no such file')] })).toEqual({
      isError: true,
      content: [text('no such file')],
    });
  });

  it('M16 the structured value is kept beside the text, and becomes the text where there is none', () => {
    const value = { a: 1 };
    expect(mapContentResult({ structuredContent: value, content: [text('one')] })).toEqual({
      isError: false,
      value,
      content: [text('one')],
    });
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
