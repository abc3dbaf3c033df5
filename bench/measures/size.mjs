import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { OPEN_RESPONSES, OPENAI_SDK, OURS, STOCK } from '../support/names.mjs';
import { atMost, row } from '../support/row.mjs';

const HOME = fileURLToPath(new URL('..', import.meta.url));
const ENTRIES = {
  [OURS]: 'responses-loop',
  [OPEN_RESPONSES]: OPEN_RESPONSES,
  [STOCK]: STOCK,
  [OPENAI_SDK]: OPENAI_SDK,
};

/** The package that every provider for the AI SDK is a guest of is there anyway. */
const WITH_AI = ['ai', '@ai-sdk/provider', '@ai-sdk/provider-utils'];

/** What a bundler makes of the main entry, minified, as it goes over the wire; what is loaded lazily is not in it. */
export async function measure() {
  const alone = {};
  const beside = {};
  for (const [name, entry] of Object.entries(ENTRIES)) {
    alone[name] = await gzippedKilobytes(entry, []);
    beside[name] = await gzippedKilobytes(entry, WITH_AI);
  }
  return [
    row('main entry, minified and gzipped', 'kB', alone, [atMost(alone[OURS], 24, 'kB')]),
    row('the same without what `ai` brings', 'kB', beside, []),
  ];
}

async function gzippedKilobytes(entry, external) {
  const { outputFiles } = await build({
    stdin: { contents: `export * from '${entry}';`, resolveDir: HOME },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    write: false,
    external: [...external, '@modelcontextprotocol/*', '#mcp-stdio'],
    plugins: [LAZY],
  });
  return gzipSync(outputFiles[0].contents).length / 1_000;
}

const LAZY = {
  name: 'leave out what is loaded lazily',
  setup(esbuild) {
    esbuild.onResolve({ filter: /.*/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    );
  },
};
