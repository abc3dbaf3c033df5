import { packageVersion } from 'responses-loop-example-shared/package-version.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { write } from './say.js';

export async function version(): Promise<ExitCode> {
  write(`coder ${packageVersion()}\n`);
  return EXIT.done;
}
