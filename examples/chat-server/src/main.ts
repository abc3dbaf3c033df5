import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommanderError } from 'commander';
import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import { runProgram } from './cli/program.js';
import { say } from './cli/say.js';

/** Whatever still holds the process then is nothing of ours. */
const GRACE_MS = 1_000;

enterFolderOfUser();
// They would be printed to stdout, behind the address.
globalThis.AI_SDK_LOG_WARNINGS = false;
try {
  await runProgram(process.argv.slice(2));
} catch (error) {
  // commander has said what is wrong already.
  if (!(error instanceof CommanderError)) say(error instanceof Error ? error.message : String(error));
  process.exitCode = exitCodeOf(error);
}
setTimeout(() => process.exit(), GRACE_MS).unref();

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return error instanceof SettingsError || code === 'invalid-settings' ? 2 : 1;
}

/** `npm run` works in the folder of the package, wherever the user is. */
function enterFolderOfUser(): void {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env;
  const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
  if (script === 'chat' && folder !== undefined && process.cwd() === root) process.chdir(folder);
}
