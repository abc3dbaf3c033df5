import type { Change } from 'responses-loop-example-shared/file-difference.js';
import { z } from 'zod';
import { locateToWrite, type Place } from '../files/locate.js';
import { readIfThere } from '../files/read-file.js';
import { applyChanges, checkStamps, checkWellFormed } from './changes.js';
import type { CodingTool } from './context.js';

const INPUT = z.object({
  path: z.string().min(1).describe('File to write; relative paths start in the workspace. Folders are made.'),
  content: z.string().describe('The whole new content of the file.'),
});

export const write: CodingTool<typeof INPUT> = {
  name: 'write',
  description: 'Writes a whole file. One that exists must have been read, and be unchanged since.',
  inputSchema: INPUT,
  readOnly: false,
  title: ({ path }) => `Write ${path}`,
  changes: async (input, place) => [await changeOf(input, place)],
  execute: async (input, context) => {
    const change = await changeOf(input, context);
    checkStamps(context)(change);
    const diff = await applyChanges([change], context);
    const verb = change.before === undefined ? 'Made' : 'Wrote';
    return `${verb} ${input.path} (${Buffer.byteLength(input.content)} bytes).${diff === undefined ? '' : `\n${diff}`}`;
  },
};

async function changeOf({ path, content }: z.infer<typeof INPUT>, place: Place): Promise<Change> {
  checkWellFormed({ path, content });
  const real = locateToWrite(path, place);
  return { path: real, name: path, before: await readIfThere(real), after: Buffer.from(content) };
}
