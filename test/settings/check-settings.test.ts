import { describe, expect, it } from 'vitest';
import { createResponsesProvider, ResponsesLoopError } from '../../src/index.js';
import type { ResponsesProviderSettings } from '../../src/settings/settings.js';

function problemOf(settings: unknown): string {
  try {
    createResponsesProvider(settings as ResponsesProviderSettings);
  } catch (error) {
    expect(ResponsesLoopError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ code: 'invalid-settings' });
    return (error as Error).message;
  }
  return 'none';
}

describe('settings that cannot be right are refused when the provider is created', () => {
  it.each<[string, RegExp]>([
    ['baseUrl', /Unknown setting "baseUrl".*Did you mean "baseURL"/],
    ['base_url', /Did you mean "baseURL"/],
    ['apikey', /Did you mean "apiKey"/],
    ['api_key', /Did you mean "apiKey"/],
    ['apiKeys', /Did you mean "apiKey"/],
    ['mcpserver', /Did you mean "mcpServers"/],
    ['timeout', /Did you mean "timeouts"/],
    ['maxround', /Did you mean "maxRounds"/],
    ['onevents', /Did you mean "onEvent"/],
    ['organisation', /Did you mean "organization"/],
    ['maxTolCalls', /Did you mean "maxToolCalls"/],
    ['colour', /Known settings: .*baseURL.*onEvent/],
    ['temperature', /"temperature"\. It belongs to the call: streamText\(\{ model, temperature: … \}\)/],
    ['profile', /Its name is "backend"/],
    ['maxRetries', /belongs in "retry": \{ retry: \{ maxRetries: … \} \}/],
    ['totalMs', /belongs in "timeouts"/],
    ['model', /given to the provider: provider\("gpt-5\.1"\)/],
    ['maxSteps', /"maxRounds"/],
    ['reasoningEffort', /option of a call: providerOptions/],
    ['approvalSecret', /Unknown setting "approvalSecret"\. Its name is "historySecret"\./],
    ['strictSchemas', /Unknown setting "strictSchemas"\. Write schemas for strict mode/],
    [
      'jsonSchemaValidator',
      /Unknown setting "jsonSchemaValidator"\. Results of MCP servers are not checked against schemas/,
    ],
    ['42', /Unknown setting "42"\. Known settings/],
    ['constructor', /Unknown setting "constructor"/],
  ])('an unknown name, %s, with what was meant', (name, message) => {
    expect(problemOf({ [name]: 1 })).toMatch(message);
  });

  it.each<[string, unknown, RegExp]>([
    ['baseURL', 5, /"baseURL" must be a string/],
    [
      'onUnknownTool',
      () => 'x',
      /"onUnknownTool" cannot be a function; with "error" the model reads which tools it has/,
    ],
    ['onUnknownTool', 'throw', /must be "error" or "client"/],
    ['historySecret', 'short', /at least 16 characters/],
    ['historySecret', undefined, /at least 16 characters \(is the environment variable set\?\)/],
    ['approvalMaxAgeMs', 0, /at least 1/],
    ['approvalMaxAgeMs', undefined, /at least 1/],
    ['approvalMaxAgeMs', 60_000, /needs "historySecret"/],
    ['baseURL', 'not a url', /baseURL is not a URL: "not a url"/],
    ['backend', 'opnai', /"backend" must be .*"openai"/],
    ['backend', 'llama.cpp', /\(did you mean "llamacpp"\?\)\.$/],
    ['transport', 'websockets', /must be "sse", "websocket" or "auto" \(did you mean "websocket"\?\)/],
    ['toolConcurrency', 'atuo', /must be "auto" or must be a number/],
    ['backend', ['openai'], /"backend" must be/],
    ['backend', {}, /"backend" .*profile.*"auth"/],
    ['backend', { name: 'x' }, /"backend" .*profile/],
    ['apiKey', 5, /"apiKey" must be/],
    ['apiKey', ['k', 5], /"apiKey" must be/],
    ['apiKey', 'a b', /apiKey number 1 contains white space/],
    ['auth', 'basic', /"auth" must be "bearer", "api-key", "x-goog-api-key" or "none"/],
    ['headers', 'x: y', /"headers" must be an object/],
    ['headers', { 'x-a': 'one\ntwo' }, /headers: the header "x-a" contains a line break/],
    ['headers', { 'x a': '1' }, /headers: the header "x a" has a name/],
    ['query', { a: {} }, /"query" .*"a".*string/],
    ['fetch', {}, /"fetch" must be a function/],
    ['name', '', /"name" must be a name/],
    ['name', 'my.responses', /"name" .*\.responses/],
    ['models', [], /"models" must be an object/],
    ['models', { 'gpt*': 5 }, /models\["gpt\*"\] must be an object/],
    ['models', { 'gpt*': { header: {} } }, /models\["gpt\*"\] has no member "header"/],
    ['models', { 'gpt*': { headers: 'x' } }, /models\["gpt\*"\]\.headers must be an object/],
    [
      'models',
      { 'gpt*': { headers: { 'x-a': '\r' } } },
      /models\["gpt\*"\]\.headers: the header "x-a" contains a line break/,
    ],
    ['models', { 'gpt*': { query: 'a=1' } }, /models\["gpt\*"\]\.query must be an object/],
    ['models', { 'gpt*': { query: { a: [] } } }, /models\["gpt\*"\]\.query .*"a".*string/],
    ['models', { 'gpt*': { body: 'x' } }, /models\["gpt\*"\]\.body must be an object/],
    ['models', { 'gpt*': { body: [] } }, /models\["gpt\*"\]\.body must be an object/],
    ['models', { 'gpt*': { body: { model: null } } }, /models\["gpt\*"\]\.body removes "model"/],
    ['models', { 'gpt*': { body: { input: null } } }, /removes .*"input"/],
    ['maxRounds', 0, /"maxRounds" must be a number of at least 1/],
    ['maxRounds', Number.NaN, /"maxRounds" must be a number/],
    ['maxRounds', '5', /"maxRounds" must be a number/],
    ['maxToolCalls', -1, /"maxToolCalls"/],
    ['toolConcurrency', 0, /"toolConcurrency" must be .*"auto".* or .*at least 1/],
    ['toolConcurrency', 'all', /"toolConcurrency"/],
    ['toolTimeoutMs', -1, /"toolTimeoutMs"/],
    ['nameClash', 'mine', /"nameClash" must be "rename" or "loop"\./],
    ['preamble', 'drop', /"preamble"/],
    ['toolParts', 'some', /"toolParts" must be "declared"/],
    ['carrier', 'cloud', /"carrier" must be "metadata"/],
    ['timeouts', 5, /"timeouts" must be an object/],
    ['timeouts', { headers: 5 }, /"timeouts" has no member "headers"; known are headersMs/],
    ['timeouts', { idleMs: '5' }, /"timeouts\.idleMs" must be a number/],
    ['retry', { maxRetries: -1 }, /"retry\.maxRetries" must be a number of at least 0/],
    ['onEvent', 'log', /"onEvent" must be a function/],
    ['mcpServers', [], /"mcpServers" must be an object/],
    ['mcpServers', { files: {} }, /files/],
    ['mcpServers', { files: { command: 5 } }, /files/],
    ['mcpServers', { docs: { url: 'not a url' } }, /docs/],
    ['tools', { now: {} }, /now/],
  ])('%s: %j', (name, value, message) => {
    expect(problemOf({ [name]: value })).toMatch(message);
  });

  it.each([null, 5, 'sk-key'])('%j instead of settings', (settings) => {
    expect(problemOf(settings)).toMatch(/settings must be an object/);
  });

  it('a key that cannot be sent is refused without being repeated', () => {
    expect(problemOf({ apiKey: 'sk-secret\nsk-other' })).not.toMatch(/sk-/);
  });
});

