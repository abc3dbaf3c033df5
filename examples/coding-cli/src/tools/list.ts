import { isWithin } from 'responses-loop-example-shared/path-guard.js';
import { z } from 'zod';
import { locateToRead } from '../files/locate.js';
import { runFileJob } from '../jobs/run.js';
import type { CodingTool } from './context.js';

const MAX_ENTRIES = 500;

const INPUT = z.object({
  path: z.string().optional().describe('Folder (default: the workspace).'),
  depth: z.int().min(1).max(20).optional().describe('How many levels to show (default 2).'),
});

export const list: CodingTool<typeof INPUT> = {
  name: 'list',
  description: `Shows the files of a folder as a tree, without what .gitignore leaves out. At most ${MAX_ENTRIES} entries.`,
  inputSchema: INPUT,
  readOnly: true,
  title: ({ path = '.' }) => `List ${path}`,
  execute: async ({ path, depth = 2 }, context) => {
    const { cwd, extra } = context;
    const shown = path === undefined || path === '' ? '.' : path;
    const folder = locateToRead(shown, context);
    const root = extra.guard.roots.find((each) => isWithin(folder, each)) ?? folder;
    const input = { folder, root, ignore: extra.ignore, depth, maxEntries: MAX_ENTRIES };
    const { lines, isCut } = await runFileJob('listTree', input, context);
    if (isCut) extra.report({ type: 'truncated' });
    const more = isCut ? [`[more than ${MAX_ENTRIES} entries: list a folder of it, or use glob]`] : [];
    return [`${folder === cwd ? '.' : shown}/`, ...(lines.length === 0 ? ['(empty)'] : lines), ...more].join('\n');
  },
};
