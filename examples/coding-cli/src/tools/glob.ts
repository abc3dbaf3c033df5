import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { glob as findFiles } from 'tinyglobby';
import { z } from 'zod';
import { IgnoreRules } from '../files/ignore-rules.js';
import { locateToRead } from '../files/locate.js';
import { type CodingTool, type ToolContext, ToolError } from './context.js';

const MAX_FILES = 200;
/** Never what is meant, and often most of the files, unless the pattern names it. */
const LARGE = ['.git', 'node_modules'];

const INPUT = z.object({
  pattern: z.string().min(1).describe('Pattern of paths, such as "src/**/*.ts".'),
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
    const shown = path === undefined || path === '' ? '.' : path;
    const folder = locateToRead(shown, context);
    const found = await findFiles(pattern, {
      cwd: folder,
      ignore: LARGE.filter((name) => !pattern.includes(name)).map((name) => `**/${name}/**`),
      dot: true,
      followSymbolicLinks: false,
      expandDirectories: false,
      signal: context.signal,
    });
    const files = await newestFirst(
      found.filter((file) => isShown(join(folder, file), pattern, context)),
      folder,
    );
    if (files.length === 0) return 'No files match.';
    if (files.length > MAX_FILES) context.extra.report({ type: 'truncated' });
    const more = files.length > MAX_FILES ? [`[${files.length - MAX_FILES} more files: use a narrower pattern]`] : [];
    const prefix = shown === '.' ? '' : `${shown.replace(/\/+$/, '')}/`;
    return [...files.slice(0, MAX_FILES).map((file) => prefix + file), ...more].join('\n');
  },
};

/** A link in the fixed part of a pattern may have led out. */
function isShown(path: string, pattern: string, { extra, isOpened }: ToolContext): boolean {
  const real = extra.guard.resolve(path, '/');
  if (!real.isReadable && !isOpened(real.path)) return false;
  const root = extra.guard.roots.find((folder) => path.startsWith(`${folder}/`));
  return (
    root === undefined ||
    pattern.includes('node_modules') ||
    !new IgnoreRules(root, extra.ignore).isIgnored(path, false)
  );
}

async function newestFirst(files: readonly string[], folder: string): Promise<string[]> {
  const dated = await Promise.all(
    files.map(async (file) => ({
      file,
      time: await lstat(join(folder, file)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    })),
  );
  return dated.toSorted((a, b) => b.time - a.time || (a.file < b.file ? -1 : 1)).map(({ file }) => file);
}
