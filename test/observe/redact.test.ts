import { describe, expect, it } from 'vitest';
import { redactBody, redactHeaders, redactSecrets, redactUrl } from '../../src/observe/redact.js';

describe('K03 I18 headers', () => {
  it.each([
    'Authorization',
    'proxy-authorization',
    'api-key',
    'X-Api-Key',
    'x-goog-api-key',
    'Cookie',
    'set-cookie',
    'x-auth-token',
    'x-client-secret',
    'Ocp-Apim-Subscription-Key',
    'x-portkey-api-key',
    'helicone-auth',
    'cf-aig-authorization',
    'x-password',
  ])('%s shows its last four characters only', (name) => {
    expect(redactHeaders({ [name]: 'Bearer sk-1234567890' })).toEqual({ [name]: '…7890' });
  });

  it('short values show nothing', () => {
    expect(redactHeaders({ authorization: 'sk-12345' })).toEqual({ authorization: '[redacted]' });
  });

  it.each([
    ['content-type', 'application/json'],
    ['x-request-id', 'req_0123456789'],
    ['retry-after', '20'],
    ['x-ratelimit-remaining-tokens', '149984'],
    ['x-ratelimit-reset-tokens', '6m0s'],
    ['www-authenticate', 'Bearer realm="api"'],
    ['openai-organization', 'org-0123456789'],
  ])('%s is left alone', (name, value) => {
    expect(redactHeaders({ [name]: value })).toEqual({ [name]: value });
  });
});

describe('K03 URLs', () => {
  it.each([
    ['https://me:pw@relay.example.com/v1', 'https://relay.example.com/v1'],
    ['https://relay.example.com/v1?key=abc', 'https://relay.example.com/v1?key=%5Bredacted%5D'],
    ['https://relay.example.com/v1?API_KEY=abc&a=1', 'https://relay.example.com/v1?API_KEY=%5Bredacted%5D&a=1'],
    ['https://relay.example.com/v1?access_token=abc', 'https://relay.example.com/v1?access_token=%5Bredacted%5D'],
    ['https://relay.example.com/v1?client_secret=abc', 'https://relay.example.com/v1?client_secret=%5Bredacted%5D'],
    ['https://relay.example.com/v1?password=abc', 'https://relay.example.com/v1?password=%5Bredacted%5D'],
    [
      'https://relay.example.com/v1?subscription-key=abc',
      'https://relay.example.com/v1?subscription-key=%5Bredacted%5D',
    ],
    ['https://relay.example.com/v1?key=abc&key=def', 'https://relay.example.com/v1?key=%5Bredacted%5D'],
    [
      'https://relay.example.com/v1/responses?api-version=preview',
      'https://relay.example.com/v1/responses?api-version=preview',
    ],
    ['not a url //me:pw@host', 'not a url //host'],
  ])('%s is shown as %s', (url, expected) => {
    expect(redactUrl(url)).toBe(expected);
  });
});

describe('K03 bodies', () => {
  it('sealed reasoning and credentials are hidden at any depth; the rest is a copy', () => {
    const body = {
      input: [
        { type: 'reasoning', encrypted_content: 'sealed', summary: [] },
        { type: 'message', content: [{ text: 'token' }] },
      ],
      tools: [
        { type: 'mcp', authorization: 'Bearer abc', headers: { Authorization: 'Bearer abc', 'X-Api-Key': 'abc' } },
      ],
      metadata: { apiKey: 'abc', client_secret: 'abc', token: 'abc', prompt_cache_key: 'chat-1' },
      max_output_tokens: 5,
    };
    const before = structuredClone(body);
    expect(redactBody(body)).toEqual({
      input: [
        { type: 'reasoning', encrypted_content: '[redacted]', summary: [] },
        { type: 'message', content: [{ text: 'token' }] },
      ],
      tools: [
        {
          type: 'mcp',
          authorization: '[redacted]',
          headers: { Authorization: '[redacted]', 'X-Api-Key': '[redacted]' },
        },
      ],
      metadata: { apiKey: '[redacted]', client_secret: '[redacted]', token: '[redacted]', prompt_cache_key: 'chat-1' },
      max_output_tokens: 5,
    });
    expect(body).toEqual(before);
  });

  it('a tool parameter called token is a schema, not a secret', () => {
    const schema = { properties: { token: { type: 'string' }, password: { type: 'string' } } };
    expect(redactBody(schema)).toEqual(schema);
  });

  it.each([[null], ['text'], [5], [true], [undefined]])('%s is given back', (value) => {
    expect(redactBody(value)).toBe(value);
  });
});

describe('K03 texts', () => {
  it('every given secret goes, wherever and however often it stands', () => {
    expect(redactSecrets('key sk-one, again sk-one; sk-two.', ['sk-one', 'sk-two'])).toBe(
      'key [redacted], again [redacted]; [redacted].',
    );
  });

  it('a secret that contains another one goes whole', () => {
    expect(redactSecrets('sk-abcd-full', ['sk-abcd', 'sk-abcd-full'])).toBe('[redacted]');
  });

  it('keys of local servers such as "x" are no secrets, and would tear every text apart', () => {
    expect(redactSecrets('six boxes', ['x', 'abc', ''])).toBe('six boxes');
  });
});
