const PACKAGES = [
  '@ai-sdk/provider',
  '@ai-sdk/provider-utils',
  '@modelcontextprotocol/sdk',
  'minisearch',
  '#mcp-stdio',
];
/** `import()` loads a file for each row of `LATER` in `tsup.config.ts`. `test/architecture/rings.test.ts` compares them. */
const FIRST_CALL = './first-call.js';
const LATER = [
  'create-tool-registry',
  'call-journal',
  'background',
  'go-on',
  'after-failure',
  'request-draft',
  'resume',
  'run-view',
  'withheld-reasoning',
  'trim-rounds',
  'compact',
  'tool-stubs',
  'sdk-tools',
  'mcp-apps',
  'between-call',
  'call-bill',
  'watched-requests',
  'outputs-ring',
  'late-results',
  'part-signer',
  'keep-rounds',
  'search-ring',
  'socket-ring',
  'socket-transport',
  'fallback-call',
  'stock-source',
  'collect-messages',
  'open-telemetry',
].map((name) => `./${name}.js`);

const row = (name, entry, limit, ignored) => ({
  name,
  path: `dist/${entry}.js`,
  gzip: true,
  limit,
  ignore: [...PACKAGES, ...ignored],
});

export default [
  row('main entry: what importing it loads', 'index', '20 kB', [FIRST_CALL, ...LATER]),
  row('entry for AI SDK 6: what importing it loads', 'v3', '20 kB', [FIRST_CALL, ...LATER]),
  row('entry for AI SDK 7: what importing it loads', 'v4', '20 kB', [FIRST_CALL, ...LATER]),
  row('main entry, and what its first call without tools loads', 'index', '109.2 kB', LATER),
  row('what a person answers to', 'question', '1.7 kB', []),
  row('everything of ours that the main entry can reach', 'index', '191 kB', []),
];
