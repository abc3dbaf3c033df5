import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { createGlob, type Glob } from 'responses-loop-example-shared/glob.js';

const MAX_RULES_BYTES = 1_000_000;
/** No path is longer. */
const MAX_PATTERN_CHARS = 4096;
const ignoreCase = process.platform === 'darwin' || process.platform === 'win32';
/** A pipe that nobody writes to does not hold the reader up; a link is not followed, as git does not. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

interface Rule {
  readonly isKept: boolean;
  readonly isForFolders: boolean;
  /** Held against the last part of a path alone. */
  readonly isOfName: boolean;
  readonly glob: Glob;
}

/** What `.gitignore` files from a root down to each folder leave out, and some that always are: as git reads them. */
export class IgnoreRules {
  readonly #root: string;
  readonly #always: readonly Rule[];
  readonly #byFolder = new Map<string, readonly Rule[]>();
  readonly #folders = new Map<string, boolean>();

  constructor(root: string, patterns: readonly string[]) {
    this.#root = root;
    this.#always = ['.git/', ...patterns].flatMap(ruleOf);
  }

  /** `path` is absolute, in the root. */
  isIgnored(path: string, isFolder: boolean): boolean {
    const parts = relative(this.#root, path).split(sep);
    if (parts[0] === '' || parts[0] === '..') return false;
    // What lies in a folder that is left out is out, whatever else is said of it.
    return parts.some((_, at) => this.#isOut(parts.slice(0, at + 1), isFolder || at < parts.length - 1));
  }

  #isOut(parts: readonly string[], isFolder: boolean): boolean {
    if (!isFolder) return this.#judge(parts, isFolder);
    const path = parts.join('/');
    const known = this.#folders.get(path) ?? this.#judge(parts, isFolder);
    this.#folders.set(path, known);
    return known;
  }

  /** The rules of a deeper folder have the last word. */
  #judge(parts: readonly string[], isFolder: boolean): boolean {
    if (lastWord(this.#always, parts, isFolder) === 'out') return true;
    for (let depth = parts.length - 1; depth >= 0; depth -= 1) {
      const said = lastWord(this.#rulesOf(parts.slice(0, depth).join('/')), parts.slice(depth), isFolder);
      if (said !== undefined) return said === 'out';
    }
    return false;
  }

  #rulesOf(folder: string): readonly Rule[] {
    const known = this.#byFolder.get(folder) ?? readRules(join(this.#root, folder, '.gitignore'));
    this.#byFolder.set(folder, known);
    return known;
  }
}

function lastWord(rules: readonly Rule[], parts: readonly string[], isFolder: boolean): 'out' | 'kept' | undefined {
  if (rules.length === 0) return undefined;
  const [path, name] = [asBytes(parts.join('/')), asBytes(parts.at(-1) ?? '')];
  const rule = rules.findLast(
    ({ isForFolders, isOfName, glob }) => (isFolder || !isForFolders) && glob.matches(isOfName ? name : path),
  );
  return rule && (rule.isKept ? 'kept' : 'out');
}

function readRules(path: string): readonly Rule[] {
  const text = readStart(path).replace(/^\ufeff/, '');
  return text.split('\n').flatMap((line) => ruleOf(line.endsWith('\r') ? line.slice(0, -1) : line));
}

function readStart(path: string): string {
  let file: number | undefined;
  try {
    file = openSync(path, READ);
    const stat = fstatSync(file);
    if (!stat.isFile()) return '';
    const buffer = Buffer.alloc(Math.min(stat.size, MAX_RULES_BYTES));
    return buffer.toString('utf8', 0, readSync(file, buffer));
  } catch {
    return '';
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function ruleOf(line: string): Rule[] {
  if (line.startsWith('#')) return [];
  // Git reads up to a NUL.
  const text = withoutBlanks(line.split('\0')[0] ?? '');
  const isKept = text.startsWith('!');
  const written = isKept ? text.slice(1) : text;
  const isForFolders = written.endsWith('/');
  const pattern = isForFolders ? written.slice(0, -1) : written;
  if (pattern === '' || pattern.length > MAX_PATTERN_CHARS) return [];
  const isOfName = !pattern.includes('/');
  const glob = createGlob(asBytes(pattern.replace(/^\//, '')), { style: 'git', ignoreCase });
  return [{ isKept, isForFolders, isOfName, glob }];
}

/** Without blanks at the end, but those behind a backslash. */
function withoutBlanks(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ') end -= 1;
  if (end === line.length) return line;
  let slashes = 0;
  while (line[end - 1 - slashes] === '\\') slashes += 1;
  return line.slice(0, slashes % 2 === 1 ? end + 1 : end);
}

/** Git knows no letters. */
function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}
