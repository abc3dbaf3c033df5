import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type EndpointOptions, resolveEndpoint } from '../../src/request/endpoint.js';
import { PROFILES } from '../../src/request/profiles.js';

const urlOf = (baseURL: string, options: Partial<EndpointOptions> = {}): string =>
  resolveEndpoint({ baseURL, ...options }).url;

const OPENAI = 'https://api.openai.com/v1/responses';
const LOCAL = 'http://localhost:8080/v1/responses';
const AZURE = 'https://res.openai.azure.com/openai/v1/responses';

describe('any base URL a person would paste', () => {
  it.each<[string, string]>([
    // With and without the version.
    ['https://api.openai.com/v1', OPENAI],
    ['https://api.openai.com', OPENAI],
    ['https://api.openai.com/', OPENAI],
    ['https://api.openai.com/v1/', OPENAI],
    ['https://api.openai.com/v1//', OPENAI],
    ['https://api.openai.com//v1', OPENAI],
    ['  https://api.openai.com/v1\n', OPENAI],
    // A whole endpoint.
    ['https://api.openai.com/v1/responses', OPENAI],
    ['https://api.openai.com/v1/responses/', OPENAI],
    ['https://api.openai.com/v1/chat/completions', OPENAI],
    ['https://api.openai.com/v1/completions', OPENAI],
    ['https://api.openai.com/v1/models', OPENAI],
    ['http://localhost:8080/responses', 'http://localhost:8080/responses'],
    ['https://relay.example.com/responses', 'https://relay.example.com/responses'],
    ['https://api.openai.com/responses', OPENAI],
    ['https://api.openai.com/chat/completions', OPENAI],
    ['https://api.openai.com/v1/Responses', OPENAI],
    ['https://openrouter.ai/api/chat/completions', 'https://openrouter.ai/api/v1/responses'],
    ['https://generativelanguage.googleapis.com/models', 'https://generativelanguage.googleapis.com/v1beta/responses'],
    // Without a scheme, or with a sloppy one.
    ['api.openai.com/v1', OPENAI],
    ['api.openai.com', OPENAI],
    ['HTTPS://API.OpenAI.com/v1', OPENAI],
    ['https:/api.openai.com/v1', OPENAI],
    ['localhost:8080', LOCAL],
    ['LOCALHOST:8080/v1', LOCAL],
    ['127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1/responses'],
    ['[::1]:8080', 'http://[::1]:8080/v1/responses'],
    ['192.168.1.5:11434', 'http://192.168.1.5:11434/v1/responses'],
    ['172.20.0.2:8000/v1', 'http://172.20.0.2:8000/v1/responses'],
    ['[fd00::1]:8080', 'http://[fd00::1]:8080/v1/responses'],
    ['mini.local:1234', 'http://mini.local:1234/v1/responses'],
    ['host.docker.internal:11434/v1', 'http://host.docker.internal:11434/v1/responses'],
    ['ollama:11434', 'http://ollama:11434/v1/responses'],
    // A name that only begins like a local one must not lose its TLS.
    ['mini.local.example.com:8080', 'https://mini.local.example.com:8080/v1/responses'],
    ['[2001:db8::1]:8080', 'https://[2001:db8::1]:8080/v1/responses'],
    ['relay.example.com:8080', 'https://relay.example.com:8080/v1/responses'],
    ['localhosting.example.com/v1', 'https://localhosting.example.com/v1/responses'],
    ['10.example.com', 'https://10.example.com/v1/responses'],
    // A path of its own is kept, whatever version it names.
    ['https://relay.example.com/openai', 'https://relay.example.com/openai/responses'],
    ['https://relay.example.com/api/v2/', 'https://relay.example.com/api/v2/responses'],
    ['https://gw.example.com/v1/account/gateway/openai', 'https://gw.example.com/v1/account/gateway/openai/responses'],
    // The query is kept, a fragment is not.
    ['https://relay.example.com/v1?tenant=a', 'https://relay.example.com/v1/responses?tenant=a'],
    ['https://relay.example.com/v1/responses?tenant=a', 'https://relay.example.com/v1/responses?tenant=a'],
    ['https://relay.example.com?tenant=a', 'https://relay.example.com/v1/responses?tenant=a'],
    ['https://relay.example.com/v1#models', 'https://relay.example.com/v1/responses'],
    // Hosts with a version of their own.
    ['https://openrouter.ai', 'https://openrouter.ai/api/v1/responses'],
    ['https://openrouter.ai/api', 'https://openrouter.ai/api/v1/responses'],
    ['https://openrouter.ai/api/v1', 'https://openrouter.ai/api/v1/responses'],
    ['https://openrouter.ai/api/v1/chat/completions', 'https://openrouter.ai/api/v1/responses'],
    ['https://generativelanguage.googleapis.com', 'https://generativelanguage.googleapis.com/v1beta/responses'],
    ['https://generativelanguage.googleapis.com/v1beta', 'https://generativelanguage.googleapis.com/v1beta/responses'],
    [
      'https://generativelanguage.googleapis.com/v1beta/openai/',
      'https://generativelanguage.googleapis.com/v1beta/openai/responses',
    ],
    ['https://api.githubcopilot.com', 'https://api.githubcopilot.com/responses'],
    ['https://api.x.ai', 'https://api.x.ai/v1/responses'],
    ['http://localhost:11434', 'http://localhost:11434/v1/responses'],
    ['http://localhost:1234/', 'http://localhost:1234/v1/responses'],
  ])('%j goes to %s', (baseURL, expected) => {
    expect(urlOf(baseURL)).toBe(expected);
  });
});

