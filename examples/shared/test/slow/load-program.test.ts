import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const LOADER = fileURLToPath(new URL('../../load-program.mjs', import.meta.url));

function newApp(files: Readonly<Record<string, string>>): string {
  const app = mkdtempSync(join(realpathSync(tmpdir()), 'app-'));
  for (const [name, text] of Object.entries({ 'package.json': '{"type":"module"}', ...files })) put(app, name, text);
  return app;
}

function put(app: string, name: string, text: string): void {
  mkdirSync(dirname(join(app, name)), { recursive: true });
  writeFileSync(join(app, name), text);
}

/** A repository with the loader, and with what is installed here. */
function newExamples(): string {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'root-'));
  const here = join(dirname(LOADER), '..', '..');
  for (const file of [
    'package.json',
    'tsconfig.json',
    'examples/tsconfig.package.json',
    'examples/shared/load-program.mjs',
  ]) {
    put(root, file, readFileSync(join(here, file), 'utf8'));
  }
  symlinkSync(join(here, 'node_modules'), join(root, 'node_modules'));
  return join(root, 'examples');
}

/** In a process of its own; gives what it prints. */
async function start(app: string, env: NodeJS.ProcessEnv = {}, at = LOADER): Promise<string> {
  const { loader, entry } = { loader: pathToFileURL(at).href, entry: pathToFileURL(join(app, 'src/main.ts')).href };
  const program = `const { loadProgram } = await import(${JSON.stringify(loader)}); await loadProgram(${JSON.stringify(entry)});`;
  const args = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } });
  return stdout.trim();
}

function bundlesOf(app: string): string[] {
  return readdirSync(join(app, 'node_modules/.cache/program'));
}

describe('a program of TypeScript', () => {
  it('is bundled at its first start, and the second start takes the same bundle', async () => {
    const app = newApp({
      'src/main.ts': `import { said } from './said.js'; console.log(said);`,
      'src/said.ts': words('one'),
    });
    expect(await start(app)).toBe('one');
    const bundles = bundlesOf(app);
    expect(await start(app)).toBe('one');
    expect(bundles).toHaveLength(1);
    expect(bundlesOf(app)).toEqual(bundles);
  });

  it('is bundled again after a source has changed, been added or been removed', async () => {
    const app = newApp({
      'src/main.ts': `import { said } from './said.js'; console.log(said);`,
      'src/said.ts': words('one'),
    });
    await start(app);
    put(app, 'src/said.ts', words('two'));
    expect(await start(app)).toBe('two');
    put(app, 'src/main.ts', `const { said } = await import('./other.js'); console.log(said);`);
    put(app, 'src/other.ts', words('three'));
    expect(await start(app)).toBe('three');
  });

  it('is bundled again after a source in any folder of the shared ones has changed, but not for a test', async () => {
    const examples = newExamples();
    const shared = join(examples, 'shared');
    const app = join(examples, 'app');
    put(app, 'package.json', '{"type":"module"}');
    put(app, 'src/main.ts', `import { said } from '../../shared/new/deep/said.js'; console.log(said);`);
    put(shared, 'new/deep/said.ts', words('one'));
    const loader = join(shared, 'load-program.mjs');
    expect(await start(app, {}, loader)).toBe('one');
    put(shared, 'new/deep/said.ts', words('two'));
    expect(await start(app, {}, loader)).toBe('two');
    const bundles = bundlesOf(app);
    for (const folder of ['test', 'test-support', 'node_modules']) put(shared, `${folder}/other.ts`, words('three'));
    expect(await start(app, {}, loader)).toBe('two');
    expect(bundlesOf(app)).toEqual(bundles);
  });

  it('runs its own files in a copy of the repository, not those of the original', async () => {
    const examples = newExamples();
    put(examples, 'app/package.json', '{"type":"module"}');
    put(examples, 'app/src/main.ts', `import { name } from 'a-package'; console.log(name, import.meta.filename);`);
    put(examples, 'app/node_modules/a-package/package.json', '{"type":"module","exports":"./index.js"}');
    put(examples, 'app/node_modules/a-package/index.js', 'export const name = import.meta.filename;');
    const run = (folder: string): Promise<string> =>
      start(join(folder, 'app'), {}, join(folder, 'shared/load-program.mjs'));
    const own = (folder: string): string =>
      `${join(folder, 'app/node_modules/a-package/index.js')} ${join(folder, 'app/src/main.ts')}`;
    expect(await run(examples)).toBe(own(examples));
    const copy = `${dirname(examples)}-copy`;
    cpSync(dirname(examples), copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    expect(await run(join(copy, 'examples'))).toBe(own(join(copy, 'examples')));
  });

  it('starts several times at once, and leaves one bundle', async () => {
    const app = newApp({ 'src/main.ts': `console.log('here');` });
    expect(await Promise.all(Array.from({ length: 4 }, () => start(app)))).toEqual(['here', 'here', 'here', 'here']);
    expect(bundlesOf(app)).toHaveLength(1);
  });

  it('finds what lies beside a source, and the package that the source would find', async () => {
    const app = newApp({
      'src/main.ts': `import { readFileSync } from 'node:fs'; import { name } from 'a-package';
        console.log(readFileSync(new URL('deep/words.txt', import.meta.url), 'utf8'), name, import.meta.filename.endsWith('main.ts'));`,
      'src/deep/words.txt': 'beside',
      'node_modules/a-package/package.json': '{"name":"a-package","type":"module","exports":"./index.js"}',
      'node_modules/a-package/index.js': `export const name = new URL('.', import.meta.url).pathname.split('/').at(-2);`,
    });
    expect(await start(app)).toBe('beside a-package true');
  });

  it('tells classes of errors apart by their names, though two sources have one of the same name', async () => {
    const app = newApp({
      'src/main.ts': `import { Odd as One } from './one.js'; import { Odd as Two } from './two.js'; console.log(One.name, Two.name);`,
      'src/one.ts': 'export class Odd extends Error {}',
      'src/two.ts': 'export class Odd extends Error {}',
    });
    expect(await start(app)).toBe('Odd Odd');
  });

  it('names the file and the line of a source that cannot be read', async () => {
    const app = newApp({ 'src/main.ts': `import './torn.js';`, 'src/torn.ts': 'const a = 1;\nconst = 2;' });
    await expect(start(app)).rejects.toThrow(/src\/torn\.ts:2:6/);
    expect(bundlesOf(app)).toEqual([]);
  });

  it.runIf(process.platform === 'linux')(
    'runs where nothing can be written beside it, and leaves nothing behind',
    async () => {
      const app = newApp({
        'src/main.ts': `const { said } = await import('./said.js'); console.log(said);`,
        'src/said.ts': words('one'),
      });
      // Nobody can make a folder there.
      symlinkSync('/sys', join(app, 'node_modules'));
      const TMPDIR = mkdtempSync(join(tmpdir(), 'empty-'));
      expect(await start(app, { TMPDIR })).toBe('one');
      expect(readdirSync(TMPDIR)).toEqual([]);
    },
  );
});

function words(said: string): string {
  return `export const said: string = '${said}';`;
}
