import { cleanEnvironment } from 'responses-loop-example-shared/clean-environment.js';
import { realFolder } from 'responses-loop-example-shared/path-guard.js';
import { createSandbox, type Sandbox, without } from 'responses-loop-example-shared/sandbox.js';
import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import type { Settings } from '../config/schema.js';

/**
 * What commands run in. `read_only` and `workspace_write` are what the system then holds them to.
 *
 * @throws SettingsError if it is required, and cannot be had.
 */
export function isolationOf(
  { isolation, sandbox, sandboxNetwork, workspace, addDirs, configDir, dataDir }: Settings,
  { home, outputs }: { readonly home: string; readonly outputs: string },
): Sandbox {
  if (sandbox === 'danger_full_access' && isolation !== 'off') {
    const why = 'danger_full_access lets commands do everything';
    if (isolation === 'required') throw new SettingsError(`--sandbox required: ${why}. Choose one of them.`);
    return without(`off: ${why}`);
  }
  return createSandbox(isolation, {
    roots: [workspace, ...addDirs],
    isReadOnly: sandbox === 'read_only',
    hidden: [configDir, dataDir].map(realFolder),
    readable: [realFolder(outputs)],
    hasNetwork: sandboxNetwork,
    path: cleanEnvironment(process.env)['PATH'] ?? '',
    home,
  });
}
