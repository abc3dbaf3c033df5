import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeFor, settingsFor } from '../../../src/cli/doctor/settings.js';
import { PROFILES } from '../../../src/request/profiles.js';

const manner = {
  url: 'http://127.0.0.1:1/v1/responses',
  auth: 'bearer',
  base: { store: false },
  stream: true,
} as const;
const builtIn = (profile: keyof typeof PROFILES) => ({ profile: PROFILES[profile], isBuiltIn: true, differs: [] });

/** What the code says, without types and imports. */
function evaluate(code: string, env: Readonly<Record<string, string>> = {}): unknown {
  const body = code.slice(
    code.indexOf('createResponsesProvider({') + 'createResponsesProvider('.length,
    code.lastIndexOf(')'),
  );
  // oxlint-disable-next-line typescript/no-implied-eval -- the code is what is tested
  return new Function('process', `return (${body})`)({ env });
}

describe('the settings that doctor prints', () => {
  it('name a built-in profile, and the root of the API', () => {
    expect(settingsFor(builtIn('llamacpp'), manner, {})).toEqual({
      baseURL: 'http://127.0.0.1:1/v1',
      backend: 'llamacpp',
    });
  });

  it.each([
    ['http://127.0.0.1:1/responses', 'http://127.0.0.1:1/responses#'],
    ['http://127.0.0.1:1/a/b/responses?x=1', 'http://127.0.0.1:1/a/b?x=1'],
    ['https://x.example/api/responses', 'https://x.example/api'],
  ])('lead to %s again', (url, baseURL) => {
    expect(settingsFor(builtIn('generic'), { ...manner, url }, {})).toMatchObject({ baseURL });
  });

  it('say what differs from the profile', () => {
    expect(settingsFor(builtIn('generic'), { ...manner, auth: 'api-key', base: {} }, { agent_id: 'a' })).toMatchObject({
      auth: 'api-key',
      models: { '*': { body: { agent_id: 'a', store: null } } },
    });
  });

  it('hold no values of secrets', () => {
    const code = codeFor(settingsFor(builtIn('generic'), manner, {}), {
      keyName: 'MY_KEY',
      headers: ['X-Team', 'x.y'],
    });
    expect(evaluate(code, { MY_KEY: 'k', X_TEAM: 't', X_Y: 'u' })).toMatchObject({
      apiKey: 'k',
      headers: { 'X-Team': 't', 'x.y': 'u' },
    });
  });

  it('are what they were, whatever characters are in them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, name) => {
        const own = { ...PROFILES.vllm, name, vendorFields: [text, `'${name}"\\`], reasoningModels: [/^a\/b$/i] };
        const code = codeFor({ baseURL: text, backend: own }, { keyName: name, headers: [] });
        expect(evaluate(code, { [name]: 'k' })).toEqual({ baseURL: text, apiKey: 'k', backend: own });
      }),
    );
  });
});