describe('raw URLs', () => {
  it.each<[string, string]>([
    ['https://relay.example.com/v2/generate#', 'https://relay.example.com/v2/generate'],
    ['https://relay.example.com/v1/chat/completions#', 'https://relay.example.com/v1/chat/completions'],
    ['https://relay.example.com#', 'https://relay.example.com/'],
    ['https://relay.example.com/x/#', 'https://relay.example.com/x/'],
    ['https://relay.example.com/x?a=1#', 'https://relay.example.com/x?a=1'],
    ['localhost:9000/answer#', 'http://localhost:9000/answer'],
  ])('%j ends in "#" and is used as it is', (baseURL, expected) => {
    expect(urlOf(baseURL)).toBe(expected);
    expect(urlOf(baseURL, { slashKeepsPath: true })).toBe(expected);
  });
});

describe('a trailing slash where it means "no version segment"', () => {
  it.each<[string, string]>([
    ['https://relay.example.com/', 'https://relay.example.com/responses'],
    ['https://relay.example.com', 'https://relay.example.com/v1/responses'],
    ['https://relay.example.com/v1/', 'https://relay.example.com/v1/responses'],
    ['https://relay.example.com/api/', 'https://relay.example.com/api/responses'],
    ['https://api.openai.com/', 'https://api.openai.com/responses'],
    ['https://relay.example.com/?t=1', 'https://relay.example.com/responses?t=1'],
    ['https://relay.example.com?t=/', 'https://relay.example.com/v1/responses?t=/'],
  ])('%j goes to %s', (baseURL, expected) => {
    expect(urlOf(baseURL, { slashKeepsPath: true })).toBe(expected);
  });
});

describe('Azure', () => {
  it.each<[string, string]>([
    ['https://res.openai.azure.com', AZURE],
    ['https://res.openai.azure.com/', AZURE],
    ['https://res.openai.azure.com/openai', AZURE],
    ['https://res.openai.azure.com/openai/v1', AZURE],
    ['https://res.openai.azure.com/openai/v1/responses', AZURE],
    ['https://res.openai.azure.com/openai/v1/?api-version=preview', `${AZURE}?api-version=preview`],
    [
      'https://res.openai.azure.com/openai/responses?api-version=2025-03-01-preview',
      'https://res.openai.azure.com/openai/responses?api-version=2025-03-01-preview',
    ],
    ['https://res.cognitiveservices.azure.com', 'https://res.cognitiveservices.azure.com/openai/v1/responses'],
    ['https://res.services.ai.azure.com', 'https://res.services.ai.azure.com/openai/v1/responses'],
    ['https://res.openai.azure.com/responses', AZURE],
    ['https://res.openai.azure.com/openai/chat/completions', AZURE],
    ['https://res.services.ai.azure.com/models', 'https://res.services.ai.azure.com/openai/v1/responses'],
    [
      'https://res.services.ai.azure.com/models/chat/completions?api-version=2024-05-01-preview',
      'https://res.services.ai.azure.com/openai/v1/responses',
    ],
    ['https://res.services.ai.azure.com/api/projects/p', 'https://res.services.ai.azure.com/openai/v1/responses'],
    [
      'https://res.services.ai.azure.com/api/projects/p/openai/v1',
      'https://res.services.ai.azure.com/api/projects/p/openai/v1/responses',
    ],
    [
      'https://res.openai.azure.com/?api-version=2025-04-01-preview',
      'https://res.openai.azure.com/openai/responses?api-version=2025-04-01-preview',
    ],
  ])('%j goes to %s', (baseURL, expected) => {
    expect(resolveEndpoint({ baseURL })).toMatchObject({ url: expected, profile: { name: 'azure', auth: 'api-key' } });
  });

  it.each<[string, string]>([
    ['https://res.openai.azure.com/openai/deployments/my-gpt', 'my-gpt'],
    ['https://res.openai.azure.com/openai/deployments/my-gpt/', 'my-gpt'],
    ['https://res.openai.azure.com/openai/deployments/my-gpt/responses', 'my-gpt'],
    ['https://res.openai.azure.com/openai/deployments/my-gpt/chat/completions?api-version=2024-06-01', 'my-gpt'],
  ])('the deployment is taken out of %j, and a version of the old routes with it', (baseURL, deployment) => {
    expect(resolveEndpoint({ baseURL })).toMatchObject({ url: AZURE, deployment });
  });

  it.each(['.', '..'])('the model id %j, used as a deployment name, cannot escape the path', (deploymentInPath) => {
    expect(() => resolveEndpoint({ baseURL: 'https://res.openai.azure.com', deploymentInPath })).toThrow(
      `The model id "${deploymentInPath}" cannot be a deployment in the path`,
    );
  });

  it('a pasted deployment URL without a name names no deployment', () => {
    const endpoint = resolveEndpoint({ baseURL: 'https://res.openai.azure.com/openai/deployments//responses' });
    expect(endpoint.url).toBe(AZURE);
    expect(endpoint).not.toHaveProperty('deployment');
  });

  it('a gateway in front of Azure owns its paths', () => {
    expect(urlOf('https://gw.example.com/openai/deployments/my-gpt')).toBe(
      'https://gw.example.com/openai/deployments/my-gpt/responses',
    );
  });
});

