import { describe, expect, it } from 'vitest';
import { redactBody, redactHeaders, redactUrl, type SecretBearer, secretsOf } from '../../src/observe/redact.js';
import { knowing } from './support/knowing.js';

describe('headers', () => {
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
    'x-amz-credential',
    'x-jwt-assertion',
    'x-session',
    'x-pass',
    'x-signature',
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

describe('URLs', () => {
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
    ['https:/me:p//w@ho st/v1', 'https:/ho st/v1'],
    ['/login?accessToken=abc&a=1', '/login?accessToken=[redacted]&a=1'],
    ['https://b.example.com/a?X-Amz-Signature=abc', 'https://b.example.com/a?X-Amz-Signature=%5Bredacted%5D'],
    ['https://b.example.com/a?X-Amz-Credential=abc', 'https://b.example.com/a?X-Amz-Credential=%5Bredacted%5D'],
    ['https://b.example.com/a?pass=abc&jwt=d', 'https://b.example.com/a?pass=%5Bredacted%5D&jwt=%5Bredacted%5D'],
    ['https://b.example.com/a#access_token=abc', 'https://b.example.com/a#access_token=[redacted]'],
  ])('%s is shown as %s', (url, expected) => {
    expect(redactUrl(url)).toBe(expected);
  });
});

describe('bodies', () => {
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

  it.each([
    'aws_secret_access_key',
    'accessToken',
    'bearerToken',
    'secret_key',
    'private_key',
    'access_key',
    'passphrase',
    'credentials',
    'auth',
    'x-auth',
    'apiKey',
    'API_KEY',
    'thoughtSignature',
  ])('%s is hidden, whatever is in it', (name) => {
    expect(redactBody({ [name]: 'abc' })).toEqual({ [name]: '[redacted]' });
    expect(redactBody({ [name]: ['abc'] })).toEqual({ [name]: '[redacted]' });
    expect(redactBody({ [name]: { value: 'abc' } })).toEqual({ [name]: '[redacted]' });
    expect(redactBody({ [name]: 1234 })).toEqual({ [name]: '[redacted]' });
    expect(redactBody({ a: { properties: { [name]: { type: 'object' } } } })).toEqual({
      a: { properties: { [name]: { type: 'object' } } },
    });
  });

  it('what only counts, or says whether, is left alone', () => {
    const body = {
      max_output_tokens: 5,
      input_tokens: 7,
      token_count: 9,
      prompt_cache_key: 'chat-1',
      idempotency_key: 'a',
      auth: true,
      token: null,
      credentials: {},
      author: 'Ada',
      keys: ['a'],
    };
    expect(redactBody(body)).toEqual(body);
  });

  it('URLs that open doors are shown without what opens them; others stay as they were written', () => {
    const body = {
      server_url: 'https://mcp.example.com/sse?api_key=abc&a=b%20c',
      image_url: 'https://b.example.com/a.png?X-Amz-Signature=abc',
      list: ['https://me:pw@b.example.com'],
      plain: 'https://B.example.com?a=b c',
      tidy: 'HTTPS://B.example.com?a=b%20c',
      text: 'See https://b.example.com?key=abc for more.',
    };
    expect(redactBody(body)).toEqual({
      ...body,
      server_url: 'https://mcp.example.com/sse?api_key=%5Bredacted%5D&a=b+c',
      image_url: 'https://b.example.com/a.png?X-Amz-Signature=%5Bredacted%5D',
      list: ['https://b.example.com/'],
    });
  });

  it.each([[null], ['text'], [5], [true], [undefined]])('%s is given back', (value) => {
    expect(redactBody(value)).toBe(value);
  });
});

