import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { keyOfFlags } from 'responses-loop-example-shared/model-flags.js';
import { type Loaded, loadSettings } from '../config/load.js';
import type { SettingName } from '../config/schema.js';
import type { GlobalOptions } from './options.js';
import { say } from './say.js';

/** The settings that the command line and everything behind it make; what is odd about them is said. */
export function settingsOf(
  options: GlobalOptions,
  { isHeadless = false, sessionCwd }: { readonly isHeadless?: boolean; readonly sessionCwd?: string | undefined } = {},
): Loaded {
  const cwd = process.cwd();
  // A session goes on in its own folder, unless another is named.
  const own = sessionCwd !== undefined && existsSync(sessionCwd) ? sessionCwd : cwd;
  const loaded = loadSettings({
    flags: flagsOf(options),
    env: process.env,
    cwd,
    workspace: options.cd === undefined ? own : resolve(cwd, options.cd),
    envFile: options.envFile,
    log: options.log,
    isHeadless,
  });
  for (const warning of loaded.warnings) say(`coder: ${warning}`);
  return loaded;
}

function flagsOf(options: GlobalOptions): Partial<Record<SettingName, unknown>> {
  const { baseUrl, model, approval, sandbox, sandboxNetwork, maxTurns, addDir, allow, mcpConfig, stock, projectDoc } =
    options;
  return {
    baseUrl,
    apiKey: keyOfFlags(options, process.env),
    model,
    approval,
    mode: options.plan === true ? 'plan' : undefined,
    sandbox: sandbox?.mode,
    isolation: sandbox?.isolation,
    sandboxNetwork,
    webSearch: options.webSearch,
    maxTurns,
    price: options.price,
    addDirs: addDir,
    allow,
    mcpConfig,
    stock,
    // commander says `true` where nobody said anything.
    projectDoc: projectDoc === false ? false : undefined,
  };
}
