import { z } from 'zod';
import { actionName } from './action-name.js';
import { runFileJob } from './run-file-job.js';
import { defineTool, type ToolDef } from './tool-def.js';
import { resolveReadable, type WorkspaceFiles } from './workspace-files.js';

export function listDirTool(files: WorkspaceFiles): ToolDef {
  return defineTool({
    id: 'listDir',
    description: 'Lists a folder in the workspace.',
    inputSchema: z.object({ actionName, path: z.string().max(4096).describe('"." is the workspace.') }),
    execute: async ({ path }, { signal }) => {
      const real = resolveReadable(path === '' ? '.' : path, files);
      const { entries, notShown } = await runFileJob('listFolder', { real, path, guard: files.guard.options }, signal);
      return { ok: true, path, entries, ...(notShown > 0 ? { notShown } : {}) };
    },
  });
}
