import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineConfig, type Options } from 'tsup';
import { traceFunctions } from './.ci/trace-functions.js';

/** `js` builds without declarations, which take most of the time, `types` only these, `traced` what `npm run house` walks. */
const WANTED = process.env['RESPONSES_LOOP_BUILD'];

const ROOT = import.meta.dirname;

const providers = { index: 'src/index.ts', v3: 'src/v3.ts', v4: 'src/v4.ts' };
/** By themselves, since every module shared with them would be a file more for whoever imports a provider. */
const others = {
  testing: 'src/testing.ts',
  node: 'src/node.ts',
  question: 'src/question.ts',
  // Chosen through `imports` in package.json: only Node can start a process.
  'mcp-stdio-node': 'src/tools/mcp/stdio-node.ts',
  'mcp-stdio-stub': 'src/tools/mcp/stdio-stub.ts',
};

/**
 * What `import()` loads, each in a file of its own. An entry is one file, since opening a file costs as much as compiling
 * 25 kB: what an entry and these have in common stands in both.
 */
const LATER: Record<string, string> = {
  'first-call': 'src/provider/first-call.ts',
  'create-tool-registry': 'src/tools/create-tool-registry.ts',
  'call-journal': 'src/journal/call-journal.ts',
  'fallback-call': 'src/fallback/fallback-call.ts',
  'stock-source': 'src/fallback/stock-source.ts',
  'collect-messages': 'src/sdk/parts/collect-messages.ts',
  'open-telemetry': 'src/observe/open-telemetry.ts',
  background: 'src/rounds/background.ts',
  'go-on': 'src/broken/go-on.ts',
  'after-failure': 'src/rounds/after-failure.ts',
  'request-draft': 'src/rounds/request-draft.ts',
  resume: 'src/loop/resume.ts',
  'run-view': 'src/loop/run-view.ts',
  'withheld-reasoning': 'src/loop/withheld-reasoning.ts',
  'trim-rounds': 'src/rounds/trim-rounds.ts',
  compact: 'src/provider/compact.ts',
  'part-signer': 'src/sdk/history/part-signer.ts',
  'tool-stubs': 'src/provider/tool-stubs.ts',
  'sdk-tools': 'src/provider/sdk-tools.ts',
  'mcp-apps': 'src/provider/mcp-apps.ts',
  'between-call': 'src/provider/between-call.ts',
  'call-bill': 'src/observe/call-bill.ts',
  'watched-requests': 'src/observe/watched-requests.ts',
  'keep-rounds': 'src/runs/keep-rounds.ts',
  'search-ring': 'src/search/search-ring.ts',
  'outputs-ring': 'src/outputs/outputs-ring.ts',
  'late-results': 'src/provider/late-results.ts',
  'socket-ring': 'src/transport/socket/socket-ring.ts',
  'socket-transport': 'src/transport/socket/socket-transport.ts',
};

/** Each `import()` of ours names one of those files. */
const loadsLater: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'import() of what is built apart',
  setup(build) {
    build.onResolve({ filter: /^[.]/ }, ({ kind, path }) => {
      if (kind !== 'dynamic-import') return undefined;
      const name = basename(path, '.js');
      return LATER[name] === undefined
        ? { errors: [{ text: `LATER in tsup.config.ts has no row for ${path}` }] }
        : { path: `./${name}.js`, external: true };
    });
  },
};

/**
 * esbuild makes a file for every set of modules that the same files need. They are loaded after a first call or with it, so
 * each is said to need all of this, which leaves one file for it.
 */
const LOADED_BY_THEN = ['src/provider/first-call.ts', 'src/util/process-env.ts', 'src/errors/provider-closed.ts'];

const afterFirstCall: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'one file for what a first call loads',
  setup(build) {
    build.onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === 'entry-point' ? { path, namespace: 'later' } : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'later' }, ({ path }) => ({
      contents: [...new Set([path, ...LOADED_BY_THEN])].map((file) => `export * from './${file}';`).join('\n'),
      resolveDir: ROOT,
    }));
  },
};

