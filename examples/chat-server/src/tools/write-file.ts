import { z } from 'zod';
import { wellFormedProblem } from 'responses-loop-example-shared/well-formed.js';
import { actionName } from './action-name.js';
import { defineTool, type ToolDef } from './tool-def.js';
import type { WriteTarget } from './file-change.js';
import { replaceFile } from './replace-file.js';
import type { WorkspaceFiles } from './workspace-files.js';
import { judgeWrite, writeTarget } from './write-target.js';

const MAX_CHARS = 2_000_000;

export function writeFileTool(files: WorkspaceFiles): ToolDef {
  return defineTool({
    id: 'writeFile',
    description: 'Writes a whole text file in the workspace, in place of one that is there.',
    inputSchema: z.object({ actionName, path: z.string().min(1).max(4096), content: z.string().max(MAX_CHARS) }),
    target: ({ path, content }) => textTarget(path, content, files),
    judge: ({ path, content }) => judgeWrite(path, () => textTarget(path, content, files), { tool: 'writeFile' }),
    execute: async ({ path, content }, { shown }) => {
      await replaceFile(textTarget(path, content, files), content, files, shown);
      return { ok: true, path, bytes: Buffer.byteLength(content) };
    },
  });
}

/** @throws Error for the model, if the file cannot be written there, or cannot hold the text. */
export function textTarget(path: string, content: string, files: WorkspaceFiles): WriteTarget {
  const problem = wellFormedProblem('path', path) ?? wellFormedProblem('content', content);
  if (problem !== undefined) throw new Error(problem);
  return writeTarget(path, files, content);
}
