// What has to pass for each commit, in two lanes: `.ci/run`. What is long or draws at random is in `nightly.mjs`.
import { finish, npm, runLanes, scratch, step, tests } from './lanes.mjs';

await runLanes({
  lanes: [
    [step('Install (npm ci)', 'npm', 'ci'), build('js')],
    [
      step(
        'Chromium, Postgres, bubblewrap, strace and git-lfs for the tests of the applications',
        'node',
        '.ci/programs.mjs',
      ),
    ],
  ],
});
await runLanes({
  lanes: [
    [
      build('types'),
      npm('Types', 'types'),
      npm('Format', 'format:check'),
      npm('Lint', 'lint'),
      npm('Layers', 'layers'),
      npm('Dead code', 'dead'),
      npm('Package shape', 'shape'),
      npm('Size', 'size'),
      npm('The documentation as a site, no dead link', 'docs'),
      npm('The site in Chromium at two widths', 'docs:look'),
      tests('sdks', 'Tests with ai 5, 6 and 7', 'test:sdks'),
      tests('packed', 'Tests of the packed tarball', 'test:packed'),
      npm('Other runtimes, the small ones', 'runtimes', '--', '--fast'),
      npm('Other frameworks', 'frameworks'),
    ],
    [tests('tests', 'Tests', 'test'), tests('slow', 'Slow tests', 'test:slow')],
  ],
  rest: [
    npm('MCP conformance, ten scenarios', 'conformance', '--', '--short'),
    npm('Loops that are killed, eight times an engine', 'durable', '--', '--short'),
    npm('Instances that are killed under conversations', 'fleet', '--', '--short'),
    npm('Demo', 'demo', '--', '--stand-in'),
    npm('Examples', 'examples', '--', '--stand-in'),
    npm('The agent runtime', 'agent', '--', 'send', 'hello', '--offline', '-w', scratch),
    npm('The coding agent', 'coder', '--', 'exec', 'hello', '--offline', '-C', scratch),
  ],
});
finish();

/** `npm run build` in two halves, because the tests need no declarations. */
function build(half) {
  const variable = `RESPONSES_LOOP_BUILD=${half}`;
  return step(`Build (${variable} npm run build)`, 'env', variable, 'npm', 'run', 'build');
}
