import { describe, expect, it } from 'vitest';
import type { ChatPart } from '../../src/types.js';
import { pictureOfFile, picturesOf, withoutPictures } from '../../page/lib/output-pictures.js';
import { sourcesOf } from '../../page/lib/sources.js';
import { PICTURES, SVG } from '../support/pictures.js';

const kept = (url: string) => ({ ok: true, picture: { url, alt: 'A dot' } });
const NAME = `${'0'.repeat(32)}.png`;
const svg = Buffer.from(SVG).toString('base64');

describe('pictures of an output', () => {
  it('are those that our own tool kept on this server, and no other address', () => {
    const url = `/api/sessions/chat_1/pictures/${NAME}`;
    expect(picturesOf(kept(url), true)).toEqual([{ picture: { kind: 'kept', url }, alt: 'A dot' }]);
    for (const other of [
      `https://evil.example${url}`,
      `//evil.example${url}`,
      `/api/sessions/../x/pictures/${NAME}`,
      '/api/sessions',
      `${url}?x`,
    ]) {
      expect(picturesOf(kept(other), true), other).toEqual([]);
    }
    expect(picturesOf(kept(url), false)).toEqual([]);
  });

  it.each([
    ['MCP', (data: string) => ({ content: [{ type: 'image', data, mimeType: 'image/png' }] })],
    [
      'the AI SDK',
      (data: string) => ({ type: 'content', value: [{ type: 'image-data', data, mediaType: 'image/png' }] }),
    ],
    ['a list', (data: string) => [{ type: 'image-data', data, mediaType: 'image/png' }]],
  ])('of another tool are known by their bytes, in the form of %s', (_name, output) => {
    const [found] = picturesOf(output(PICTURES.gif), false);
    expect(found?.picture.url).toBe(`data:image/gif;base64,${PICTURES.gif}`);
    expect(picturesOf(output(svg), false)).toEqual([]);
    expect(picturesOf(output('%%%'), false)).toEqual([]);
    expect(JSON.stringify(withoutPictures(output(PICTURES.gif)))).not.toContain(PICTURES.gif);
  });

  it('of a message are known by their bytes, whatever their address calls them', () => {
    expect(pictureOfFile(`data:image/svg+xml;base64,${PICTURES.png}`)?.url).toMatch(/^data:image\/png/);
    expect(pictureOfFile(`data:image/png;base64,${svg}`)).toBeUndefined();
    expect(pictureOfFile('https://evil.example/a.png')).toBeUndefined();
    expect(pictureOfFile(`data:image/png,${PICTURES.png}`)).toBeUndefined();
  });
});

describe('sources', () => {
  const source = (url: string, title?: string): ChatPart => ({
    type: 'source-url',
    sourceId: url,
    url,
    ...(title === undefined ? {} : { title }),
  });

  it('are web addresses, each once, by title or host', () => {
    const parts = [
      source('https://a.example/x', 'Ducks'),
      source('https://a.example/x', 'Again'),
      source('http://b.example:8080/', '  '),
      source('javascript:alert(1)', 'bad'),
      source('data:text/html,x'),
      source('not an address'),
    ];
    expect(sourcesOf(parts)).toEqual([
      { url: 'https://a.example/x', host: 'a.example', title: 'Ducks' },
      { url: 'http://b.example:8080/', host: 'b.example:8080', title: 'b.example:8080' },
    ]);
  });
});
