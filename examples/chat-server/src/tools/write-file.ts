import { z } from 'zod';
import { wellFormedProblem } from 'responses-loop-example-shared/well-formed.js';
import { actionName } from './action-name.js';
import { defineTool, type ToolDef } from './tool-def.js';
import { fileError, replaceFile, resolveWritable, type WorkspaceFiles } from './workspace-files.js';

const MAX_CHARS = 2_000_000;

export function writeFileTool(files: WorkspaceFiles): ToolDef {
  return defineTool({
    id: 'writeFile',
    description: 'Writes a whole text file in the workspace, in place of one that is there.',
    inputSchema: z.object({ actionName, path: z.string().min(1).max(4096), content: z.string().max(MAX_CHARS) }),
    judge: ({ path, content }) => {
      try {
        textTarget(path, content, files);
      } catch (error) {
        return { decision: 'refuse', reason: fileError(error, path).message };
      }
      return { decision: 'ask', reason: 'it writes a file', grant: { kind: 'tool', tool: 'writeFile' } };
    },
    execute: async ({ path, content }) => {
      try {
        await replaceFile(textTarget(path, content, files), content, files);
        return { ok: true, path, bytes: Buffer.byteLength(content) };
      } catch (error) {
        throw fileError(error, path);
      }
    },
  });
}

/** @throws Error for the model, if the file cannot be written there, or cannot hold the text. */
export function textTarget(path: string, content: string, files: WorkspaceFiles): string {
  const problem = wellFormedProblem('path', path) ?? wellFormedProblem('content', content);
  if (problem !== undefined) throw new Error(problem);
  return resolveWritable(path, files);
}