describe('Azure by resource, version and deployment', () => {
  const host = 'https://res.openai.azure.com';
  it.each<[string, Partial<EndpointOptions>, string]>([
    [host, { apiVersion: 'preview' }, `${AZURE}?api-version=preview`],
    [host, { apiVersion: 'v1' }, `${AZURE}?api-version=v1`],
    [host, { apiVersion: '2025-04-01-preview' }, `${host}/openai/responses?api-version=2025-04-01-preview`],
    [
      `${host}/openai/`,
      { apiVersion: '2025-04-01-preview' },
      `${host}/openai/responses?api-version=2025-04-01-preview`,
    ],
    [`${host}/openai/v1`, { apiVersion: '2025-04-01-preview' }, `${AZURE}?api-version=2025-04-01-preview`],
    [`${host}?api-version=v1`, { apiVersion: 'preview' }, `${AZURE}?api-version=v1`],
    [
      host,
      { apiVersion: '2025-04-01-preview', deploymentInPath: 'my gpt' },
      `${host}/openai/deployments/my%20gpt/responses?api-version=2025-04-01-preview`,
    ],
    ['https://relay.example.com/v1', { apiVersion: 'preview' }, 'https://relay.example.com/v1/responses'],
    [
      host,
      { query: { 'api-version': '2025-04-01-preview' } },
      `${host}/openai/responses?api-version=2025-04-01-preview`,
    ],
    [host, { apiVersion: 'preview', query: { 'api-version': null } }, AZURE],
    [
      `${host}/openai/deployments/d/chat/completions?api-version=2024-06-01`,
      { apiVersion: '2025-04-01-preview' },
      `${host}/openai/responses?api-version=2025-04-01-preview`,
    ],
    [
      `${host}/openai/deployments/d/chat/completions?api-version=2024-06-01`,
      { query: { 'api-version': '2025-04-01-preview' } },
      `${host}/openai/responses?api-version=2025-04-01-preview`,
    ],
    [
      'https://gw.example.com/azure/openai',
      { profile: PROFILES.azure, deploymentInPath: 'm' },
      'https://gw.example.com/azure/openai/deployments/m/responses',
    ],
    [
      'https://gw.example.com/azure',
      { profile: PROFILES.azure, deploymentInPath: 'm' },
      'https://gw.example.com/azure/openai/deployments/m/responses',
    ],
    [`${host}/openai/v1/responses`, { deploymentInPath: 'm' }, `${host}/openai/deployments/m/responses`],
    [
      'https://gw.example.com/t/openai/deployments/d/responses',
      { profile: PROFILES.azure },
      'https://gw.example.com/t/openai/v1/responses',
    ],
  ])('%j with %j goes to %s', (baseURL, options, expected) => {
    expect(urlOf(baseURL, options)).toBe(expected);
  });
});

