import { trimLetters } from 'responses-loop-example-shared/trim-end.js';
import { z } from 'zod';
import { locateToRead } from '../files/locate.js';
import { runFileJob } from '../jobs/run.js';
import { type CodingTool, ToolError } from './context.js';

const MAX_FILES = 200;
const MAX_PATTERN_CHARS = 4096;
/** Patterns of ksh, as `!(a|b)`. */
const EXTENDED = /[@!?*+]\(/;

const INPUT = z.object({
  pattern: z
    .string()
    .min(1)
    .max(MAX_PATTERN_CHARS)
    .describe('Pattern of paths, such as "src/**/*.{ts,tsx}": *, ?, [a-z], **, {a,b}.'),
  path: z.string().optional().describe('Folder to start in (default: the workspace).'),
});

export const glob: CodingTool<typeof INPUT> = {
  name: 'glob',
  description: `Finds files by a pattern of their paths, newest first, at most ${MAX_FILES}. Ignored files are left out.`,
  inputSchema: INPUT,
  readOnly: true,
  title: ({ pattern, path }) => `Find ${pattern}${path === undefined ? '' : ` in ${path}`}`,
  execute: async ({ pattern, path }, context) => {
    if (pattern.startsWith('/') || pattern.split('/').includes('..')) {
      throw new ToolError('The pattern has to stay in its folder: give the folder to start in as path.');
    }
    if (EXTENDED.test(pattern)) {
      throw new ToolError(
        `${pattern}: patterns such as !(a|b) are not known here. Use {a,b}, or a backslash before "(".`,
      );
    }
    const shown = path === undefined || path === '' ? '.' : path;
    const folder = locateToRead(shown, context);
    const { extra, isOpened } = context;
    const { files, count } = await runFileJob(
      'findFiles',
      {
        folder,
        pattern,
        guard: extra.guard.options,
        isOpened: isOpened(folder),
        ignore: extra.ignore,
        maxFiles: MAX_FILES,
      },
      context,
    );
    if (count === 0) return 'No files match.';
    if (count > files.length) extra.report({ type: 'truncated' });
    const more = count > files.length ? [`[${count - files.length} more files: use a narrower pattern]`] : [];
    const prefix = shown === '.' ? '' : `${trimLetters(shown, '/')}/`;
    return [...files.map((file) => prefix + file), ...more].join('\n');
  },
};
