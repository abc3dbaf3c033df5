const PACKAGES = ['@ai-sdk/provider', '@ai-sdk/provider-utils', '@modelcontextprotocol/sdk', '#mcp-stdio'];
/** The bundler's own few lines. */
const CALL = ['entry', 'calls', 'rolldown-runtime'];

/** The files as they are shipped, each by itself: what one needs of another is measured there. */
const row = (name, files, limit) => ({
  name,
  path: files.map((file) => `dist/${file}.js`),
  gzip: true,
  limit,
  ignore: [...PACKAGES, './*'],
});

export default [
  row('main entry: what importing it loads', ['index', 'entry'], '17.4 kB'),
  row('entry for AI SDK 6: what importing it loads', ['v3', 'entry'], '17.2 kB'),
  row('entry for AI SDK 7: what importing it loads', ['v4', 'entry'], '17.2 kB'),
  row('main entry, and what its first call without tools loads', ['index', ...CALL], '99.2 kB'),
  row(
    'everything of ours that the main entry can reach',
    ['index', ...CALL, 'tools', 'fallback', 'stock-answering', 'collect-messages', 'open-telemetry'],
    '149 kB',
  ),
];