describe('texts', () => {
  it('every given secret goes, wherever and however often it stands', () => {
    expect(knowing('sk-one', 'sk-two').text('key sk-one, again sk-one; sk-two.')).toBe(
      'key [redacted], again [redacted]; [redacted].',
    );
  });

  it('a secret that contains another one goes whole', () => {
    expect(knowing('sk-abcd', 'sk-abcd-full').text('sk-abcd-full')).toBe('[redacted]');
  });

  it('keys of local servers such as "x" are no secrets, and would tear every text apart', () => {
    expect(knowing('x', 'abc', '').text('six boxes')).toBe('six boxes');
  });

  it('in every form a server or a library would write it', () => {
    const secret = 'a+b/c=="\\~';
    const json = JSON.stringify({ secret });
    const url = new URL('https://x.example.com');
    url.searchParams.set('a', secret);
    for (const text of [secret, json, JSON.stringify({ json }), encodeURIComponent(secret), url.href]) {
      const shown = knowing(secret).text(`<${text}>`);
      expect(shown).toContain('[redacted]');
      expect(shown).not.toMatch(/b(?:\/|%2F)c/);
    }
  });

  it('in all texts of a value, which is the same one if there is none', () => {
    const value = { a: ['sk-1234', { b: 5, c: 'x sk-1234' }], d: null };
    expect(knowing('sk-1234').value(value)).toEqual({
      a: ['[redacted]', { b: 5, c: 'x [redacted]' }],
      d: null,
    });
    expect(knowing('sk-5678').value(value)).toBe(value);
    expect(knowing().value(value)).toBe(value);
  });
});

describe('a hosted tool', () => {
  it('keeps the names of the headers that it sends, and loses their values', () => {
    const tools = [{ type: 'mcp', headers: { A: 'one', B: 'two' } }];
    expect(redactBody({ tools })).toEqual({ tools: [{ type: 'mcp', headers: { A: '[redacted]', B: '[redacted]' } }] });
    expect(redactBody({ tools: [{ type: 'mcp', headers: null }] })).toEqual({
      tools: [{ type: 'mcp', headers: null }],
    });
  });
});

describe('the secrets of a request', () => {
  const bearer = { url: 'https://a.example.com', headers: {}, body: {} };
  it.each<[string, Partial<SecretBearer>, string[]]>([
    ['what follows a scheme', { headers: { authorization: 'Bearer abc' } }, ['Bearer abc', 'abc']],
    ['values of cookies', { headers: { cookie: 'a=one; b=two' } }, ['one', 'two']],
    ['what a function gave, and what follows its scheme', { secrets: ['Ticket abc'] }, ['Ticket abc', 'abc']],
    ['user info of the URL', { url: 'https://me:p%2Bw@a.example.com' }, ['me:p%2Bw', 'p%2Bw', 'p+w']],
    ['a user name that is a token', { url: 'https://ghp_1@a.example.com' }, ['ghp_1']],
    ['parameters, as meant and as written', { url: 'https://a.example.com?token=a%2bb' }, ['a+b', 'a%2bb']],
    [
      'fields of any kind',
      { body: { credentials: { user: ['a-long-one'] }, api_key: 12345 } },
      ['a-long-one', '12345'],
    ],
    [
      'headers that a hosted tool sends to its server, and what follows their scheme',
      { body: { tools: [{ type: 'mcp', headers: { A: 'one-a', B: 'Bearer two-b' } }] } },
      ['one-a', 'Bearer two-b', 'two-b'],
    ],
    [
      'headers of tools in a namespace and in the input',
      {
        body: {
          tools: [{ type: 'namespace', tools: [{ type: 'mcp', headers: { A: 'in-space' } }] }],
          input: [{ type: 'additional_tools', tools: [{ type: 'mcp', headers: { A: 'in-input' } }] }],
        },
      },
      ['in-space', 'in-input'],
    ],
    ['URLs in the body', { body: { server_url: 'https://b.example.com?key=abc' } }, ['abc']],
  ])('%s', (_name, part, expected) => {
    expect(secretsOf({ ...bearer, ...part })).toEqual(expect.arrayContaining(expected));
  });

  it('harmless words are none', () => {
    const properties = { auth: { type: 'string' }, headers: { type: 'object', description: 'no-secret' } };
    const body = { tools: [{ parameters: { properties } }], max_output_tokens: 12345, headers: { A: 'no-tool' } };
    expect(secretsOf({ url: 'https://a.example.com?a=b', headers: { accept: 'json' }, body })).toEqual([]);
  });
});
