import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createGlob, type Glob } from 'responses-loop-example-shared/glob.js';
import {
  createPathGuard,
  isWithin,
  type PathGuard,
  type PathGuardOptions,
} from 'responses-loop-example-shared/path-guard.js';
import { IgnoreRules } from '../files/ignore-rules.js';

export interface FindFilesInput {
  /** Real path of the folder in which the pattern starts. */
  readonly folder: string;
  readonly pattern: string;
  readonly guard: PathGuardOptions;
  /** The folder was opened for this call, though it may lie outside. */
  readonly isOpened: boolean;
  /** Further patterns as in `.gitignore`. */
  readonly ignore: readonly string[];
  readonly maxFiles: number;
}

export interface FoundFiles {
  /** Newest first, from the folder. */
  readonly files: readonly string[];
  /** Of all that fit. */
  readonly count: number;
}

/** Never what is meant, and often most of the files, unless the pattern names it. */
const LARGE = ['.git', 'node_modules'];

/** Files that fit a pattern. Links are files: they are not followed, but for those that the pattern names. */
export function findFiles(input: FindFilesInput): FoundFiles {
  const found = new Finder(input).find();
  const dated = found.map((file) => ({ file, time: timeOf(join(input.folder, file)) }));
  const files = dated.toSorted((a, b) => b.time - a.time || (a.file < b.file ? -1 : 1)).map(({ file }) => file);
  return { files: files.slice(0, input.maxFiles), count: files.length };
}

class Finder {
  readonly #input: FindFilesInput;
  readonly #glob: Glob;
  readonly #guard: PathGuard;
  /** Leading folders of the pattern that stand for themselves. */
  readonly #fixed: readonly string[];
  readonly #found: string[] = [];

  constructor(input: FindFilesInput) {
    this.#input = input;
    const parts = input.pattern.split('/').filter((part) => part !== '' && part !== '.');
    const wild = parts.findIndex((part) => /[*?[\]{}\\]/.test(part));
    this.#fixed = parts.slice(0, wild === -1 ? parts.length - 1 : wild);
    this.#glob = createGlob(parts.join('/'), { style: 'files' });
    this.#guard = createPathGuard(input.guard);
  }

  find(): readonly string[] {
    const { path, problem } = this.#guard.resolve(this.#fixed.join('/') || '.', this.#input.folder);
    if (problem === undefined && this.#isReadable(path))
      this.#walk(path, this.#fixed.map((part) => `${part}/`).join(''));
    return this.#found;
  }

  /** `shown`: how the folder begins what is found in it. */
  #walk(start: string, shownStart: string): void {
    const rules = this.#rulesFor(start);
    const open = [{ folder: start, shown: shownStart }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { folder, shown } = next;
      for (const entry of entriesOf(folder)) {
        const [path, name] = [join(folder, entry.name), shown + entry.name];
        if (entry.isDirectory()) {
          if (this.#isEntered(path, `${name}/`, entry.name, rules)) open.push({ folder: path, shown: `${name}/` });
        } else if (this.#isFound(path, name, entry, rules)) this.#found.push(name);
      }
    }
  }

  #rulesFor(start: string): IgnoreRules | undefined {
    if (this.#input.pattern.includes('node_modules')) return undefined;
    const root = this.#guard.roots.find((folder) => isWithin(start, folder));
    return root === undefined ? undefined : new IgnoreRules(root, this.#input.ignore);
  }

  #isEntered(path: string, shown: string, name: string, rules: IgnoreRules | undefined): boolean {
    if (LARGE.includes(name) && !this.#input.pattern.includes(name)) return false;
    return this.#glob.mayStart(shown) && rules?.isIgnored(path, true) !== true && this.#isReadable(path);
  }

  #isFound(path: string, shown: string, entry: Dirent, rules: IgnoreRules | undefined): boolean {
    if (!entry.isFile() && !entry.isSymbolicLink()) return false;
    if (!this.#glob.matches(shown) || rules?.isIgnored(path, false) === true) return false;
    return !entry.isSymbolicLink() || this.#isReadable(this.#guard.resolve(path, '/').path);
  }

  #isReadable(path: string): boolean {
    const { folder, isOpened } = this.#input;
    return this.#guard.resolve(path, '/').isReadable || (isOpened && isWithin(path, folder));
  }
}

/** One that may not be read is one that is empty. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function timeOf(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
