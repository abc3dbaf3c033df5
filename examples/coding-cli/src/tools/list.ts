import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { IgnoreRules } from '../files/ignore-rules.js';
import { locateToRead } from '../files/locate.js';
import { type CodingTool, ToolError } from './context.js';

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
    const real = locateToRead(shown, context);
    const root = extra.guard.roots.find((folder) => real === folder || real.startsWith(`${folder}/`)) ?? real;
    const tree = new Tree(new IgnoreRules(root, extra.ignore), depth);
    tree.add(real, 0);
    if (tree.isCut) extra.report({ type: 'truncated' });
    const lines = tree.lines.length === 0 ? ['(empty)'] : tree.lines;
    const more = tree.isCut ? [`[more than ${MAX_ENTRIES} entries: list a folder of it, or use glob]`] : [];
    return [`${real === cwd ? '.' : shown}/`, ...lines, ...more].join('\n');
  },
};

/** Lines of a tree, folders behind their entries. Links are shown and not followed. */
class Tree {
  readonly lines: string[] = [];
  isCut = false;
  readonly #rules: IgnoreRules;
  readonly #depth: number;

  constructor(rules: IgnoreRules, depth: number) {
    this.#rules = rules;
    this.#depth = depth;
  }

  add(folder: string, level: number): void {
    for (const entry of entriesOf(folder, level === 0)) {
      const path = join(folder, entry.name);
      const isFolder = entry.isDirectory();
      if (this.#rules.isIgnored(path, isFolder)) continue;
      if (this.lines.length === MAX_ENTRIES) {
        this.isCut = true;
        return;
      }
      const mark = isFolder ? '/' : entry.isSymbolicLink() ? ` -> ${targetOf(path)}` : '';
      this.lines.push(`${'  '.repeat(level + 1)}${entry.name}${mark}`);
      if (isFolder && level + 1 < this.#depth) this.add(path, level + 1);
    }
  }
}

function entriesOf(folder: string, isFirst: boolean) {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Deeper down, a folder that may not be read is one that is empty.
    if (!isFirst) return [];
    if (code === 'ENOENT') throw new ToolError(`There is no folder ${folder}.`);
    if (code === 'ENOTDIR') throw new ToolError(`${folder} is a file. Use read to see what is in it.`);
    if (code === 'EACCES' || code === 'EPERM') throw new ToolError(`${folder} may not be read by this user.`);
    throw error;
  }
}

function targetOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '?';
  }
}
