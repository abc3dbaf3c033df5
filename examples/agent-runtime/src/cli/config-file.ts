import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelFile } from 'responses-loop-example-shared/open-model.js';
import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import { absoluteFolder, userFolder } from 'responses-loop-example-shared/user-folders.js';
import { z } from 'zod';

const CONFIG = z.strictObject({
  baseUrl: z.string().optional(),
  apiKey: z.string().optional(),
  model: z.string().optional(),
  database: z.string().optional(),
});

export interface ConfigFile extends ModelFile {
  readonly database?: string | undefined;
}

function configPath(env: NodeJS.ProcessEnv): string {
  return join(absoluteFolder(env['AGENT_HOME']) ?? userFolder('config', 'agent', env), 'config.json');
}

/** The config file of this user, if there is one. */
export function readConfigFile(env: NodeJS.ProcessEnv): ConfigFile {
  const path = configPath(env);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new SettingsError(`${path} cannot be read: ${(error as Error).message}`);
  }
  try {
    return CONFIG.parse(JSON.parse(text));
  } catch (error) {
    const problem = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw new SettingsError(`${path}: ${problem}`);
  }
}
