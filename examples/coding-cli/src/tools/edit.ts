import { z } from 'zod';
import { locateToWrite, type Place } from '../files/locate.js';
import { readIfThere } from '../files/read-file.js';
import { type JobContext, runFileJob } from '../jobs/run.js';
import { applyChange, type Change, checkStamp, checkWellFormed, diffOf } from './change-file.js';
import { type CodingTool, ToolError } from './context.js';

const INPUT = z.object({
  path: z.string().min(1).describe('File to change; relative paths start in the workspace.'),
  old_string: z
    .string()
    .describe('Text to replace, to the letter, with enough around it to be there once. Empty only to make a new file.'),
  new_string: z.string().describe('Text to put in its place.'),
  replace_all: z.boolean().optional().describe('Replace it everywhere.'),
});

export const edit: CodingTool<typeof INPUT> = {
  name: 'edit',
  description: 'Replaces a text in a file. The file must have been read, and be unchanged since. Line ends are kept.',
  inputSchema: INPUT,
  readOnly: false,
  title: ({ path }) => `Edit ${path}`,
  preview: async (input, place) => diffOf((await changeOf(input, place)).change),
  execute: async (input, context) => {
    const { change, count } = await changeOf(input, context, (found) => checkStamp(found, context));
    const diff = await applyChange(change, context);
    const what =
      count === 0 ? `Made ${input.path}.` : `Changed ${count} ${count === 1 ? 'place' : 'places'} in ${input.path}.`;
    return diff === undefined ? what : `${what}\n${diff}`;
  },
};

type Input = z.infer<typeof INPUT>;
type Found = Pick<Change, 'path' | 'name' | 'before'>;

/** What was not read, or has changed, is refused before its text is looked at. */
async function changeOf(
  { path, old_string: oldString, new_string: newString, replace_all: replaceAll = false }: Input,
  place: Place & JobContext,
  check?: (found: Found) => void,
): Promise<{ readonly change: Change; readonly count: number }> {
  checkWellFormed({ path, old_string: oldString, new_string: newString });
  const real = locateToWrite(path, place);
  const before = await readIfThere(real);
  const found = { path: real, name: path, before };
  if (before === undefined) {
    if (oldString !== '')
      throw new ToolError(`There is no file ${path}. To make it, leave old_string empty or use write.`);
    return { change: { ...found, after: Buffer.from(newString) }, count: 0 };
  }
  check?.(found);
  const wanted = { oldString, newString, replaceAll, name: path };
  const { after, count } = await runFileJob('changeText', { before, edit: wanted }, place);
  return { change: { ...found, after: Buffer.from(after) }, count };
}