const everywhere: Options = {
  target: ['node20', 'es2022'],
  platform: 'node',
  // `#mcp-stdio` is resolved by the runtime, not by us.
  external: [/^#/],
  // `node:fs` must stay `node:fs`: Deno and Workers know no bare names.
  removeNodeProtocol: false,
};

const imported: Options = {
  ...everywhere,
  entry: providers,
  format: 'esm',
  splitting: false,
  esbuildPlugins: [loadsLater],
};

const importedLater: Options = {
  ...everywhere,
  entry: LATER,
  format: 'esm',
  esbuildPlugins: [loadsLater, afterFirstCall],
};

/** The commands are an application on the package: what they ask of it is loaded, not built in once more. */
const asksThePackage: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'entries of the package beside the commands',
  setup(build) {
    build.onResolve({ filter: /^[.][.]/ }, ({ path }) => {
      const name = basename(path, '.js');
      return name in providers || name in LATER ? { path: `../${name}.js`, external: true } : undefined;
    });
  },
};

const commands: Options = {
  ...everywhere,
  entry: { main: 'src/cli/main.ts' },
  outDir: 'dist/cli',
  clean: ['!timeline-page.js'],
  format: 'esm',
  // A program that runs, not a library that somebody steps through.
  minify: true,
  esbuildPlugins: [asksThePackage],
};

/** Runs in the page that `timeline` makes, which has it as a text. */
const page: Options = {
  entry: { 'timeline-page': 'src/cli/timeline/page/main.ts' },
  outDir: 'dist/cli',
  target: 'es2022',
  platform: 'browser',
  format: 'iife',
  minify: true,
  outExtension: () => ({ js: '.js' }),
};

const declared = { ...providers, ...others };

/** A file of a line, beside what is built. */
function write(name: string, text: string): void {
  writeFileSync(join(ROOT, 'dist', name), `${text}\n`);
}

const declarations: Options = { entry: declared, format: 'cjs', dts: { only: true } };

/** Each type exists once: ESM takes the declarations of CJS. */
function writeDeclarations(): void {
  for (const name of Object.keys(declared)) write(`${name}.d.ts`, `export * from './${name}.cjs';`);
}

/** tsup has no hook for a build of declarations alone, so what comes before and beside it is done here. */
function onlyDeclarations(): Options {
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'dist'))) if (/\.d\.c?ts$/.test(name)) rmSync(join(ROOT, 'dist', name));
  writeDeclarations();
  return declarations;
}

/** The engine once for all three, which a `require` of each takes its version from. */
const required: Options = {
  ...everywhere,
  entry: { engine: 'src/cjs.ts' },
  format: 'cjs',
  // Asked for in CJS it would turn `import()` of packages into `require()`.
  splitting: false,
  onSuccess: async () => {
    for (const [name, version] of Object.entries({ index: 'v2', v3: 'v3', v4: 'v4' }))
      write(`${name}.cjs`, `module.exports = require('./engine.cjs').${version};`);
    if (WANTED !== 'js') writeDeclarations();
  },
};

export default defineConfig(
  WANTED === 'traced'
    ? [imported, importedLater].map((options) => ({
        ...options,
        esbuildPlugins: [...(options.esbuildPlugins ?? []), traceFunctions],
        outDir: 'coverage/house',
      }))
    : WANTED === 'types'
      ? onlyDeclarations()
      : [
          // The other builds run meanwhile.
          imported,
          {
            ...importedLater,
            clean: [
              ...['!*.cjs', '!{index,v3,v4,testing,node,question}.{js,cjs}', '!mcp-stdio-*.{js,cjs}', '!cli/**'],
              // The names of what declarations share have hashes: without this, those of earlier builds would be packed.
              ...(WANTED === 'js' ? ['!*.d.ts', '!*.d.cts'] : []),
            ],
          },
          commands,
          page,
          required,
          { ...everywhere, entry: others, format: ['esm', 'cjs'], splitting: false },
          ...(WANTED === 'js' ? [] : [declarations]),
        ],
);
