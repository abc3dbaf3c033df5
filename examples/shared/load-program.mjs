// Loads a program of an application: a bundle of its sources, made at the first start, and again once one of them or what is
// installed has changed. To load each source by itself took half a second of every start.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const SHARED = dirname(fileURLToPath(import.meta.url));
const ROOT = join(SHARED, '..', '..');
const TSCONFIG = join(SHARED, '..', 'tsconfig.package.json');
/** Names the file that holds the program: nothing else is called like it. */
const MAIN = 'main.js';
const DAY_MS = 86_400_000;
/** Programs that still run load parts of theirs later. */
const KEPT_MS = 30 * DAY_MS;
/** Folders beside this file that no program is made of. */
const NOT_LOADED = new Set(['node_modules', 'test', 'test-support']);
const NONE = new Set();
const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT']);

/**
 * Runs a module of TypeScript, and gives what it exports.
 *
 * @param {string} entry its address
 */
export async function loadProgram(entry) {
  return import(pathToFileURL(await bundled(fileURLToPath(entry))).href);
}

async function bundled(entry) {
  const app = folderOf(entry);
  const cache = join(app, 'node_modules', '.cache', 'program');
  const folder = join(cache, fingerprint(app, entry));
  if (existsSync(join(folder, MAIN))) return join(folder, MAIN);
  const unfinished = newFolder(cache);
  if (unfinished === undefined) return bundleForNow(entry);
  try {
    await bundle(entry, unfinished);
    publish(unfinished, folder);
    removeOld(cache);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return join(folder, MAIN);
}

/** Where nothing can be written beside the sources, the bundle lives as long as the program. */
async function bundleForNow(entry) {
  const folder = mkdtempSync(join(tmpdir(), 'program-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await bundle(entry, folder);
  return join(folder, MAIN);
}

function newFolder(cache) {
  try {
    mkdirSync(cache, { recursive: true });
    return mkdtempSync(join(cache, 'unfinished-'));
  } catch (error) {
    if (UNWRITABLE.has(error.code)) return undefined;
    throw error;
  }
}

/** A program that starts at the same time may have been quicker: its bundle is the same. */
function publish(unfinished, folder) {
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(join(folder, MAIN))) throw error;
  }
}

function removeOld(cache) {
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name);
    const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > KEPT_MS) rmSync(folder, { recursive: true, force: true });
  }
}

async function bundle(entry, outdir) {
  // Loaded only where there is something to build.
  const { build, stop } = await import('esbuild');
  try {
    await build({
      entryPoints: { main: entry },
      outdir,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      // The conditions that node itself has, and not that of bundlers.
      conditions: [],
      // Errors are told apart by the names of their classes.
      keepNames: true,
      // Read by `node --enable-source-maps` only: reading them takes a tenth of a start.
      sourcemap: 'linked',
      tsconfig: TSCONFIG,
      define: { 'import.meta': 'importMeta' },
      plugins: [{ name: 'sources', setup: bundleSources }],
      logLevel: 'silent',
    });
  } finally {
    await stop();
  }
}

/** Only sources of the applications are put into the bundle; a package is loaded from where each source finds it. */
function bundleSources(build) {
  build.onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, ...from }) => {
    if (pluginData === 'found' || path.startsWith('node:')) return undefined;
    const { resolveDir, kind, importer } = from;
    const found = await build.resolve(path, { resolveDir, kind, importer, pluginData: 'found' });
    if (found.errors.length > 0 || found.external || isSource(found.path)) return found;
    return { path: pathToFileURL(found.path).href, external: true };
  });
  build.onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
    const source = readFileSync(path, 'utf8');
    const loader = path.endsWith('x') ? 'tsx' : 'ts';
    return { loader, contents: source.includes('import.meta') ? `${ownMeta(path)} ${source}` : source };
  });
}

/** A source looks for its neighbours where it is, and not where the bundle is. */
function ownMeta(path) {
  return `const importMeta = ${JSON.stringify({ url: pathToFileURL(path).href, filename: path })};`;
}

/** Packages hold JavaScript. */
function isSource(path) {
  return /\.tsx?$/.test(path);
}

/** The folder of the application that a source is part of. */
function folderOf(entry) {
  let folder = dirname(entry);
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** Of all that makes the bundle what it is. */
function fingerprint(app, entry) {
  // A bundle names files by where they are: in a copy of the folder it would run those of the original.
  const hash = createHash('sha256').update(`${ROOT}\0${entry}`);
  const own = app === SHARED ? [] : [join(app, 'package.json'), ...filesOf(join(app, 'src'))];
  const others = [TSCONFIG, join(ROOT, 'tsconfig.json'), join(ROOT, 'package.json')];
  for (const file of [...own, ...filesOf(SHARED, NOT_LOADED), ...others]) {
    hash.update(`\0${relative(ROOT, file)}\0`).update(readFileSync(file));
  }
  // npm writes it with each installation.
  const installed = statSync(join(ROOT, 'node_modules', '.package-lock.json'), { throwIfNoEntry: false });
  return hash.update(`\0${installed?.mtimeMs}`).digest('hex').slice(0, 24);
}

function filesOf(folder, without = NONE) {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return without.has(entry.name) ? [] : filesOf(path);
      return entry.isFile() ? [path] : [];
    });
}
