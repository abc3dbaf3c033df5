import { type Dirent, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { IgnoreRules } from '../files/ignore-rules.js';
import { ToolError } from '../tools/context.js';

export interface ListTreeInput {
  /** Real path. */
  readonly folder: string;
  /** Where the rules of `.gitignore` files begin. */
  readonly root: string;
  readonly ignore: readonly string[];
  readonly depth: number;
  readonly maxEntries: number;
}

export interface ListedTree {
  readonly lines: readonly string[];
  readonly isCut: boolean;
}

/** Lines of a tree, folders behind their entries. Links are shown and not followed. */
export function listTree(input: ListTreeInput): ListedTree {
  const tree = new Tree(input);
  tree.add(input.folder, 0);
  return { lines: tree.lines, isCut: tree.isCut };
}

class Tree {
  readonly lines: string[] = [];
  isCut = false;
  readonly #rules: IgnoreRules;
  readonly #input: ListTreeInput;

  constructor(input: ListTreeInput) {
    this.#rules = new IgnoreRules(input.root, input.ignore);
    this.#input = input;
  }

  add(folder: string, level: number): void {
    const { depth, maxEntries } = this.#input;
    for (const entry of entriesOf(folder, level === 0)) {
      const path = join(folder, entry.name);
      const isFolder = entry.isDirectory();
      if (this.#rules.isIgnored(path, isFolder)) continue;
      if (this.lines.length === maxEntries) {
        this.isCut = true;
        return;
      }
      const mark = isFolder ? '/' : entry.isSymbolicLink() ? ` -> ${targetOf(path)}` : '';
      this.lines.push(`${'  '.repeat(level + 1)}${entry.name}${mark}`);
      if (isFolder && level + 1 < depth) this.add(path, level + 1);
    }
  }
}

function entriesOf(folder: string, isFirst: boolean): readonly Dirent[] {
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
