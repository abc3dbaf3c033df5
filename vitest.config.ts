import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What a run of the source needs; the package tests itself by its own names. */
const ofSource = {
  alias: [
    { find: /^#mcp-stdio$/, replacement: source('src/tools/mcp/stdio-node.ts') },
    { find: /^responses-loop(?:\/ai5)?$/, replacement: source('src/index.ts') },
    { find: /^responses-loop\/node$/, replacement: source('src/node.ts') },
    { find: /^responses-loop\/question$/, replacement: source('src/question.ts') },
    { find: /^responses-loop\/testing$/, replacement: source('src/testing.ts') },
    { find: /^responses-loop\/(?:v3|ai6)$/, replacement: source('src/v3.ts') },
    { find: /^responses-loop\/(?:v4|ai7)$/, replacement: source('src/v4.ts') },
  ],
};
const setupFiles = ['test/repeatable.ts', 'test/report-leaks.ts'];
/** Of files that share workers. */
const shared = ['test/load-early.ts', ...setupFiles];

/** Run elsewhere: the tarball's, and what only the suite of the SDKs installs. The contract of AI SDK 5 is in `test/contract`. */
const ELSEWHERE = [
  'test/package/**',
  'test/sdks/contract.test.ts',
  'test/sdks/conversation.test.ts',
  'test/sdks/azure.test.ts',
  'test/sdks/open-responses.test.ts',
  'test/sdks/xai.test.ts',
  '**/node_modules/**',
];

/** Whole programs, real servers and processes, thousands of examples: what `npm test` leaves to `npm run test:slow`. */
const SLOW = [
  'test/adapters/**/*.test.ts',
  'test/chaos/**/*.test.ts',
  'test/{cli,node}/**/real-*.test.ts',
  'test/contract/**/*.test.ts',
  'test/docs/site.test.ts',
  'test/examples/**/*.test.ts',
  'test/growth/**/*.test.ts',
  'test/limits/**/*.test.ts',
  'test/replay/**/*.test.ts',
  'test/sdks/**/*.test.ts',
  'test/servers/**/*.test.ts',
  'test/**/any-*.test.ts',
  'test/**/*-{growth,property}.test.ts',
  'test/acceptance/{errors,loop-guards,loop-limits,mcp*,sloppy-items,user-approval}.test.ts',
  'test/fallback/{crowds,fall-over,random-flips}.test.ts',
  'test/observe/*secret*.test.ts',
  'test/rounds/{background,fail-over,retry}.test.ts',
  'test/testing/{msw,record,replay}-*.test.ts',
  'test/tools/mcp/{real,processes}*.test.ts',
  'test/tools/mcp/{elicitation,finish-sign-in,hostile-servers,late-context,pace-streams,server-extras,stdio,transports}.test.ts',
  'test/tools/mcp/modern/{connections,handed-in,odd-servers}.test.ts',
  'test/transport/{encode-body,transport-safety}.test.ts',
  'test/transport/sockets/**/*.test.ts',
];

/** Slow files with their own worker: they measure time, steps or memory of the whole process, or replace modules. */
const SLOW_ALONE = [
  'test/{chaos,growth}/**/*.test.ts',
  'test/limits/bodies.test.ts',
  'test/transport/sockets/{endless-loop,identity}.test.ts',
];

/** Files with their own worker: they replace modules or forbid the whole process something. All others share workers. */
const ALONE = [
  'test/items/new-family.test.ts',
  'test/observe/no-cost.test.ts',
  'test/tools/mcp/{load-stdio,no-eval}.test.ts',
  ...SLOW_ALONE,
];

/** Of the applications: what starts programs and servers or fills a database, beside their folders `slow`. */
const SLOW_APPS = [
  'examples/agent-runtime/test/{cli/first-run,persistence/sqlite,core/session,driver/mono-driver,adapters/drivers}.test.ts',
  'examples/shared/test/open-model.test.ts',
];

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // A file that leaves a handle open is named and ended instead of hanging the run.
    teardownTimeout: 10_000,
    // Types (`*.test-d.ts`) are checked by `npm run types`: the compiler is faster than a second run of it.
    projects: [
      {
        extends: true,
        resolve: ofSource,
        test: {
          name: 'unit',
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: [...ELSEWHERE, ...SLOW, ...ALONE],
          setupFiles: shared,
        },
      },
      {
        extends: true,
        resolve: ofSource,
        test: { name: 'unit-alone', include: ALONE, exclude: [...ELSEWHERE, ...SLOW], setupFiles },
      },
      {
        extends: true,
        resolve: ofSource,
        test: { name: 'slow', isolate: false, include: SLOW, exclude: [...ELSEWHERE, ...ALONE], setupFiles: shared },
      },
      {
        extends: true,
        resolve: ofSource,
        test: { name: 'slow-alone', include: SLOW_ALONE, exclude: ELSEWHERE, setupFiles },
      },
      {
        extends: true,
        test: {
          name: 'package',
          include: ['test/package/**/*.test.ts'],
          globalSetup: ['test/package/install-consumer.ts'],
          testTimeout: 120_000,
          hookTimeout: 300_000,
        },
      },
      // The example applications import the package by its name, so they are tested with what is built.
      {
        extends: true,
        test: {
          name: 'apps',
          include: ['examples/*/test/**/*.test.ts'],
          exclude: ['examples/*/test/slow/**', ...SLOW_APPS, '**/node_modules/**'],
          globalSetup: ['test/helpers/build-if-stale.ts'],
          setupFiles,
        },
      },
      {
        extends: true,
        test: {
          name: 'slow-apps',
          include: ['examples/*/test/slow/**/*.test.ts', ...SLOW_APPS],
          globalSetup: ['test/helpers/build-if-stale.ts'],
          testTimeout: 300_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
