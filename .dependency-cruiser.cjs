// The rooms and who may import whom: the import table of the design. `test/architecture/layers.test.ts` holds the same
// table in its own words and reads the sources itself, so that neither can be switched off quietly.

/** What each room may import from other rooms. `types`: only `import type`. A path is a part of a room. */
const rooms = {
  util: {},
  wire: {},
  core: { types: ['wire'] },
  errors: { values: ['util'], types: ['wire', 'core'] },
  observe: { values: ['core', 'errors', 'util'] },
  request: { values: ['core', 'wire', 'errors', 'util'] },
  stream: { values: ['core', 'wire', 'errors', 'util'] },
  tools: { values: ['core', 'errors', 'observe', 'util'] },
  transport: {
    values: ['core', 'wire', 'errors', 'observe', 'util', 'stream/decode-[^/]+$', 'stream/sse-[^/]+$'],
  },
  loop: { values: ['core', 'errors', 'observe', 'tools', 'util'] },
  testing: {
    values: ['core', 'wire', 'errors', 'stream', 'util', 'observe/redact[.]ts$', 'transport/transport[.]ts$'],
  },
  provider: {
    values: ['util', 'wire', 'core', 'errors', 'observe', 'request', 'stream', 'tools', 'transport', 'loop'],
  },
  adapters: { values: ['provider', 'core', 'errors', 'util'], types: ['loop'] },
};

/** `import type`, and `import('…').T`. */
const TYPES = ['type-only', 'type-import'];

/** Which code may import which package; everything not listed is forbidden in `src`. */
const packages = [
  { name: 'eventsource-parser', home: '^src/stream/' },
  { name: '@modelcontextprotocol/sdk', home: '^src/tools/mcp/', lazyOutside: '^src/tools/mcp/stdio-node[.]ts$' },
  { name: '@modelcontextprotocol/client', home: '^src/tools/mcp/', lazyOutside: '^$' },
  { name: '@ai-sdk/provider', home: '^src/adapters/' },
  { name: '@ai-sdk/provider-utils', home: '^src/provider/', lazyOutside: '^$' },
];

const packagePath = (name) => `(^|/)node_modules/${name}/`;
const partOf = (room) => `^src/${room}${room.endsWith('$') ? '' : '/'}`;

const roomRules = Object.entries(rooms).flatMap(([room, { values = [], types = [] }]) => [
  {
    name: `room-${room}`,
    comment: `${room} may import ${[...values, ...types.map((name) => `types of ${name}`)].join(', ') || 'nothing'}`,
    severity: 'error',
    from: { path: `^src/${room}/` },
    to: { path: '^src/', pathNot: [room, ...values, ...types].map(partOf) },
  },
  ...types.map((target) => ({
    name: `room-${room}-only-types-of-${target}`,
    severity: 'error',
    from: { path: `^src/${room}/` },
    to: { path: `^src/${target}/`, dependencyTypesNot: TYPES },
  })),
]);

const packageRules = packages.flatMap(({ name, home, lazyOutside }) => [
  {
    name: `package-${name}-at-home`,
    comment: `${name} may be imported only in ${home}`,
    severity: 'error',
    from: { path: '^src/', pathNot: home },
    to: { path: packagePath(name) },
  },
  ...(lazyOutside === undefined
    ? []
    : [
        {
          name: `package-${name}-lazy`,
          comment: `${name} is large: load it with import(), or import its types`,
          severity: 'error',
          from: { path: '^src/', pathNot: lazyOutside },
          to: { path: packagePath(name), dynamic: false, dependencyTypesNot: TYPES },
        },
      ]),
]);

module.exports = {
  forbidden: [
    ...roomRules,
    ...packageRules,
    {
      name: 'no-other-package',
      comment: 'A new dependency is a decision: give it a home in this file first',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: 'node_modules/', pathNot: packages.map(({ name }) => packagePath(name)) },
    },
    {
      name: 'no-node',
      comment: 'The engine runs in browsers and Workers too',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(testing/|tools/mcp/stdio-node[.]ts$)' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'stdio-node-lazy',
      comment: 'The Node-only module is reached through import("#mcp-stdio") in tools/mcp alone',
      severity: 'error',
      from: { path: '^src/' },
      to: {
        path: '^src/tools/mcp/stdio-(node|stub)[.]ts$',
        dynamic: false,
        dependencyTypesNot: TYPES,
      },
    },
    {
      name: 'adapters-no-sibling',
      severity: 'error',
      from: { path: '^src/adapters/([^/]+)/' },
      to: { path: '^src/adapters/', pathNot: '^src/adapters/$1/' },
    },
    {
      name: 'entry-from-provider-and-adapters',
      comment:
        'Entries export from provider and adapters, and errors; of other rooms, types; and what all of them export',
      severity: 'error',
      from: { path: '^src/[^/]+[.]ts$', pathNot: '^src/testing[.]ts$' },
      to: { path: '^src/', pathNot: '^src/((provider|adapters|errors)/|every-entry[.]ts$)', dependencyTypesNot: TYPES },
    },
    {
      name: 'entry-never-testing',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(testing/|testing[.]ts$)' },
      to: { path: '^src/testing(/|[.]ts$)' },
    },
    {
      name: 'testing-entry-from-testing',
      comment: 'The testing entry exports from testing; of other rooms, types',
      severity: 'error',
      from: { path: '^src/testing[.]ts$' },
      to: { path: '^src/', pathNot: '^src/testing/', dependencyTypesNot: TYPES },
    },
    {
      name: 'examples-use-the-package',
      comment: 'Examples show what a user writes: responses-loop by its name',
      severity: 'error',
      from: { path: '^examples/' },
      to: { path: '^src/', pathNot: '^src/(index|testing|v3|v4)[.]ts$' },
    },
    {
      name: 'runtime-core',
      comment: 'The core of the runtime knows only its own files and `src/types`',
      severity: 'error',
      from: { path: '^examples/agent-runtime/src/core/' },
      to: { pathNot: '^examples/agent-runtime/src/(core|types)/' },
    },
    {
      name: 'shared-is-plain',
      comment: 'From examples/shared `ai` would be another version than the applications have',
      severity: 'error',
      from: { path: '^examples/shared/' },
      to: { path: ['node_modules/(ai|@ai-sdk|hono)/', '^examples/(?!shared/)'] },
    },
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'resolvable',
      comment: 'An import that leads nowhere is checked by nothing',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    // Projects of their own, with packages of their own.
    exclude: { path: '^examples/frameworks/' },
    doNotFollow: { path: ['node_modules', '^dist/'] },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
};
