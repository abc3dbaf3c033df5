import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';

const folder = join(inject('consumer'), 'node_modules/responses-loop');

const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) =>
    join(entry.parentPath, entry.name)
      .slice(folder.length + 1)
      .replaceAll('\\', '/'),
  )
  .filter((path) => !path.startsWith('node_modules/'));

const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

describe('the tarball holds', () => {
  it('the built files and the papers, nothing else', () => {
    const docs = [
      'approvals',
      'compatibility',
      'configuration',
      'frameworks',
      'mcp',
      'observability',
      'performance',
      'security',
      'testing',
    ].map((page) => `docs/${page}.md`);
    const papers = ['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', ...docs, 'package.json'];
    expect(files.filter((path) => !path.startsWith('dist/')).toSorted()).toEqual(papers);
    expect(files.filter((path) => !/\.(js|cjs|d\.ts|d\.cts|js\.map|cjs\.map)$/.test(path)).toSorted()).toEqual(papers);
  });

  it('a source map with its sources for every built file', () => {
    const built = files.filter((path) => /\.(js|cjs)$/.test(path));
    expect(built.length).toBeGreaterThanOrEqual(8);
    for (const path of built) {
      const map = JSON.parse(read(`${path}.map`)) as { sources: string[]; sourcesContent?: string[] };
      expect(map.sourcesContent, path).toHaveLength(map.sources.length);
      expect(
        map.sources.filter((source) => !source.startsWith('../src/')),
        path,
      ).toEqual([]);
      expect(read(path).trimEnd().split('\n').at(-1), path).toMatch(/^\/\/# sourceMappingURL=/);
    }
  });

  it('no key, no token and no path of this machine', () => {
    const leaks: readonly (string | RegExp)[] = [
      // A folder right below the root, `/build` say, is too short a word to look for.
      ...[process.cwd(), homedir()].filter((path) => path.split(/[\\/]/).length > 2),
      /\/(home|Users|root|work|tmp)\/[\w.-]+\//,
      /[A-Z]:\\\\?Users/,
      /\bsk-[A-Za-z0-9_-]{20,}/,
      /\b(ghp|gho|npm)_[A-Za-z0-9]{20,}/,
      /\beyJ[A-Za-z0-9_-]{20,}\./,
    ];
    const found = files.flatMap((path) => {
      const text = read(path);
      return leaks
        .filter((leak) => (typeof leak === 'string' ? text.includes(leak) : leak.test(text)))
        .map((leak) => `${path}: ${String(leak)}`);
    });
    expect(found).toEqual([]);
  });
});
