import { describe, expect, it } from 'vitest';
import { inFlags, keyOfFlags, reasonThen } from '../model-flags.js';

describe('the key of the model', () => {
  it('comes from the variable that --api-key-env names', () => {
    expect(keyOfFlags({ apiKeyEnv: 'RELAY_KEY' }, { RELAY_KEY: ' abc ', OPENAI_API_KEY: 'other' })).toBe('abc');
    expect(keyOfFlags({ apiKey: 'abc' }, { OPENAI_API_KEY: 'other' })).toBe('abc');
    expect(keyOfFlags({}, { OPENAI_API_KEY: 'other' })).toBeUndefined();
  });

  it.each([
    [{ apiKeyEnv: 'NOT_SET' }, '--api-key-env: the environment has no "NOT_SET".'],
    [{ apiKeyEnv: 'EMPTY' }, '--api-key-env: the environment has no "EMPTY".'],
    [{ apiKeyEnv: 'RELAY_KEY', apiKey: 'abc' }, '--api-key and --api-key-env exclude each other.'],
  ])('is refused: %j', (flags, message) => {
    expect(() => keyOfFlags(flags, { EMPTY: ' ', RELAY_KEY: 'k' })).toThrow(message);
  });
});

describe('messages of the package', () => {
  it('name the flag and not the setting', () => {
    expect(inFlags('Check that the server runs and that baseURL is right.')).toBe(
      'Check that the server runs and that --base-url is right.',
    );
    expect(inFlags('pass it as apiKey if it belongs there')).toBe('pass it as --api-key-env if it belongs there');
    expect(inFlags('myapiKeyring stays')).toBe('myapiKeyring stays');
  });

  it('have one mark between the reason and what happens next', () => {
    expect(reasonThen('Could not connect. Check baseURL.', 'asking again')).toBe(
      'Could not connect. Check --base-url; asking again',
    );
    expect(reasonThen('overloaded', 'asking again in 5 ms')).toBe('overloaded; asking again in 5 ms');
  });
});
