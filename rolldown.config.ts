import { defineConfig, type OutputOptions, type Plugin, type RolldownOptions } from 'rolldown';

const providers = { index: 'src/index.ts', v3: 'src/v3.ts', v4: 'src/v4.ts' };
/** By themselves, since every module shared with them would be a file more for whoever imports a provider. */
const others = {
  testing: 'src/testing.ts',
  // Chosen through `imports` in package.json: only Node can start a process.
  'mcp-stdio-node': 'src/tools/mcp/stdio-node.ts',
  'mcp-stdio-stub': 'src/tools/mcp/stdio-stub.ts',
};

export const ENTRIES = { ...providers, ...others };

/**
 * The files that entries share, in the order in which they are opened: a module goes into the first that needs it. One for
 * what every entry loads at once, and one for each row of `src/provider/on-demand.ts`. An `import()` that is no row has a file
 * of its own. `test/package/load-graph.test.ts` holds which import opens which files.
 */
const SHARED = [
  { name: 'entry', tags: ['$initial' as const], minShareCount: 2 },
  { name: 'calls', test: /provider[\\/]first-call\.ts$/ },
  { name: 'tools', test: /tools[\\/]create-tool-registry\.ts$/ },
  { name: 'fallback', test: /fallback[\\/]fallback-call\.ts$/ },
].map((group, index, { length }) => ({ ...group, priority: length - index }));

/** The declarations are built once, for CJS, from where ESM may take them too: half the files, and each type exists once. */
const passDeclarations: Plugin = {
  name: 'declarations for ESM',
  generateBundle({ format }, bundle) {
    if (format !== 'es') return;
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk' || !file.isEntry) continue;
      this.emitFile({ type: 'asset', fileName: `${file.name}.d.ts`, source: `export * from './${file.name}.cjs';\n` });
    }
  },
};

const everywhere: RolldownOptions = {
  platform: 'node',
  tsconfig: true,
  transform: { target: ['node20', 'es2022'] },
  // All packages, and `#mcp-stdio`, which is resolved by the runtime.
  external: /^(?:node:|[@#a-z][^:]*$)/,
  plugins: [passDeclarations],
};

function outputs(options: OutputOptions): OutputOptions[] {
  const both = { ...options, dir: 'dist', comments: { jsdoc: false } };
  const names = (extension: string) => ({
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `[name].${extension}`,
  });
  return [
    // The maps are for `npm run house` and are not shipped, so no file points at its map.
    { ...both, ...names('js'), format: 'es', sourcemap: 'hidden' },
    // Here an `import()` of ours becomes a late `require()`, which loads as little; one of a package stays what it is.
    { ...both, ...names('cjs'), format: 'cjs', cleanDir: false },
  ];
}

export default defineConfig([
  { ...everywhere, input: providers, output: outputs({ cleanDir: true, codeSplitting: { groups: SHARED } }) },
  ...Object.entries(others).map(([name, path]) => ({
    ...everywhere,
    input: { [name]: path },
    output: outputs({ codeSplitting: false }),
  })),
]);
