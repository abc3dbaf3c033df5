import { readdirSync, readFileSync, statSync } from 'node:fs';
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
    const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name.replaceAll('\\', '/')}`)
      .toSorted();
    const papers = ['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', ...docs, 'package.json'];
    expect(files.filter((path) => !path.startsWith('dist/')).toSorted()).toEqual(papers);
    expect(files.filter((path) => !/\.(js|cjs|d\.ts|d\.cts)$/.test(path)).toSorted()).toEqual(papers);
  });

  it('no source map, and no file that points at one', () => {
    const built = files.filter((path) => /\.(js|cjs)$/.test(path));
    expect(built.length).toBeGreaterThanOrEqual(8);
    expect(built.filter((path) => read(path).includes('sourceMappingURL'))).toEqual([]);
  });

  it('under 3.9 MB: the engine once for import and once for require', () => {
    const bytes = files.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0);
    expect(bytes).toBeLessThan(3_900_000);
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
