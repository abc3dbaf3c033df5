import { describe, expect, it } from 'vitest';
import { chooseProfile } from '../../../src/cli/doctor/choose-profile.js';
import type { Point, Wants } from '../../../src/cli/doctor/point.js';
import { PROFILES } from '../../../src/request/profiles.js';

const point = (wants: Wants, verdict: Point['verdict'] = 'no', name = 'x'): Point => ({
  name,
  verdict,
  detail: '',
  wants,
});

const noFiles = point({ inputFiles: { works: (value) => !value, best: false } });
const noKey = point({ requiresKey: { works: (value) => !value, best: false } });
const sealed = point({ reasoningReplay: { works: () => true, best: 'encrypted', isBetter: true } }, 'yes');
const pictures = point({ toolOutput: { works: () => true, best: 'multimodal', isBetter: true } }, 'yes');
const ids = point({ assistantMessageIds: { works: (value) => value === 'synthetic', best: 'synthetic' } });

function choose(points: readonly Point[], looksLike?: string, hosts: keyof typeof PROFILES = 'generic') {
  const { profile, isBuiltIn, differs } = chooseProfile({ points, hosts: PROFILES[hosts], looksLike });
  return { name: profile.name, isBuiltIn, differs: differs.map(({ member }) => member), profile };
}

describe('the profile that doctor chooses', () => {
  it('is generic where nothing is known', () => {
    expect(choose([])).toMatchObject({ name: 'generic', isBuiltIn: true, differs: [] });
  });

  it('is the one that does most of what the server can', () => {
    expect(choose([sealed, pictures])).toMatchObject({ name: 'openai', differs: [] });
    expect(choose([sealed, pictures, noKey])).toMatchObject({
      name: 'generic',
      differs: ['reasoningReplay', 'toolOutput'],
    });
  });

  it('is that of the host or of what the server looks like, if it does nothing that was refused', () => {
    expect(choose([noFiles], 'llamacpp')).toMatchObject({ name: 'llamacpp', isBuiltIn: true });
    expect(choose([sealed], 'vllm')).toMatchObject({ name: 'vllm', differs: ['reasoningReplay'] });
    expect(choose([], undefined, 'xai')).toMatchObject({ name: 'xai' });
    expect(choose([noKey], undefined, 'xai')).toMatchObject({ name: 'generic' });
  });

  it('is never that of another server', () => {
    for (const points of [[ids], [noFiles], [noFiles, ids]]) expect(choose(points).isBuiltIn).toBe(false);
  });

  it('is one of its own where none fits: the nearest, with what was seen', () => {
    expect(choose([ids, noFiles, sealed, noKey])).toMatchObject({ name: 'own', isBuiltIn: false });
    expect(choose([ids, noFiles, sealed, noKey]).profile).toEqual({
      ...PROFILES.generic,
      name: 'own',
      assistantMessageIds: 'synthetic',
      inputFiles: false,
      reasoningReplay: 'encrypted',
    });
  });

  it('believes nothing that a server takes which takes everything', () => {
    const takesAll = point({}, 'partly', 'error shapes');
    expect(choose([takesAll, sealed, pictures])).toMatchObject({ name: 'generic', differs: [] });
    expect(choose([takesAll, noFiles]).isBuiltIn).toBe(false);
  });
});
