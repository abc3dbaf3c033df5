import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isRecord } from '../../src/util/guards.js';

const read = (path: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
const lock = read('package-lock.json');
const packages = lock['packages'] as Readonly<Record<string, Record<string, unknown>>>;
const root = read('package.json');
const workspaces = root['workspaces'] as readonly string[];

/** What npm copies out of a `package.json` into the lock file, for the root and each workspace. */
const COPIED = [
  'name',
  'version',
  'license',
  'workspaces',
  'bin',
  'engines',
  'os',
  'cpu',
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'peerDependenciesMeta',
];

/** As npm writes it there: paths without `./`, a program under the package's name. */
function copiedOf(manifest: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { name, bin } = manifest;
  const programs = typeof bin === 'string' ? { [String(name).split('/').at(-1) ?? '']: bin } : bin;
  const plain = isRecord(programs)
    ? Object.fromEntries(Object.entries(programs).map(([key, path]) => [key, String(path).replace(/^\.\//, '')]))
    : undefined;
  const members = COPIED.map((member) => [member, member === 'bin' ? plain : manifest[member]] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** Folders that are installed apart. */
const APART = [
  '.ci/docs',
  'bench',
  'examples/durable',
  'examples/frameworks/ai-6',
  'examples/frameworks/ai-7',
  'test/runtimes',
  'test/runtimes/binaries',
  'test/sdks',
];

describe('package-lock.json', () => {
  it.each([['', 'package.json'], ...workspaces.map((path) => [path, `${path}/package.json`])])(
    'says of "%s" what its package.json says, so that npm install leaves a fresh clone clean',
    (path, file) => {
      const { ...entry } = packages[path];
      const manifest = copiedOf(read(file));
      // npm leaves the name out if it is that of the folder.
      if (entry['name'] === undefined) delete manifest['name'];
      expect(copiedOf(entry)).toEqual(manifest);
    },
  );

  it.each(APART)('of %s says what the package.json beside it says', (folder) => {
    const own = read(`${folder}/package-lock.json`)['packages'] as typeof packages;
    const { ...entry } = own[''];
    const manifest = copiedOf(read(`${folder}/package.json`));
    expect(copiedOf(entry)).toEqual(manifest);
  });

  it('has no workspace more, and links each one by its name', () => {
    const links = Object.entries(packages).filter(([, entry]) => entry['link'] === true);
    const expected = workspaces.map((path) => [`node_modules/${String(read(`${path}/package.json`)['name'])}`, path]);
    const linked = links.map(([path, { resolved }]) => [path, resolved]);
    expect(linked).toEqual(expect.arrayContaining(expected));
    expect([lock['name'], lock['version']]).toEqual([root['name'], root['version']]);
  });

  it('holds a version for each dependency that stands in one of them', () => {
    const missing = ['', ...workspaces].flatMap((path) => {
      const { dependencies, devDependencies } = packages[path] ?? {};
      const wanted = Object.keys({ ...(dependencies as object), ...(devDependencies as object) });
      return wanted.filter(
        (name) =>
          packages[`${path}/node_modules/${name}`] === undefined && packages[`node_modules/${name}`] === undefined,
      );
    });
    expect(missing).toEqual([]);
  });

  it('names no host of a mirror: every clone asks its own registry', () => {
    const hosts = Object.values(packages).flatMap(({ resolved }) =>
      typeof resolved === 'string' && URL.canParse(resolved) ? [new URL(resolved).host] : [],
    );
    expect([...new Set(hosts)].filter((host) => host !== 'registry.npmjs.org')).toEqual([]);
  });
});
