import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';

const MAX_RULES_BYTES = 1_000_000;

/** What `.gitignore` files from a root down to each folder leave out, and some that always are. */
export class IgnoreRules {
  readonly #root: string;
  readonly #always: Ignore;
  readonly #byFolder = new Map<string, Ignore | undefined>();

  constructor(root: string, patterns: readonly string[]) {
    this.#root = root;
    this.#always = ignore().add(['.git/', ...patterns]);
  }

  /** `path` is absolute, in the root. */
  isIgnored(path: string, isFolder: boolean): boolean {
    const parts = relative(this.#root, path).split(sep);
    if (parts[0] === '' || parts[0] === '..') return false;
    const suffix = isFolder ? '/' : '';
    if (this.#always.ignores(parts.join('/') + suffix)) return true;
    let isOut = false;
    // The rules of a deeper folder have the last word.
    for (let depth = 0; depth < parts.length; depth += 1) {
      const rules = this.#rulesOf(join(this.#root, ...parts.slice(0, depth)));
      const result = rules?.test(parts.slice(depth).join('/') + suffix);
      if (result?.ignored === true) isOut = true;
      if (result?.unignored === true) isOut = false;
    }
    return isOut;
  }

  #rulesOf(folder: string): Ignore | undefined {
    if (!this.#byFolder.has(folder)) this.#byFolder.set(folder, readRules(join(folder, '.gitignore')));
    return this.#byFolder.get(folder);
  }
}

function readRules(path: string): Ignore | undefined {
  try {
    return ignore().add(readFileSync(path, 'utf8').slice(0, MAX_RULES_BYTES));
  } catch {
    return undefined;
  }
}
