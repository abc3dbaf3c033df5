import { z } from 'zod';
import { hashOf } from '../files/hash.js';
import { locateToWrite } from '../files/locate.js';
import { parsePatch, type PatchStep, pathsOfPatch } from '../files/parse-patch.js';
import { readIfThere } from '../files/read-file.js';
import { removeFileSafely, writeFileSafely } from '../files/write-file.js';
import { runFileJob } from '../jobs/run.js';
import { checkStamp, checkWellFormed } from './change-file.js';
import { type CodingTool, type ToolContext, ToolError } from './context.js';

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
  execute: async ({ patch }, context) => {
    checkWellFormed({ patch });
    const changes = await changesOf(parsePatch(patch), context);
    await applyAll(changes, context);
    return ['Done:', ...changes.map(({ name, before, after }) => `${verbOf(before, after)} ${name}`)].join('\n');
  },
};

/** What a file holds now, and what it is to hold; `undefined`: no file. */
interface FileChange {
  /** Real path. */
  readonly path: string;
  readonly name: string;
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
}

/** All of them, before any is made. */
async function changesOf(steps: readonly PatchStep[], context: ToolContext): Promise<FileChange[]> {
  const changes: FileChange[] = [];
  for (const step of steps) {
    const path = locateToWrite(step.path, context);
    const found = { path, name: step.path, before: await readIfThere(path) };
    if (step.kind === 'add') {
      checkFree(found);
      changes.push({ ...found, after: Buffer.from(step.content) });
      continue;
    }
    const { before } = found;
    if (before === undefined) throw new ToolError(`There is no file ${step.path}. Nothing was changed.`);
    checkStamp(found, context);
    const after = step.kind === 'delete' ? undefined : await patched(before, step, context);
    if (step.kind === 'delete' || step.to === undefined) {
      changes.push({ ...found, after });
      continue;
    }
    const to = { path: locateToWrite(step.to, context), name: step.to };
    checkFree({ ...to, before: await readIfThere(to.path) });
    changes.push({ ...to, before: undefined, after }, { ...found, after: undefined });
  }
  const twice = changes.find(({ path }, at) => changes.findIndex((other) => other.path === path) !== at);
  if (twice !== undefined) throw new ToolError(`The patch changes ${twice.name} twice. Nothing was changed.`);
  return changes;
}

function checkFree({ name, before }: Pick<FileChange, 'name' | 'before'>): void {
  if (before !== undefined) throw new ToolError(`${name} exists already. Nothing was changed: update it instead.`);
}

async function patched(
  before: Buffer,
  { parts, path: name }: Extract<PatchStep, { kind: 'update' }>,
  context: ToolContext,
): Promise<Buffer> {
  return Buffer.from(await runFileJob('patchFile', { before, parts, name }, context));
}

/** If one cannot be made, those before it are taken back. */
async function applyAll(changes: readonly FileChange[], { extra }: ToolContext): Promise<void> {
  const done: FileChange[] = [];
  try {
    for (const { before } of changes) if (before !== undefined) await extra.checkpoints.keep(before);
    for (const change of changes) {
      await put(change);
      done.push(change);
    }
  } catch (error) {
    const stuck: string[] = [];
    for (const { name, before, after, path } of done.toReversed())
      await put({ path, name, before: after, after: before }).catch(() => stuck.push(name));
    const left = stuck.length === 0 ? 'Nothing was changed.' : `These stayed changed: ${stuck.join(', ')}.`;
    throw new ToolError(`${error instanceof Error ? error.message : String(error)} ${left}`);
  }
  for (const { path, before, after } of changes) {
    const [old, now] = [hashOrNull(before), hashOrNull(after)];
    if (now !== null) extra.stamps.keep(path, now);
    extra.report({ type: 'file_change', change: { path, before: old, after: now } });
  }
}

function put({ path, name, before, after }: FileChange): Promise<void> {
  const expected = hashOrNull(before);
  return after === undefined
    ? removeFileSafely(path, { expected, name })
    : writeFileSafely(path, after, { expected, name });
}

function hashOrNull(content: Buffer | undefined): string | null {
  return content === undefined ? null : hashOf(content);
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
