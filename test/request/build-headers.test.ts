import { describe, expect, it } from 'vitest';
import { buildHeaders, checkHeaders } from '../../src/request/build-headers.js';

describe('what is sent', () => {
  it('is the content type, what is accepted, the key, and nothing else', () => {
    expect(buildHeaders('bearer', 'k', [])).toEqual({
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
      authorization: 'Bearer k',
    });
  });

  it.each([
    ['bearer', { authorization: 'Bearer k' }],
    ['api-key', { 'api-key': 'k' }],
    ['x-goog-api-key', { 'x-goog-api-key': 'k' }],
    ['none', {}],
  ] as const)('the key goes out as %s', (auth, expected) => {
    const { 'content-type': _type, accept: _accept, ...rest } = buildHeaders(auth, 'k', []);
    expect(rest).toEqual(expected);
  });

  it('no key, no authorization', () => {
    expect(Object.keys(buildHeaders('bearer', undefined, []))).toEqual(['content-type', 'accept']);
  });
});

describe('layers of headers', () => {
  it('a later layer wins, whatever the case of the name', () => {
    const headers = buildHeaders('bearer', 'k', [
      { 'X-Team': 'provider', 'X-Keep': '1' },
      { 'x-team': 'model' },
      { 'X-TEAM': 'call' },
    ]);
    expect(headers).toMatchObject({ 'x-team': 'call', 'x-keep': '1' });
    expect(Object.keys(headers).filter((name) => name.toLowerCase() === 'x-team')).toHaveLength(1);
  });

  it.each([null, undefined])('%s takes a header away, the key included', (nothing) => {
    expect(buildHeaders('bearer', 'k', [{ 'x-team': 'a' }, { 'X-Team': nothing, Authorization: nothing }])).toEqual({
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
    });
  });

  it('a header of the user replaces the key', () => {
    expect(buildHeaders('bearer', 'k', [{ Authorization: 'Basic abc' }])['authorization']).toBe('Basic abc');
  });
});

describe('headers that cannot be sent', () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    ['a line break', { 'x-a': 'one\ntwo' }, /headers: the header "x-a" contains a line break/],
    ['a carriage return', { 'x-a': 'one\rtwo' }, /"x-a" contains a line break/],
    ['letters outside Latin-1', { 'x-title': 'Чат' }, /"x-title" contains a character that HTTP does not allow/],
    ['a control character', { 'x-a': 'one\u0007' }, /"x-a" contains a character/],
    ['a name with a blank', { 'x a': '1' }, /"x a" has a name that HTTP does not allow/],
    ['a name with a colon', { 'x-a:': '1' }, /"x-a:" has a name/],
    ['an empty name', { '': '1' }, /"" has a name/],
    ['a number', { 'x-a': 5 }, /"x-a" must be a string, not number/],
  ])('%s is refused by name', (_name, headers, message) => {
    const check = (): void => checkHeaders(headers as Record<string, string>, 'headers');
    expect(check).toThrow(expect.objectContaining({ code: 'invalid-settings' }));
    expect(check).toThrow(message);
  });

  it('null, undefined, tabs and Latin-1 are fine', () => {
    expect(() => checkHeaders({ a: null, b: undefined, c: 'one\ttwo', d: 'café' }, 'headers')).not.toThrow();
  });
});
