import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const APP = fileURLToPath(new URL('../..', import.meta.url));
const SOURCE = join(APP, 'page');
const CACHE = join(APP, 'node_modules', '.cache', 'page');
/** What ends up in the page, or makes it: another version of one of them is another page. */
const PACKAGES = ['vite', 'react-dom', '@ai-sdk/react', 'ai', 'markdown-to-jsx', 'lowlight', 'highlight.js', 'anser'];
/** Of other folders: what shows a call, and what tells a picture from other bytes. */
const OTHERS = [
  'responses-loop-example-shared/call-view.js',
  'responses-loop/question',
  'responses-loop-example-shared/picture-type.js',
].map((name) => fileURLToPath(import.meta.resolve(name)));
/** Of the server: what it and the page decide by the same rule. */
const SHARED = ['../documents/document-kinds.ts', '../models/capabilities.ts'].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
);

export interface BuildPageOptions {
  /** Where built pages are kept. Default: the application's `node_modules/.cache/page`. */
  readonly cache?: string;
}

/** The folder of the built page. Builds it where its sources or packages are others than last time. */
export async function buildPage({ cache = CACHE }: BuildPageOptions = {}): Promise<string> {
  const folder = join(cache, fingerprint());
  if (existsSync(join(folder, 'index.html'))) return folder;
  mkdirSync(cache, { recursive: true });
  const unfinished = join(cache, `unfinished-${process.pid}-${Date.now()}`);
  try {
    await bundle(unfinished);
    publish(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}

/** A server that starts at the same time may have been quicker: its page is the same. */
function publish(unfinished: string, folder: string): void {
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(join(folder, 'index.html'))) throw error;
  }
}

async function bundle(outDir: string): Promise<void> {
  // Loaded only where there is something to build.
  const { build } = await import('vite');
  await build({
    root: SOURCE,
    configFile: false,
    envDir: false,
    logLevel: 'error',
    clearScreen: false,
    // One copy of each, wherever a package has its own.
    resolve: { dedupe: ['ai', 'zod', 'react', 'react-dom', '@ai-sdk/provider', '@ai-sdk/provider-utils'] },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      // The policy of the page forbids what is not a file of its own.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  });
}

function fingerprint(): string {
  const hash = createHash('sha256');
  for (const file of filesOf(SOURCE)) hash.update(relative(SOURCE, file)).update('\0').update(readFileSync(file));
  for (const file of [fileURLToPath(import.meta.url), ...OTHERS, ...SHARED]) hash.update(readFileSync(file));
  for (const name of PACKAGES) hash.update(`${name}@${versionOf(name)}`);
  return hash.digest('hex').slice(0, 16);
}

function filesOf(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const names = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return names.flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesOf(path) : [path];
  });
}

/** Packages need not export their `package.json`: the folders above their entry are looked through. */
function versionOf(name: string): string {
  const require = createRequire(join(APP, 'package.json'));
  for (let folder = dirname(require.resolve(name)); folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (!existsSync(file)) continue;
    const { name: found, version } = JSON.parse(readFileSync(file, 'utf8')) as { name?: string; version?: string };
    if (found === name && version !== undefined) return version;
  }
  return 'unknown';
}
