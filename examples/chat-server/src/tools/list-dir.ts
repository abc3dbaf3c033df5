import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { actionName } from './action-name.js';
import { defineTool, type ToolDef } from './tool-def.js';
import { fileError, resolveReadable, type WorkspaceFiles } from './workspace-files.js';

const MAX_ENTRIES = 500;

interface Entry {
  readonly name: string;
  readonly type: 'file' | 'folder' | 'link' | 'other';
  readonly size?: number;
}

export function listDirTool(files: WorkspaceFiles): ToolDef {
  return defineTool({
    id: 'listDir',
    description: 'Lists a folder in the workspace.',
    inputSchema: z.object({ actionName, path: z.string().max(4096).describe('"." is the workspace.') }),
    execute: async ({ path }) => {
      try {
        const real = resolveReadable(path === '' ? '.' : path, files);
        const found = await readdir(real, { withFileTypes: true });
        if ((await realpath(real)) !== real) throw new Error(`${path} was moved while it was read.`);
        const visible = found
          .filter(({ name }) => files.guard.resolve(name, real).isReadable)
          .toSorted((one, other) => (one.name < other.name ? -1 : 1));
        const entries = await Promise.all(visible.slice(0, MAX_ENTRIES).map((entry) => describe(entry, real)));
        const left = visible.length - entries.length;
        return { ok: true, path, entries, ...(left > 0 ? { notShown: left } : {}) };
      } catch (error) {
        throw fileError(error, path);
      }
    },
  });
}

async function describe(entry: Dirent, folder: string): Promise<Entry> {
  const { name } = entry;
  if (entry.isDirectory()) return { name, type: 'folder' };
  if (entry.isSymbolicLink()) return { name, type: 'link' };
  if (!entry.isFile()) return { name, type: 'other' };
  const size = await lstat(join(folder, name)).then(
    (found) => found.size,
    () => 0, // Gone since it was listed.
  );
  return { name, type: 'file', size };
}
