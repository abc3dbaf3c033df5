import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import type { ToolDef } from './tool-def.js';

/** What an agent can do, in groups: a template names groups, not tools. */
export const CAPABILITY_GROUPS: Readonly<Record<string, readonly string[]>> = {
  basic: ['timeNow', 'note'],
  files: ['readFile', 'listDir', 'writeFile', 'viewImage'],
  shell: ['shellCommand', 'execCommand', 'writeStdin'],
  web: ['openUrl'],
  browser: ['browserOpen', 'browserSnapshot', 'browserAct', 'browserExtract', 'browserWait'],
  show: ['chartRender', 'imageGenerate', 'jsonRender', 'writeJsx'],
  plan: ['updatePlan'],
  agents: ['subAgent'],
  test: ['testApproval'],
};

/** The tools of some groups, each once. */
export function toolsOf(groups: readonly string[], table = CAPABILITY_GROUPS): string[] {
  return [...new Set(groups.flatMap((group) => (Object.hasOwn(table, group) ? (table[group] ?? []) : [])))];
}

/**
 * At the start: a tool that no group has is never offered, and no one would notice.
 *
 * @throws SettingsError that names what is wrong.
 */
export function checkTools(defs: Readonly<Record<string, ToolDef>>, groups = CAPABILITY_GROUPS): void {
  for (const [key, { id }] of Object.entries(defs)) {
    if (key !== id) throw new SettingsError(`The tool "${id}" is under the key "${key}": give it its own id.`);
  }
  for (const [group, ids] of Object.entries(groups)) {
    if (ids.length === 0) throw new SettingsError(`The capability group "${group}" names no tool.`);
    const unknown = ids.find((id) => !Object.hasOwn(defs, id));
    if (unknown !== undefined) {
      throw new SettingsError(`The capability group "${group}" names "${unknown}", which does not exist.`);
    }
  }
  const grouped = new Set(Object.values(groups).flat());
  const lost = Object.keys(defs).find((id) => !grouped.has(id));
  if (lost !== undefined) throw new SettingsError(`The tool "${lost}" is in no capability group.`);
}
