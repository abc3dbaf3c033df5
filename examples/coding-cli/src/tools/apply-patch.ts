import type { Change } from 'responses-loop-example-shared/file-difference.js';
import { z } from 'zod';
import { locateToWrite, type Place } from '../files/locate.js';
import { parsePatch, type PatchStep, pathsOfPatch } from '../files/parse-patch.js';
import { readIfThere } from '../files/read-file.js';
import { type JobContext, runFileJob } from '../jobs/run.js';
import { applyChanges, type CheckFile, checkStamps, checkWellFormed } from './changes.js';
import { type CodingTool, ToolError } from './context.js';

const INPUT = z.object({
  patch: z
    .string()
    .min(1)
    .describe(
      '"*** Begin Patch", then for each file "*** Add File: PATH" with lines that begin with "+", "*** Delete File: PATH", or "*** Update File: PATH" (with "*** Move to: PATH" behind it to move it) with "@@ LINE BEFORE" and lines that begin with " ", "-" or "+"; at last "*** End Patch".',
    ),
});

export const applyPatch: CodingTool<typeof INPUT> = {
  name: 'apply_patch',
  description:
    'Creates, changes, moves and deletes files by a patch, all of it or nothing. Files that exist must have been read, and be unchanged since. Lines are matched exactly.',
  inputSchema: INPUT,
  readOnly: false,
  title: ({ patch }) => `Patch ${pathsOf(patch).join(', ') || 'files'}`,
  changes: ({ patch }, place) => changesOf(patch, place),
  execute: async ({ patch }, context) => {
    const changes = await changesOf(patch, context, checkStamps(context));
    await applyChanges(changes, context);
    return ['Done:', ...changes.map(({ name, before, after }) => `${verbOf(before, after)} ${name}`)].join('\n');
  },
};

/** All of them, before any is made. */
async function changesOf(patch: string, place: Place & JobContext, check?: CheckFile): Promise<Change[]> {
  checkWellFormed({ patch });
  const changes: Change[] = [];
  for (const step of parsePatch(patch)) {
    const path = locateToWrite(step.path, place);
    const found = { path, name: step.path, before: await readIfThere(path) };
    if (step.kind === 'add') {
      checkFree(found);
      changes.push({ ...found, after: Buffer.from(step.content) });
      continue;
    }
    const { before } = found;
    if (before === undefined) throw new ToolError(`There is no file ${step.path}. Nothing was changed.`);
    check?.(found);
    const after = step.kind === 'delete' ? undefined : await patched(before, step, place);
    if (step.kind === 'delete' || step.to === undefined) {
      changes.push({ ...found, after });
      continue;
    }
    const to = { path: locateToWrite(step.to, place), name: step.to };
    checkFree({ ...to, before: await readIfThere(to.path) });
    changes.push({ ...to, before: undefined, after }, { ...found, after: undefined });
  }
  const twice = changes.find(({ path }, at) => changes.findIndex((other) => other.path === path) !== at);
  if (twice !== undefined) throw new ToolError(`The patch changes ${twice.name} twice. Nothing was changed.`);
  return changes;
}

function checkFree({ name, before }: Pick<Change, 'name' | 'before'>): void {
  if (before !== undefined) throw new ToolError(`${name} exists already. Nothing was changed: update it instead.`);
}

async function patched(
  before: Buffer,
  { parts, path: name }: Extract<PatchStep, { kind: 'update' }>,
  place: JobContext,
): Promise<Buffer> {
  return Buffer.from(await runFileJob('patchFile', { before, parts, name }, place));
}

function verbOf(before: Buffer | undefined, after: Buffer | undefined): string {
  if (after === undefined) return 'D';
  return before === undefined ? 'A' : 'M';
}

function pathsOf(patch: string): string[] {
  try {
    return pathsOfPatch(parsePatch(patch));
  } catch {
    return [];
  }
}
