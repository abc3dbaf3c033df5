import { describe, expect, it } from 'vitest';
import { openableUrl } from '../openable-url.js';

describe('an address that somebody else names', () => {
  it.each(['https://a.example/x?y=1#z', 'http://127.0.0.1:3000/'])('may be opened: %s', (text) => {
    expect(openableUrl(text)?.href).toBe(text);
  });

  it.each([
    ...['', 'a.example', '/path', 'javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'blob:https://a/b'],
    ...['https://bank.example@evil.example/', 'https://:word@evil.example/', `https://a.example/${'x'.repeat(4_000)}`],
  ])('may not be opened: %s', (text) => {
    expect(openableUrl(text)).toBeUndefined();
  });
});
