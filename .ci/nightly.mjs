// Once a night: `npm run nightly`. All random tests with a seed that nobody chose, and everything else in its long form.
// FC_SEED=N plays one night again. A step that fails does not keep the others from being run.
import { randomInt } from 'node:crypto';
import { finish, npm, runLanes, tests } from './lanes.mjs';

const seed = Number(process.env['FC_SEED'] || randomInt(2 ** 31));
if (!Number.isInteger(seed)) throw new Error(`FC_SEED is "${process.env['FC_SEED']}"; give a whole number, or none.`);
Object.assign(process.env, { FC_SEED: String(seed), NIGHTLY: '1' });
console.log(`FC_SEED=${seed} npm run nightly plays this night again.`);

await runLanes({ lanes: [[npm('Build', 'build')]] });
await runLanes({
  lanes: [
    [
      npm('Chaos', 'chaos', '--', '--seed', seed % 2 ** 30, '--runs', '20000', '--jobs', '2'),
      npm('Loops that are killed', 'durable'),
      npm('Instances that are killed under conversations', 'fleet'),
      npm('MCP conformance', 'conformance'),
      npm('Other runtimes', 'runtimes'),
      npm('Mutants', 'mutants', '--', '--seed', seed, '--count', '50'),
    ],
    [tests('tests', 'Tests', 'test'), tests('slow', 'Slow tests', 'test:slow')],
  ],
  rest: [tests('sdks', 'Tests with ai 5, 6 and 7', 'test:sdks')],
  goesOn: true,
});
console.log(`\nFC_SEED=${seed}`);
finish();
