import { dirname, resolve } from 'node:path';
import { stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { CommanderError } from 'commander';
import { exitCodeOf } from './exit-codes.js';
import { runProgram } from './program.js';
import { say } from './say.js';

/** Whatever still holds the process then is nothing of ours. */
const GRACE_MS = 2_000;

enterFolderOfUser();
// They would be printed to stdout, among the answers; ours are events.
globalThis.AI_SDK_LOG_WARNINGS = false;
// `coder … | head` has read enough.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
try {
  process.exitCode = await runProgram(process.argv.slice(2));
} catch (error) {
  // commander has said what is wrong already.
  if (!(error instanceof CommanderError)) say(`coder: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = exitCodeOf(error);
}
setTimeout(() => process.exit(), GRACE_MS).unref();

/** `npm run` works in the folder of the package, wherever the user is. */
function enterFolderOfUser(): void {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env;
  const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../../..');
  if (script === 'coder' && folder !== undefined && process.cwd() === root) process.chdir(folder);
}
