import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { releaseNotes } from '../../.ci/release/notes.mjs';
import { linksOf, registryPage } from '../../.ci/release/registry-page.mjs';

const pkg = JSON.parse(readFileSync('package.json', 'utf8'));
const readme = readFileSync('README.md', 'utf8');
const home = new URL(pkg.repository.url.replace(/^git\+/, '').replace(/\.git$/, ''));

describe("README on a registry's page", () => {
  const links = linksOf(registryPage(readme, pkg));

  it('has only absolute links, because that page has no files beside it', () => {
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((link) => !URL.canParse(link))).toEqual([]);
  });

  it('links to files of the repository that exist, at the tag of the version', () => {
    const ours = links.map((link) => new URL(link)).filter(({ host }) => host === home.host);
    const paths = ours.map(({ pathname }) => pathname.slice(home.pathname.length));
    expect(paths.every((path) => /^\/(?:blob|raw)\/v\d+\.\d+\.\d+/.test(path))).toBe(true);
    expect(paths.map((path) => path.split('/').slice(3).join('/')).filter((path) => !existsSync(path))).toEqual([]);
  });

  it('shows pictures as files, not as pages', () => {
    const pictures = links.filter((link) => /\.(?:svg|png)$/.test(link));
    expect(pictures.length).toBeGreaterThan(0);
    expect(pictures.filter((link) => !link.includes('/raw/'))).toEqual([]);
  });

  it('leaves code, anchors and addresses as they are', () => {
    const text = '[a](https://a.example/b) [c](#d) [mail](mailto:a@b.example)\n\n```ts\nx[0](y)\n```\n';
    expect(registryPage(text, pkg)).toBe(text);
  });

  it('replaces the link around a picture and the picture', () => {
    const around = registryPage('[![a](docs/a.png)](docs/b.md#c)', { ...pkg, version: '1.2.3' });
    expect(around).toBe(`[![a](${home.href}/raw/v1.2.3/docs/a.png)](${home.href}/blob/v1.2.3/docs/b.md#c)`);
  });
});

describe('release notes', () => {
  const changelog =
    '# Changelog\n\n## [Unreleased]\n\n- C\n\n## [0.2.0] - 2026-01-02\n\n### Added\n\n- B\n\n## [0.1.0]\n\n- A\n';

  it('are the part of the changelog for that version', () => {
    expect(releaseNotes(changelog, '0.2.0')).toBe('### Added\n\n- B\n');
    expect(releaseNotes(changelog, '0.1.0')).toBe('- A\n');
  });

  it('are refused for a version that the changelog does not name, with what to do', () => {
    expect(() => releaseNotes(changelog, '0.3.0')).toThrow('Rename "## [Unreleased]"');
    expect(() => releaseNotes('## [1.0.0]\n\n## [0.9.0]\n\n- A\n', '1.0.0')).toThrow('has no text');
  });
});

describe('the tarball', () => {
  it.each(['js', 'types'])('is not packed from a build that makes only %s', (part) => {
    const env = { ...process.env, RESPONSES_LOOP_BUILD: part };
    const { status, stderr } = spawnSync('npm', ['run', '--silent', 'prepack'], { encoding: 'utf8', env });
    expect(stderr).toContain(`RESPONSES_LOOP_BUILD=${part} builds only a part of the package. Unset it`);
    expect(status).toBe(1);
  });
});
