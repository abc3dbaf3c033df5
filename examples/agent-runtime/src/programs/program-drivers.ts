import { AgentError } from '../core/agent-error.js';
import type { DriverFactory } from '../types/index.js';
import { coderDialect } from './coder-dialect.js';
import { eventsDialect } from './events-dialect.js';
import { createProcessDriver } from './process-driver.js';

const CODER = ['coder', 'proto'];

/** Drivers that start programs, by the names that `AGENTX_DRIVER` takes; `AGENTX_COMMAND` is the program as a JSON array. */
export const PROGRAM_DRIVERS: Readonly<Record<string, DriverFactory>> = {
  coder: (config) =>
    createProcessDriver({ name: 'coder', command: commandOf(process.env) ?? CODER, dialect: coderDialect }, config),
  process: (config) => {
    const command = commandOf(process.env);
    if (command !== undefined) return createProcessDriver({ name: 'process', command, dialect: eventsDialect }, config);
    throw new AgentError(
      'bad_settings',
      'The driver "process" needs AGENTX_COMMAND: the program and its arguments as a JSON array, such as ["my-agent","--json"].',
    );
  },
};

/** @throws AgentError `bad_settings`, if it is no JSON array of texts */
function commandOf(env: Readonly<Record<string, string | undefined>>): readonly string[] | undefined {
  const written = env['AGENTX_COMMAND'];
  if (written === undefined || written === '') return undefined;
  let command: unknown;
  try {
    command = JSON.parse(written);
  } catch {
    command = undefined;
  }
  if (Array.isArray(command) && command.length > 0 && command.every((part) => typeof part === 'string')) return command;
  throw new AgentError('bad_settings', 'AGENTX_COMMAND must be a JSON array of texts, such as ["coder","proto"].');
}
