import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { ModelFile } from 'responses-loop-example-shared/open-model.js';
import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import { z } from 'zod';

const CONFIG = z.strictObject({
  baseUrl: z.string().optional(),
  apiKey: z.string().optional(),
  model: z.string().optional(),
});

/** Not in the workspace: a folder from elsewhere must not say where a key is sent. */
function configPath(env: NodeJS.ProcessEnv): string {
  const folder =
    absolute(env['AGENT_HOME']) ?? join(absolute(env['XDG_CONFIG_HOME']) ?? join(homedir(), '.config'), 'agent');
  return join(folder, 'config.json');
}

/** A relative folder, or one that is called nothing, would be in the workspace. */
function absolute(folder: string | undefined): string | undefined {
  return folder !== undefined && isAbsolute(folder) ? folder : undefined;
}

/** The config file of this user, if there is one. */
export function readConfigFile(env: NodeJS.ProcessEnv): ModelFile {
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
