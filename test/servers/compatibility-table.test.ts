import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import type { Profile } from '../../src/core/profile.js';
import { PROFILES } from '../../src/request/profiles.js';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const rows = [read('docs/tested-servers.md'), read('docs/server-profiles.md')]
  .flatMap((page) => page.split('\n'))
  .filter((line) => line.startsWith('| '))
  .map((line) => line.slice(2, -2).split(' | '));
const profiles: readonly Profile[] = Object.values(PROFILES);

/** A row of "What a profile sends and leaves out". */
function rowOf(profile: Profile): string[] {
  const { hostedTools } = profile;
  return [
    `\`${profile.name}\``,
    profile.reasoningReplay,
    listed(profile.include, '–'),
    profile.assistantMessageIds,
    profile.toolOutput,
    typeof hostedTools === 'string' ? hostedTools : listed(hostedTools, 'none'),
    profile.inputFiles ? 'yes' : 'no',
    profile.inputUrls ? 'yes' : 'no',
    listed(profile.vendorFields, '–'),
    profile.closingTools,
  ];
}

function listed(names: readonly string[], none: string): string {
  return names.length === 0 ? none : names.map((name) => `\`${name}\``).join(', ');
}

describe('docs/tested-servers.md and docs/server-profiles.md', () => {
  it.each(profiles)('says of "$name" what its profile says', (profile) => {
    expect(rows).toContainEqual(rowOf(profile));
  });

  it.each(profiles)('says where the requests and the key for "$name" go', (profile) => {
    const [, , url, key] =
      rows.find((row) => row.length === 4 && row[0] === `\`${profile.name}\`` && row[2]?.includes('/responses')) ?? [];
    expect(url).toContain(`${profile.versionSegment}/responses`);
    expect(key).toContain(profile.auth === 'bearer' ? 'Authorization: Bearer' : profile.auth);
    expect(key?.includes('required')).toBe(profile.requiresKey);
  });

  it.each(profiles)('says how "$name" was tested', (profile) => {
    expect(rows.filter((row) => row.length === 4 && row[1] === `\`${profile.name}\``).length).toBeGreaterThan(0);
  });
});

describe('docs/compatibility.md', () => {
  const page = read('docs/compatibility.md');

  it.each([
    ['test/sdks', 'ai-5', '`ai` '],
    ['test/sdks', 'ai-6', '`ai` '],
    ['test/sdks', 'ai-7', '`ai` '],
    ['test/runtimes/binaries', 'node-22-linux-x64', 'Node '],
    ['test/runtimes/binaries', 'node-24-linux-x64', 'Node '],
    ['test/runtimes/binaries', '@oven/bun-linux-x64', 'Bun '],
    ['test/runtimes/binaries', '@deno/linux-x64-glibc', 'Deno '],
    ['test/runtimes', 'edge-runtime', 'edge-runtime '],
  ])('names the version that %s runs of %s', (project, name, label) => {
    const { dependencies, optionalDependencies }: Manifest = JSON.parse(read(`${project}/package.json`));
    const version = { ...dependencies, ...optionalDependencies }[name]?.split('@').at(-1);
    expect(version).toMatch(/^\d+[.]\d+[.]\d+$/);
    expect(page).toContain(`${label}${version}`);
  });
});

interface Manifest {
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}
