import type { Change } from 'responses-loop-example-shared/file-difference.js';
import { z } from 'zod';
import type { LoosePlace, TextEdit } from '../files/edit-text.js';
import { locateToWrite, type Place } from '../files/locate.js';
import { readIfThere } from '../files/read-file.js';
import { type JobContext, runFileJob } from '../jobs/run.js';
import { applyChanges, type CheckFile, checkStamps, checkWellFormed } from './changes.js';
import { type CodingTool, ToolError } from './context.js';

const ONE = {
  old_string: z
    .string()
    .describe('Text to replace, to the letter, with enough around it to be there once. Empty only to make a new file.'),
  new_string: z.string().describe('Text to put in its place.'),
  replace_all: z.boolean().optional().describe('Replace it everywhere.'),
};

const INPUT = z.object({
  path: z.string().min(1).describe('File to change; relative paths start in the workspace.'),
  old_string: ONE.old_string.optional(),
  new_string: ONE.new_string.optional(),
  replace_all: ONE.replace_all,
  edits: z
    .array(z.object(ONE))
    .optional()
    .describe('Several replacements instead of old_string and new_string: made one after another, all or none.'),
});

const MAX_SHOWN_LINES = 20;

export const edit: CodingTool<typeof INPUT> = {
  name: 'edit',
  description:
    'Replaces one text in a file, or several. The file must have been read, and be unchanged since. Line ends are kept. A text that differs from the file in blanks only is found if there is one such place.',
  inputSchema: INPUT,
  readOnly: false,
  title: ({ path }) => `Edit ${path}`,
  changes: async (input, place) => [(await changeOf(input, place)).change],
  execute: async (input, context) => {
    const { change, count, loose } = await changeOf(input, context, checkStamps(context));
    const diff = await applyChanges([change], context);
    const what =
      count === 0 ? `Made ${input.path}.` : `Changed ${count} ${count === 1 ? 'place' : 'places'} in ${input.path}.`;
    return [what, ...loose.map(sayLoose), ...(diff === undefined ? [] : [diff])].join('\n');
  },
};

type Input = z.infer<typeof INPUT>;

interface Edited {
  readonly change: Change;
  readonly count: number;
  readonly loose: readonly LoosePlace[];
}

/** What was not read, or has changed, is refused before its text is looked at. */
async function changeOf(input: Input, place: Place & JobContext, check?: CheckFile): Promise<Edited> {
  const { path } = input;
  const edits = editsOf(input);
  const real = locateToWrite(path, place);
  const before = await readIfThere(real);
  const found = { path: real, name: path, before };
  if (before === undefined) {
    const [first, ...others] = edits;
    if (first === undefined || first.oldString !== '' || others.length > 0)
      throw new ToolError(`There is no file ${path}. To make it, leave old_string empty or use write.`);
    return { change: { ...found, after: Buffer.from(first.newString) }, count: 0, loose: [] };
  }
  check?.(found);
  const { after, count, loose } = await runFileJob('changeText', { before, edits, name: path }, place);
  return { change: { ...found, after: Buffer.from(after) }, count, loose };
}

function editsOf({ path, edits, ...one }: Input): readonly TextEdit[] {
  const { old_string: oldString, new_string: newString } = one;
  const isOne = oldString !== undefined || newString !== undefined;
  if (isOne === (edits !== undefined && edits.length > 0))
    throw new ToolError('Give either old_string and new_string, or edits. Nothing was changed.');
  if (isOne && (oldString === undefined || newString === undefined))
    throw new ToolError('Give both old_string and new_string. Nothing was changed.');
  const given = isOne ? [{ ...one, old_string: oldString ?? '', new_string: newString ?? '' }] : (edits ?? []);
  for (const { old_string: before, new_string: after } of given)
    checkWellFormed({ path, old_string: before, new_string: after });
  return given.map(({ old_string: before, new_string: after, replace_all: replaceAll = false }) => ({
    oldString: before,
    newString: after,
    replaceAll,
  }));
}

/** What was taken for the text, as it stands there. */
function sayLoose({ edit: number, first, lines, differsIn }: LoosePlace): string {
  const shown = lines.slice(0, MAX_SHOWN_LINES).map((line, at) => `${first + at}\t${line}`);
  const more = lines.length > MAX_SHOWN_LINES ? [`… and ${lines.length - MAX_SHOWN_LINES} more lines`] : [];
  return [
    `old_string${number === 1 ? '' : ` of edit ${number}`} is not there to the letter. It was taken for these lines, which differ from it in ${differsIn}:`,
    ...shown,
    ...more,
  ].join('\n');
}
