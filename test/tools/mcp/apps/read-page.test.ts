import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clean } from '../../../../src/core/clean-text.js';
import { readPage } from '../../../../src/tools/mcp/apps/read-page.js';

const uri = 'ui://shop/cart';
const request = { uri, place: clean`ui://shop/cart of MCP server "shop"`, limits: { pageChars: 1_000 } };
const page = { uri, mimeType: 'text/html;profile=mcp-app', text: '<p>Cart</p>' };
const read = (content: object, limits = request.limits) =>
  readPage({ contents: [{ ...page, ...content }] }, { ...request, limits });
const withUi = (ui: unknown) => read({ _meta: { ui } });
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('the content of a page', () => {
  it('may be a text, or one in base64', () => {
    expect(read({}).html).toBe('<p>Cart</p>');
    expect(read({ text: undefined, blob: base64('<p>Körbchen 🦆</p>') }).html).toBe('<p>Körbchen 🦆</p>');
  });

  it('is the one of the address that was asked for', () => {
    const other = { ...page, uri: 'ui://shop/other', text: 'other' };
    expect(readPage({ contents: [null, other, page] }, request).html).toBe('<p>Cart</p>');
    for (const contents of [undefined, 'text', [], [other]])
      expect(() => readPage({ contents }, request)).toThrow('the answer of the server does not have it.');
  });

  it.each(['text/html', 'text/html;profile=other', 'text/html;profile=mcp-app;x=1', '', undefined, 7])(
    'is refused if its type is %j',
    (mimeType) => {
      expect(() => read({ mimeType })).toThrow('its type must be "text/html;profile=mcp-app"');
    },
  );

  it('may have blanks and capitals in its type', () => {
    expect(read({ mimeType: 'text/html; profile=MCP-App' }).mimeType).toBe('text/html;profile=mcp-app');
  });

  it.each([{}, { text: 7 }, { blob: '*' }, { blob: 7 }])('is refused if there is no text: %j', (content) => {
    expect(() => read({ text: undefined, ...content })).toThrow('neither `text` nor a `blob` in base64');
  });

  it('has the characters of the limit at most, in either form', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 40 }),
        fc.integer({ min: 1, max: 40 }),
        (html, pageChars) => {
          for (const content of [{ text: html }, { text: undefined, blob: base64(html) }]) {
            const reading = () => read(content, { pageChars }).html;
            if (html.length > pageChars) expect(reading).toThrow(/characters \(limit: limits.pageChars\)/);
            else expect(reading()).toBe(html);
          }
        },
      ),
    );
  });
});

describe('what a page wishes for', () => {
  it('is given in the form of MCP Apps, so that it can be handed on', () => {
    const csp = {
      connectDomains: ['https://api.shop.example', 'wss://live.shop.example:8443'],
      resourceDomains: ['https://*.cdn.example', 'http://localhost:3000/assets/'],
      frameDomains: [],
    };
    const permissions = { camera: {}, clipboardWrite: {} };
    expect(withUi({ csp, permissions, domain: 'a1.shop.example', prefersBorder: false })).toEqual({
      uri,
      mimeType: page.mimeType,
      html: page.text,
      ...{ csp, permissions, domain: 'a1.shop.example', prefersBorder: false },
      warnings: [],
    });
  });

  it.each([undefined, null, 7, [], { csp: 7, permissions: [], domain: {}, prefersBorder: 'yes' }])(
    'is nothing if it has another form: %j',
    (ui) => {
      expect(withUi(ui)).toEqual({
        uri,
        mimeType: page.mimeType,
        html: page.text,
        csp: {},
        permissions: {},
        warnings: [],
      });
    },
  );

  it.each([
    "'unsafe-eval'",
    '*',
    'https:',
    'https://',
    'data:',
    'blob:',
    'javascript://x',
    'https://a.example; script-src *',
    'https://a.example https://b.example',
    'https://a.example,https://b.example',
    'https://a.example\nx',
    'https://user@a.example',
    'https://a.example/?q',
    'https://*',
    'https://*.',
    `https://${'a'.repeat(300)}.example`,
    7,
  ])('never holds a source that could allow more than a host: %j', (source) => {
    expect(withUi({ csp: { connectDomains: [source, 'https://a.example'] } })).toMatchObject({
      csp: { connectDomains: ['https://a.example'] },
      warnings: ['1 of 2 entries of `csp.connectDomains` are no sources with a host, and left out.'],
    });
  });

  it('never has what ends or widens a directive, whatever a server sends', () => {
    const wild = fc.array(fc.oneof(fc.string(), fc.constantFrom('https://', '*.', 'a.example', "'", ';', ' ', ':80')));
    fc.assert(
      fc.property(fc.array(wild), (parts) => {
        const { csp } = withUi({ csp: { resourceDomains: parts.map((part) => part.join('')) } });
        for (const source of csp.resourceDomains ?? []) expect(source).toMatch(/^(?:https?|wss?):\/\/[^\s;,'"@?#]+$/i);
      }),
    );
  });

  it('has a hundred sources for a directive, and no permission that MCP Apps do not know', () => {
    const many = Array.from({ length: 150 }, (_, at) => `https://h${at}.example`);
    const { csp, permissions, warnings } = withUi({
      csp: { frameDomains: many, scriptDomains: many },
      permissions: { usb: {}, camera: true },
    });
    expect(csp.frameDomains).toHaveLength(100);
    expect(Object.keys(csp)).toEqual(['frameDomains']);
    expect(permissions).toEqual({});
    expect(warnings).toEqual(['`csp.frameDomains` has 150 entries; the first 100 are used.']);
  });
});
