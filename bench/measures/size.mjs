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

/** What everybody loads who makes a call without tools, though not with the entry. */
const FIRST_CALL = /[/]first-call[.]js$/;
const NOTHING = /$^/;
/** All files of ours that are loaded at some time. */
const ANYTHING = /^[.]/;

/** What a bundler makes of the main entry, minified, as it goes over the wire: what importing it loads, and what calls load. */
export async function measure() {
  const alone = {};
  const called = {};
  const beside = {};
  for (const [name, entry] of Object.entries(ENTRIES)) {
    alone[name] = await gzippedKilobytes(entry, { external: [], later: NOTHING });
    called[name] = await gzippedKilobytes(entry, { external: [], later: FIRST_CALL });
    beside[name] = await gzippedKilobytes(entry, { external: WITH_AI, later: FIRST_CALL });
  }
  const all = await gzippedKilobytes(ENTRIES[OURS], { external: ['eventsource-parser'], later: ANYTHING });
  return [
    row('main entry, minified and gzipped', 'kB', alone, [atMost(alone[OURS], 24, 'kB')]),
    row('main entry and the code that a first call loads', 'kB', called, []),
    row('the same without packages that `ai` installs', 'kB', beside, []),
    row('all package code that the main entry can load', 'kB', { [OURS]: all }, [atMost(all, 170, 'kB')]),
  ];
}

async function gzippedKilobytes(entry, { external, later }) {
  const { outputFiles } = await build({
    stdin: { contents: `export * from '${entry}';`, resolveDir: HOME },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    write: false,
    external: [...external, '@modelcontextprotocol/*', '#mcp-stdio'],
    plugins: [lazyBut(later)],
    // The one of this repository would lead to the sources.
    tsconfigRaw: {},
  });
  return gzipSync(outputFiles[0].contents).length / 1_000;
}

function lazyBut(included) {
  return {
    name: 'leave out what is loaded lazily',
    setup(esbuild) {
      esbuild.onResolve({ filter: /.*/ }, ({ kind, path }) =>
        kind === 'dynamic-import' && !included.test(path) ? { path, external: true } : undefined,
      );
    },
  };
}
