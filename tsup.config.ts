import { defineConfig } from 'tsup';

/** Declarations take most of the build's time; the demo and quick tries need none. */
const withTypes = process.env['RESPONSES_LOOP_BUILD'] !== 'js';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    v3: 'src/v3.ts',
    v4: 'src/v4.ts',
    testing: 'src/testing.ts',
    // Chosen through `imports` in package.json: only Node can start a process.
    'mcp-stdio-node': 'src/tools/mcp/stdio-node.ts',
    'mcp-stdio-stub': 'src/tools/mcp/stdio-stub.ts',
  },
  format: ['esm', 'cjs'],
  target: ['node20', 'es2022'],
  platform: 'node',
  dts: withTypes,
  sourcemap: true,
  // `splitting` keeps its default, ESM only: asked for in CJS it would turn `import()` into `require()`.
  clean: true,
  // `#mcp-stdio` is resolved by the runtime, not by us.
  external: [/^#/],
  // `node:fs` must stay `node:fs`: Deno and Workers know no bare names.
  removeNodeProtocol: false,
});
