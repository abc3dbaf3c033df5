import { describe, expect, it } from 'vitest';
import { decodeEvent } from '../../src/stream/decode-event.js';

describe('what stands behind data:', () => {
  it.each<[string, string]>([
    ['nothing', ''],
    ['blanks', '  '],
    ['the end mark', '[DONE]'],
    ['the end mark between blanks', '  [DONE] '],
    ['a comment wrapped as data', ': OPENROUTER PROCESSING'],
    ['another one', '  : x'],
  ])('%s is no event', (_name, data) => {
    expect(decodeEvent({ data })).toBeUndefined();
  });

  it.each<[string, string]>([
    ['half an object', '{"type":"response.cre'],
    ['a text', 'hello'],
    ['a JSON text', '"hello"'],
    ['a number', '5'],
    ['null', 'null'],
    ['a list', '[{}]'],
    ['an end mark of its own', '[END]'],
  ])('%s is broken, which is not the end of the world', (_name, data) => {
    expect(decodeEvent({ data })).toBe('broken');
  });
});

describe('the type of an event', () => {
  it.each<[string, string | undefined, object, string]>([
    ['is in the data', undefined, { type: 'response.created' }, 'response.created'],
    ['in the data wins over the line', 'message', { type: 'response.created' }, 'response.created'],
    ['may stand only on the event line', 'response.created', { response: {} }, 'response.created'],
    ['may be an empty text in the data', 'response.created', { type: '' }, ''],
    ['may be missing altogether', undefined, { x: 1 }, ''],
    ['may be no text', 'response.created', { type: 5 }, 'response.created'],
    ['of a bare error is error', undefined, { error: { message: 'm' } }, 'error'],
    ['of a bare error text is error', undefined, { error: 'm' }, 'error'],
    [
      'of an error with a type of its own is error',
      undefined,
      { type: 'invalid_request_error', error: { message: 'm' } },
      'error',
    ],
    [
      'of a response event with an error in it stays',
      undefined,
      { type: 'response.failed', error: { message: 'm' } },
      'response.failed',
    ],
    ['of an event with a null error stays', 'response.created', { error: null }, 'response.created'],
  ])('%s', (_name, event, data, type) => {
    expect(decodeEvent({ data: JSON.stringify(data), ...(event === undefined ? {} : { event }) })).toEqual({
      ...data,
      type,
    });
  });

  it('a member called __proto__ harms nothing', () => {
    const event = decodeEvent({ data: '{"type":"x","__proto__":{"type":"y","polluted":true}}' });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(event).toMatchObject({ type: 'x' });
  });
});
