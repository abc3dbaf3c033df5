import { z } from 'zod';
import { checkJsx, JsxError } from '../jsx/check-jsx.js';
import { CATALOGUE } from '../jsx/components.js';
import { actionName } from './action-name.js';
import { defineTool, type ToolDef, type ToolOutput } from './tool-def.js';
import type { WriteTarget } from './file-change.js';
import { replaceFile } from './replace-file.js';
import type { WorkspaceFiles } from './workspace-files.js';
import { textTarget } from './write-file.js';
import { judgeWrite } from './write-target.js';

const MAX_CHARS = 200_000;

/** A view as a file: it is read as data, and never run. */
export function writeJsxTool(files: WorkspaceFiles): ToolDef {
  return defineTool({
    id: 'writeJsx',
    description:
      'Writes a view as a file of JSX into the workspace and shows it. Only these components and literal values are taken, ' +
      `no code and no HTML: ${CATALOGUE}. A file that is wrong is kept, too: mend what the error names, and write it again.`,
    inputSchema: z.object({
      actionName,
      path: z.string().min(1).max(4096).describe('A file of the workspace, ending with .jsx.'),
      content: z.string().min(1).max(MAX_CHARS),
    }),
    target: ({ path, content }) => target(path, content, files),
    judge: ({ path, content }) => judgeWrite(path, () => target(path, content, files), { tool: 'writeJsx' }),
    execute: async ({ path, content }, { shown }) => {
      const checked = check(content);
      await replaceFile(target(path, content, files), content, files, shown);
      return { ...checked, path, bytes: Buffer.byteLength(content) };
    },
  });
}

function check(content: string): ToolOutput {
  try {
    return { ok: true, view: checkJsx(content) };
  } catch (error) {
    if (!(error instanceof JsxError)) throw error;
    const { message, line, column } = error;
    return { ok: false, error: `${message} The file was written as it is, and is not shown.`, line, column };
  }
}

function target(path: string, content: string, files: WorkspaceFiles): WriteTarget {
  if (!/\.jsx$/i.test(path)) throw new Error(`${path} does not end with .jsx.`);
  return textTarget(path, content, files);
}
