import { normalize, relative } from 'node:path';
import type { Verdict } from '../approval/verdict.js';
import type { WriteTarget } from './file-change.js';
import { checkReplaceable, fileError, resolveWritable, type WorkspaceFiles } from './workspace-files.js';

/** @throws Error for the model, if the file cannot be written there. */
export function writeTarget(path: string, files: WorkspaceFiles, content?: string): WriteTarget {
  const real = resolveWritable(path, files);
  const place = relative(files.root, real);
  const named = relative(files.root, normalize(path.startsWith('/') ? path : `${files.root}/${path}`));
  return { real, path, ...(place === named ? {} : { linkedTo: place }), ...(content === undefined ? {} : { content }) };
}

/** Refuses what could not be written anyway, and asks about the rest. */
export async function judgeWrite(
  path: string,
  find: () => WriteTarget,
  ask: { readonly tool: string; readonly reason?: string },
): Promise<Verdict> {
  try {
    await checkReplaceable(find());
  } catch (error) {
    return { decision: 'refuse', reason: fileError(error, path).message };
  }
  return { decision: 'ask', reason: ask.reason ?? 'it writes a file', grant: { kind: 'tool', tool: ask.tool } };
}
