import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import type { GlobalOptions } from './options.js';

/** The folder whose sessions are meant. */
export function workspaceOf({ workspace }: GlobalOptions): string {
  const path = resolve(workspace);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return path;
  throw new SettingsError(`--workspace: there is no folder ${path}.`);
}
