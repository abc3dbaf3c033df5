import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { defineConfig, type Options } from 'tsup';

/** `js` leaves out the declarations, which take most of the time; `maps` builds for `npm run house` alone. */
const WANTED = process.env['RESPONSES_LOOP_BUILD'];

const ROOT = import.meta.dirname;

const providers = { index: 'src/index.ts', v3: 'src/v3.ts', v4: 'src/v4.ts' };
/** By themselves, since every module shared with them would be a file more for whoever imports a provider. */
const others = {
  testing: 'src/testing.ts',
  // Chosen through `imports` in package.json: only Node can start a process.
  'mcp-stdio-node': 'src/tools/mcp/stdio-node.ts',
  'mcp-stdio-stub': 'src/tools/mcp/stdio-stub.ts',
};

/**
 * What every entry has loaded when an `import()` of ours is reached. esbuild makes a file for every set of modules that the
 * same files need, and opening files is much of what importing costs. So each `import()` is said to need all of this, which
 * leaves one file for it and one for what a first call loads. `test/package/load-graph.test.ts` holds what is opened.
 */
const LOADED_BY_THEN = [
  'src/every-entry',
  'src/provider/create-provider',
  'src/provider/language-model',
  'src/provider/refuse-model',
  'src/provider/with-stock-fallback',
  'src/settings/conventions',
  // Begun when a provider is created.
  'src/provider/first-call',
];

const fewFiles: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'one file for what is loaded together',
  setup(build) {
    build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
      kind === 'dynamic-import'
        ? { path: relative(ROOT, join(resolveDir, path.replace(/\.js$/, ''))), namespace: 'later' }
        : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'later' }, ({ path }) => ({
      contents: [...new Set([path.replaceAll('\\', '/'), ...LOADED_BY_THEN])]
        .map((name) => `export * from './${name}';`)
        .join('\n'),
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

const imported: Options = { ...everywhere, entry: providers, format: 'esm', esbuildPlugins: [fewFiles] };

const declared = { ...providers, ...others };

/** A file of a line, beside what is built. */
function write(name: string, text: string): void {
  writeFileSync(join(ROOT, 'dist', name), `${text}\n`);
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
    // Each type exists once: ESM takes the declarations of CJS.
    if (WANTED !== 'js')
      for (const name of Object.keys(declared)) write(`${name}.d.ts`, `export * from './${name}.cjs';`);
  },
};

export default defineConfig(
  WANTED === 'maps'
    ? { ...imported, sourcemap: true, clean: true, outDir: 'coverage/house' }
    : [
        // The other builds run meanwhile.
        { ...imported, clean: ['!*.cjs', '!*.d.ts', '!*.d.cts', '!testing.*', '!mcp-stdio-*'] },
        required,
        { ...everywhere, entry: others, format: ['esm', 'cjs'], splitting: false },
        ...(WANTED === 'js' ? [] : [{ entry: declared, format: 'cjs' as const, dts: { only: true } }]),
      ],
);
