import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const home = `${root}examples/frameworks`;
const page = await readFile(`${root}docs/frameworks.md`, 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| ['));

async function dependenciesOf(folder: string): Promise<Record<string, string>> {
  const text = await readFile(`${home}/${folder}/package.json`, 'utf8');
  return (JSON.parse(text) as { dependencies: Record<string, string> }).dependencies;
}

describe.each(['ai-6', 'ai-7'])('docs/frameworks.md, %s', (folder) => {
  it('has a row for every program', async () => {
    const programs = (await readdir(`${home}/${folder}`)).filter((name) => name.endsWith('.mjs'));
    const shown = rows.flatMap((row) => new RegExp(`\`${folder}/(.*)\` \\|$`).exec(row)?.[1] ?? []);
    expect(shown.toSorted()).toEqual(programs.toSorted());
  });

  it('names the versions that the programs run with', async () => {
    const dependencies = await dependenciesOf(folder);
    const named = rows
      .filter((row) => row.includes(`\`${folder}/`))
      .flatMap((row) => [...row.matchAll(/`([\w@/.-]+)`(?:\]\(\S+\))? (\d+\.\d+\.\d+)/g)]);
    expect(named.length).toBeGreaterThan(0);
    for (const [, name = '', version] of named) expect(dependencies[name], name).toBe(version);
  });

  it('shows code that stands in the programs', async () => {
    const names = (await readdir(`${home}/${folder}`)).filter((name) => name.endsWith('.mjs'));
    const texts = await Promise.all(names.map((name) => readFile(`${home}/${folder}/${name}`, 'utf8')));
    const middlewares = [...page.matchAll(/^const \w+ = \{\n {2}specificationVersion: 'v(\d)'[^]*?^\};$/gm)];
    const own = middlewares.filter(([, version]) => version === (folder === 'ai-6' ? '3' : '4'));
    expect(own).toHaveLength(1);
    for (const [code] of own) expect(texts.some((text) => text.includes(code))).toBe(true);
  });
});
