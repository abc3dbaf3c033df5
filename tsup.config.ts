import { join, relative } from 'node:path';
import { defineConfig, type Options } from 'tsup';

/** Declarations take most of the build's time; the demo and quick tries need none. */
const withTypes = process.env['RESPONSES_LOOP_BUILD'] !== 'js';

const providers = { entry: { index: 'src/index.ts', v3: 'src/v3.ts', v4: 'src/v4.ts' } };
const others = {
  entry: {
    testing: 'src/testing.ts',
    // Chosen through `imports` in package.json: only Node can start a process.
    'mcp-stdio-node': 'src/tools/mcp/stdio-node.ts',
    'mcp-stdio-stub': 'src/tools/mcp/stdio-stub.ts',
  },
};

const ROOT = import.meta.dirname;

/** What is there when an `import()` is reached, from the top: whatever it imports comes along. */
const THERE_BY_THEN = [
  'src/every-entry',
  'src/provider/create-provider',
  'src/settings/kelivo-conventions',
  'src/provider/language-model',
  'src/provider/refuse-model',
  'src/provider/with-stock-fallback',
  // Begun when a provider is created.
  'src/provider/first-call',
];

/**
 * Keeps what an entry loads in one chunk, and what a first call loads in another. esbuild makes one for every set of modules
 * that the same entries and `import()`s need, a dozen here, and opening files is much of what importing costs. So each
 * `import()` is said to need everything that is loaded already when it is reached.
 */
const oneChunk: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'one chunk for what is loaded together',
  setup(build) {
    // In CJS each entry is one file anyway.
    if (build.initialOptions.format !== 'esm') return;
    build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
      kind === 'dynamic-import'
        ? { path: relative(ROOT, join(resolveDir, path.replace(/\.js$/, ''))), namespace: 'later' }
        : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'later' }, ({ path }) => ({
      contents: [...new Set([path.replaceAll('\\', '/'), ...THERE_BY_THEN])]
        .map((name) => `export * from './${name}';`)
        .join('\n'),
      resolveDir: ROOT,
    }));
  },
};

const everywhere: Options = {
  format: ['esm', 'cjs'],
  target: ['node20', 'es2022'],
  platform: 'node',
  sourcemap: true,
  // `splitting` keeps its default, ESM only: asked for in CJS it would turn `import()` into `require()`.
  // `#mcp-stdio` is resolved by the runtime, not by us.
  external: [/^#/],
  // `node:fs` must stay `node:fs`: Deno and Workers know no bare names.
  removeNodeProtocol: false,
};

export default defineConfig([
  {
    ...everywhere,
    ...providers,
    dts: withTypes && { entry: { ...providers.entry, ...others.entry } },
    esbuildPlugins: [oneChunk],
    // The other build runs meanwhile.
    clean: ['!testing.*', '!mcp-stdio-*'],
  },
  // By themselves, since every module shared with them would be a file more for whoever imports a provider.
  { ...everywhere, ...others },
]);
