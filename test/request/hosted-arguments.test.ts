import { describe, expect, it } from 'vitest';
import { fromTools } from '../../src/sdk/prompt/from-tools.js';
import { PROFILES } from '../../src/request/profiles.js';

const declare = (kind: string, args: object, backend: 'openai' | 'generic' = 'openai') =>
  fromTools([{ type: 'provider', id: `openai.${kind}`, name: 'mine', args }], { profile: PROFILES[backend] });

describe('arguments of tools that the server runs', () => {
  it.each([
    ['web_search', { searchContextSize: 'huge' }, /mine\.searchContextSize.*"low"/],
    ['file_search', { vectorStoreIds: 'vs_1' }, /mine\.vectorStoreIds.*a list/],
    ['shell', { environment: { type: 'ducks' } }, /mine\.environment\.type.*containerAuto/],
    ['image_generation', { partialImages: 9 }, /mine\.partialImages.*0 to 3/],
    ['mcp', { serverLabel: 'docs' }, /serverUrl, connectorId or tunnelId/],
  ])('%s: %j is refused with name and what is allowed', (kind, args, message) => {
    expect(() => declare(kind, args)).toThrow(message);
    expect(() => declare(kind, args)).toThrow(expect.objectContaining({ code: 'invalid-options' }));
  });

  it('a value that no list has is sent with a warning to other servers, a wrong type is refused there too', () => {
    const { hostedTools, warnings } = declare('web_search', { searchContextSize: 'huge' }, 'generic');
    expect(hostedTools[0]?.args).toEqual({ searchContextSize: 'huge' });
    expect(warnings).toEqual([expect.stringMatching(/mine\.searchContextSize.*not known here/)]);
    expect(() => declare('file_search', { vectorStoreIds: 'vs_1' }, 'generic')).toThrow(/a list/);
  });

  it('an argument that no list has is sent as it is', () => {
    expect(declare('image_generation', { ducks: 3 }).hostedTools[0]?.args).toEqual({ ducks: 3 });
    expect(declare('web_search', { user_location: 7 }).warnings).toEqual([]);
  });

  it('names on the object prototype are no tools of ours', () => {
    expect(declare('constructor', { ducks: 3 }).hostedTools).toHaveLength(1);
  });
});
