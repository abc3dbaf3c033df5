import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { nameOf, type Pairing, PAIRINGS } from './pairings.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const require = createRequire(import.meta.url);

/** The stock provider whose models speak a specification; the one of V2 is the root's. */
const STOCK: Readonly<Record<Pairing['spec'], string>> = { v2: '@ai-sdk/openai', v3: 'openai-3', v4: 'openai-4' };

/** The providers of xAI, Azure and Open Responses that speak it; Open Responses came with V3. */
const PEERS: Readonly<Record<Pairing['spec'], Readonly<Record<string, string>>>> = {
  v2: { '@ai-sdk/azure': 'azure-2', '@ai-sdk/xai': 'xai-2' },
  v3: { '@ai-sdk/azure': 'azure-3', '@ai-sdk/xai': 'xai-3', '@ai-sdk/open-responses': 'open-responses-1' },
  v4: { '@ai-sdk/azure': 'azure-4', '@ai-sdk/xai': 'xai-5', '@ai-sdk/open-responses': 'open-responses-2' },
};

/** The stock package of each specification, under every SDK that takes it; AI SDK 5 is looked at by `npm test`. */
const contract = (pairing: Pairing): string[] => (nameOf(pairing) === 'ai5-v2' ? [] : ['test/sdks/contract.test.ts']);
/** AI SDK 6 and 7 do not take the tools that the stock package of V2 declares. */
const conversation = ({ spec }: Pairing): string[] => (spec === 'v2' ? [] : ['test/sdks/conversation.test.ts']);
/** Their models are looked at under the SDK that they are made for. */
const NATIVE: Readonly<Record<Pairing['spec'], Pairing['sdk']>> = { v2: 5, v3: 6, v4: 7 };
const peers = ({ sdk, spec }: Pairing): string[] =>
  NATIVE[spec] === sdk
    ? Object.keys(PEERS[spec]).map((name) => `test/sdks/${name.replace('@ai-sdk/', '')}.test.ts`)
    : [];
const WITH_STOCK = [
  'test/sdks/azure.test.ts',
  'test/sdks/open-responses.test.ts',
  'test/sdks/xai.test.ts',
  'test/sdks/contract.test.ts',
  'test/sdks/conversation.test.ts',
];

/** Node 20 has no socket of its own: this pairing runs under a Node that has one. */
const sockets = ({ sdk, spec }: Pairing): string[] =>
  sdk === 7 && spec === 'v4' ? ['test/transport/sockets/attempts.test.ts'] : [];

/** The sources, or what was built of them. */
const built = process.env['RESPONSES_LOOP_SDKS'] === 'dist';
const entry = (name: string): string => (built ? `${root}dist/${name}.js` : `${root}src/${name}.ts`);

/** The copy that belongs to an SDK major: what a user's package manager would give to both of us. */
function providerUtilsOf(sdk: Pairing['sdk']): string {
  const manifest = createRequire(require.resolve(`ai-${sdk}/package.json`)).resolve(
    '@ai-sdk/provider-utils/package.json',
  );
  return dirname(manifest);
}

function project(pairing: Pairing): TestProjectInlineConfiguration {
  return {
    extends: true,
    resolve: {
      alias: [
        { find: /^ai$/, replacement: `ai-${pairing.sdk}` },
        { find: /^@ai-sdk\/openai$/, replacement: STOCK[pairing.spec] },
        ...Object.entries(PEERS[pairing.spec]).map(([find, replacement]) => ({ find, replacement })),
        { find: /^@ai-sdk\/provider-utils$/, replacement: providerUtilsOf(pairing.sdk) },
        { find: /^responses-loop$/, replacement: entry(pairing.spec === 'v2' ? 'index' : pairing.spec) },
        { find: /^responses-loop\/testing$/, replacement: entry('testing') },
        { find: /^responses-loop\/node$/, replacement: entry('node') },
        ...(built ? [] : [{ find: /^#mcp-stdio$/, replacement: `${root}src/tools/mcp/stdio-node.ts` }]),
      ],
    },
    test: {
      name: nameOf(pairing),
      include: ['test/sdks/*.test.ts', ...sockets(pairing)],
      exclude: WITH_STOCK.filter(
        (file) => ![...contract(pairing), ...conversation(pairing), ...peers(pairing)].includes(file),
      ),
      setupFiles: ['test/repeatable.ts', 'test/report-leaks.ts'],
      provide: { pairing },
    },
  };
}

export default defineConfig({
  root,
  test: {
    pool: 'forks',
    maxWorkers: 2,
    // The files share nothing but modules, and loading an SDK anew for each of them would be most of the time.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    teardownTimeout: 10_000,
    projects: PAIRINGS.map(project),
  },
});
