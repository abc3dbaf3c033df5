import { z } from 'zod';
import { actionName } from './action-name.js';
import { runFileJob } from './run-file-job.js';
import { defineTool, type ToolDef } from './tool-def.js';
import { resolveReadable, type WorkspaceFiles } from './workspace-files.js';

const MAX_LINES = 2000;

export function readFileTool(files: WorkspaceFiles): ToolDef {
  return defineTool({
    id: 'readFile',
    description:
      'Reads a text file in the workspace, a Word document (.docx, as Markdown) or an Excel workbook (.xlsx, as CSV).',
    inputSchema: z.object({
      actionName,
      path: z.string().min(1).max(4096),
      offset: z.number().int().min(1).optional().describe('The first line to read, from 1.'),
      limit: z.number().int().min(1).max(MAX_LINES).optional().describe(`How many lines; at most ${MAX_LINES}.`),
    }),
    execute: async ({ path, offset = 1, limit = MAX_LINES }, { signal }) => {
      const real = resolveReadable(path, files);
      const { content, ...lines } = await runFileJob('readLines', { real, path, offset, limit }, signal);
      const next = lines.to < lines.of ? { next: `Go on with offset ${lines.to + 1}.` } : {};
      return { ok: true, path, content, lines, ...next };
    },
  });
}