describe('what goes on top', () => {
  it('query parameters are added, replace those in the URL, and null takes one away', () => {
    const query = { 'api-version': 'v1', tenant: null, zone: undefined };
    expect(urlOf('https://relay.example.com/v1?api-version=old&tenant=a&keep=1', { query })).toBe(
      'https://relay.example.com/v1/responses?api-version=v1&keep=1',
    );
  });

  it.each<[string, Record<string, string | null>, string]>([
    ['?a=b%20c&d', {}, '?a=b%20c&d'],
    ['?a=b%20c&d', { e: '1' }, '?a=b%20c&d&e=1'],
    ['?a=b%20c&d', { d: 'x y' }, '?a=b%20c&d=x+y'],
    ['?a=b%20c&d', { d: null, none: null }, '?a=b%20c'],
    ['?a=1', { a: null }, ''],
  ])('a query %j stays byte for byte where %j changes nothing in it', (typed, query, expected) => {
    expect(urlOf(`https://relay.example.com/v1${typed}`, { query })).toBe(
      `https://relay.example.com/v1/responses${expected}`,
    );
  });

  it('a chosen profile decides the version segment, not the host', () => {
    expect(urlOf('https://relay.example.com', { profile: PROFILES.openrouter })).toBe(
      'https://relay.example.com/api/v1/responses',
    );
    expect(urlOf('https://api.openai.com', { profile: PROFILES.copilot })).toBe('https://api.openai.com/responses');
  });

  it('says why the URL is what it is', () => {
    expect(resolveEndpoint({ baseURL: 'https://api.openai.com' }).reasons.join(' ')).toContain('"/v1" was appended');
    expect(resolveEndpoint({ baseURL: 'https://x.example/v1/responses' }).reasons.join(' ')).toContain('pasted');
    expect(resolveEndpoint({ baseURL: 'https://x.example/v1#' }).reasons).toEqual([
      'The base URL ends in "#" and is used as it is.',
    ]);
  });
});

describe('what is no URL is refused with the value and the fix', () => {
  it.each([
    '',
    '   ',
    '#',
    'not a url',
    'https://',
    'ftp://files.example.com',
    'file:///etc/hosts',
    'https//api.openai.com/v1',
    '"https://api.openai.com/v1"',
    'https://host:99999/v1',
    '${OPENAI_BASE_URL}',
  ])('%j', (baseURL) => {
    const resolve = (): unknown => resolveEndpoint({ baseURL });
    expect(resolve).toThrow(expect.objectContaining({ code: 'invalid-settings' }));
    expect(resolve).toThrow(JSON.stringify(baseURL.trim()));
    expect(resolve).toThrow('https://api.openai.com/v1');
  });

  it('user name and password, which no fetch sends, are refused and not repeated', () => {
    const resolve = (): unknown => resolveEndpoint({ baseURL: 'https://me:s3cr3t@relay.example.com/v1' });
    expect(resolve).toThrow(expect.objectContaining({ code: 'invalid-settings' }));
    expect(resolve).toThrow(/headers.*authorization/);
    expect(resolve).not.toThrow(/s3cr3t/);
  });

  it('credentials in something that is no URL are not repeated', () => {
    const resolve = (): unknown =>
      resolveEndpoint({ baseURL: 'https://me:s3cr3t@relay.example.com:99999/v1?key=qu3ry' });
    expect(resolve).toThrow('baseURL is not a URL');
    expect(resolve).not.toThrow(/s3cr3t|qu3ry/);
  });

  it.each([
    ['https://me:s3cr3t@relay.example.com:99999/v1', 'https://relay.example.com:99999/v1'],
    ['ws://me:s3cr3t@ho st/v1', 'ws://ho st/v1'],
    ['https://me:s3cr3t?x@ho st', 'https://…'],
  ])('%j is shown as %j: the scheme and what is behind the password say what is wrong', (baseURL, shown) => {
    expect(() => resolveEndpoint({ baseURL })).toThrow(`baseURL is not a URL: ${JSON.stringify(shown)}.`);
  });

  it.each([
    'me:s3cr3t@host:99999',
    'https://me:s3cr3t/x@host',
    'https://me:s3cr3t/s3cr3t@host/v1',
    'https:/me:s3cr3t@host:99999/v1',
    'https://me:/s3cr3t@host/v1',
    'me:?s3cr3t@host',
    'https:\\\\me:s3cr3t@host:99999',
    'http:me:s3cr3t@ho st',
    'https://me:s3cr3t?x@ho st',
    'https://me:s3cr3t@ho st/?key=qu3ry',
    'https://ho st/?mail=a@b&key=qu3ry',
  ])('%j is refused without its password, in the message and behind it', (baseURL) => {
    const error = failureOf(() => resolveEndpoint({ baseURL }));
    expect(error).toMatchObject({ code: 'invalid-settings', message: expect.stringContaining('baseURL is not a URL') });
    expect(inspect(error, { showHidden: true, depth: 9 })).not.toMatch(/s3cr3t|qu3ry/);
  });
});

function failureOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return expect.unreachable('It did not fail.');
}
