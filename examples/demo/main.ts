/** The demo: `npm run demo`, and `npm run demo -- --help` for what else it can do. */
import { type DemoOptions, HELP, readOptions } from './options.js';
import { runDemo } from './run-demo.js';

const INTERRUPTED = 130;

async function main(): Promise<number> {
  let options: DemoOptions | undefined;
  try {
    options = readOptions(process.argv.slice(2), process.env);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\nTry: npm run demo -- --help`);
    return 1;
  }
  if (options === undefined) {
    console.log(HELP);
    return 0;
  }
  // Ctrl-C ends the call; cleaning up follows from that. A second one is not waited for.
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  // Nobody reads on, as in `npm run demo | head`.
  process.stdout.on('error', interrupt);
  const code = await runDemo(options, interruption.signal);
  return interruption.signal.aborted ? INTERRUPTED : code;
}

process.exitCode = await main();