describe('settings that are fine', () => {
  it.each<[string, unknown]>([
    ['none at all', {}],
    [
      'undefined everywhere',
      { baseURL: undefined, apiKey: undefined, headers: undefined, mcpServers: undefined, timeouts: undefined },
    ],
    ['no timers', { timeouts: { headersMs: 0, idleMs: undefined } }],
    [
      'null for headers and query parameters that shall go',
      {
        headers: { 'x-a': null },
        query: { a: null },
        models: { m: { headers: { a: null }, query: { a: null }, body: { store: null } } },
      },
    ],
    ['a number as a query parameter', { query: { version: 2 } }],
    ['a profile by name', { backend: 'llamacpp' }],
    ['the host decides', { backend: 'auto' }],
    ['a server called "local" that no rule could take for a function', { mcpServers: { local: { command: 'npx' } } }],
    ['no limit', { maxRounds: Infinity, toolTimeoutMs: 0 }],
  ])('%s', (_name, settings) => {
    expect(problemOf(settings)).toBe('none');
  });

  it("a profile of one's own", async () => {
    const { PROFILES } = await import('../../src/request/profiles.js');
    expect(problemOf({ backend: { ...PROFILES.generic, name: 'mine' } })).toBe('none');
    for (const reasoningModels of ['^o1', ['^o1'], [/^o1/g]])
      expect(problemOf({ backend: { ...PROFILES.generic, reasoningModels } as never })).toMatch(
        /"reasoningModels" must be/,
      );
  });
});

it('no server has the key by which `approve` knows functions of the app', () => {
  expect(problemOf({ mcpServers: { local: { command: 'npx' } }, approve: () => true })).toBe(
    'mcpServers["local"] has the key by which `approve` knows the functions in `tools`; give the server another one.',
  );
});
