import { type Dirent, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { type GitSetting, parseGitConfig, settingProblem } from './git-config.js';
import { type IndexEntry, readGitIndex } from './git-index.js';
import { isWithin, type PathGuard } from './path-guard.js';

export interface GitPlace {
  readonly cwd: string;
  readonly guard: PathGuard;
}

/** A repository that git may read unasked: the folder `.git` of a root, made of its own files alone. */
export interface GitRepository {
  readonly gitDir: string;
  readonly workTree: string;
  /** What its index holds. */
  readonly entries: readonly IndexEntry[];
}

/** As many as a repository that was never packed has; a longer look would be noticed. */
const MAX_ENTRIES = 100_000;
const NOBODY = -1;
const MAX_CONFIG_BYTES = 1_000_000;
/** Files by which a repository takes objects, references or settings from elsewhere. */
const LEADS_AWAY = ['commondir', 'config.worktree', 'objects/info/alternates', 'objects/info/http-alternates'];
/** Not read by any command that only reads: hooks are switched off. */
const UNREAD = ['hooks', 'lfs', 'annex'];

/**
 * The repository of a folder; why git may not read it unasked; or `undefined` if there is none, so that git only says so.
 * Nothing is searched for when the command runs: `gitPlaceEnv` names the repository that was looked at here.
 */
export function findRepository({ cwd, guard }: GitPlace): GitRepository | string | undefined {
  const here = guard.resolve('.', cwd).path;
  if (!guard.roots.some((root) => isWithin(here, root))) return `${here} is outside of the workspace`;
  for (let folder = here; ; folder = dirname(folder)) {
    const gitDir = join(folder, '.git');
    if (typeOf(gitDir) !== undefined) {
      if (!guard.roots.includes(folder)) return `the repository ${gitDir} is not that of the workspace`;
      return readRepository(gitDir, folder);
    }
    if (['HEAD', 'objects', 'refs'].every((name) => typeOf(join(folder, name)) !== undefined)) {
      return `${folder} looks like a repository itself`;
    }
    if (folder === dirname(folder)) return undefined;
  }
}

function readRepository(gitDir: string, workTree: string): GitRepository | string {
  if (typeOf(gitDir) === 'file') return `${gitDir} leads to a repository elsewhere, as those of worktrees do`;
  if (typeOf(gitDir) !== 'folder') return `${gitDir} is no folder of its own`;
  const away = LEADS_AWAY.find((name) => typeOf(join(gitDir, name)) !== undefined);
  if (away !== undefined) return `${join(gitDir, away)} makes git read files of another place`;
  if (typeOf(join(workTree, '.gitmodules')) === 'other') return `${join(workTree, '.gitmodules')} is no plain file`;
  const problem = filesProblem(gitDir);
  if (problem !== undefined) return problem;
  const settings = readSettings(join(gitDir, 'config'));
  if (typeof settings === 'string') return settings;
  const format = settings.findLast(({ name }) => name === 'extensions.objectformat')?.value;
  const entries = readIndex(gitDir, format === 'sha256' ? 32 : 20);
  if (typeof entries === 'string') return entries;
  for (const { path, isSubmodule } of entries) {
    const found = isSubmodule ? submoduleProblem(path, { gitDir, workTree }) : undefined;
    if (found !== undefined) return found;
  }
  return { gitDir, workTree, entries };
}

/** Of a folder that git goes through: what is a link, a pipe or somebody else's. */
function filesProblem(gitDir: string): string | undefined {
  const user = process.getuid?.();
  const owners = [gitDir, ...namesIn(gitDir).map((name) => join(gitDir, name))];
  const foreign = user === undefined ? undefined : owners.find((path) => (ownerOf(path) ?? user) !== user);
  if (foreign !== undefined) return `${foreign} belongs to another user`;
  let left = MAX_ENTRIES;
  const folders = [gitDir];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = entriesOf(folder);
    if (entries === undefined) return `${folder} cannot be read`;
    left -= entries.length;
    if (left < 0) return `${gitDir} holds more than ${MAX_ENTRIES} files`;
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (folder === gitDir && UNREAD.includes(entry.name)) continue;
      if (entry.isDirectory()) folders.push(path);
      else if (!entry.isFile()) return `${path} is a link or no plain file`;
    }
  }
  return undefined;
}

/** All of them are harmless, or a text says what is not. */
function readSettings(path: string): readonly GitSetting[] | string {
  if (typeOf(path) === undefined) return [];
  const text = readSmall(path, MAX_CONFIG_BYTES)?.toString();
  const settings = text === undefined ? 'it cannot be read' : parseGitConfig(text);
  if (typeof settings === 'string') return `${path}: ${settings}`;
  const problem = settingProblem(settings);
  return problem === undefined ? settings : `${path}: ${problem}`;
}

const MAX_INDEX_BYTES = 200_000_000;

function readIndex(gitDir: string, hashBytes: number): readonly IndexEntry[] | string {
  const path = join(gitDir, 'index');
  if (typeOf(path) === undefined) return [];
  const bytes = readSmall(path, MAX_INDEX_BYTES);
  return (bytes && readGitIndex(bytes, hashBytes)) ?? `${path} has a form that is not known here`;
}

/** Git asks the repository of a submodule for its commit, so that has to be one of this repository. */
function submoduleProblem(
  name: string,
  { gitDir, workTree }: { gitDir: string; workTree: string },
): string | undefined {
  const folder = join(workTree, textOf(name));
  const path = join(folder, '.git');
  if (textOf(name).includes('\ufffd')) return `${folder} has a name that is no text`;
  if (typeOf(path) === undefined) return undefined;
  const text = typeOf(path) === 'file' ? readSmall(path, MAX_CONFIG_BYTES)?.toString() : undefined;
  const [, target] = /^gitdir: ([^\n]+)\n?$/.exec(text ?? '') ?? [];
  const its = target === undefined ? undefined : realPath(isAbsolute(target) ? target : `${folder}/${target}`);
  const isOwn = its !== undefined && isWithin(its, join(gitDir, 'modules'));
  const isWhole = isOwn && LEADS_AWAY.every((file) => typeOf(join(its, file)) === undefined);
  return isWhole ? undefined : `${path} makes git read a repository that is not below ${join(gitDir, 'modules')}`;
}

/** A link in the place of a folder of the index. `git grep` and `git ls-files` follow it, as the system does. */
export function findLinkedFolder({ workTree, entries }: GitRepository): string | undefined {
  const seen = new Set<string>();
  for (const { path } of entries) {
    for (let end = path.lastIndexOf('/'); end !== -1; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      if (seen.has(folder)) break;
      seen.add(folder);
    }
  }
  return [...seen]
    .map((folder) => Buffer.concat([Buffer.from(`${workTree}/`), Buffer.from(folder, 'latin1')]))
    .find((folder) => typeOf(folder) === 'other')
    ?.toString();
}

/** By which git knows what was looked at here, and looks for nothing itself. Another folder than a good one is named away. */
export function gitPlaceEnv(place: GitPlace): Record<string, string> {
  const found = findRepository(place);
  const here = place.guard.resolve('.', place.cwd).path;
  const [gitDir, workTree] =
    typeof found === 'object' ? [found.gitDir, found.workTree] : ['/dev/null/no-repository', here];
  return {
    GIT_DIR: gitDir,
    // A file `commondir` has no say then.
    GIT_COMMON_DIR: gitDir,
    GIT_WORK_TREE: workTree,
    GIT_CEILING_DIRECTORIES: dirname(workTree),
  };
}

function textOf(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}

/** As the system goes there: behind a link, `..` is the parent of where the link leads. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function typeOf(path: string | Buffer): 'file' | 'folder' | 'other' | undefined {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    return stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other';
  } catch (error) {
    // What cannot be looked at is there all the same, unless a file stands on the way.
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? undefined : 'other';
  }
}

/** A file that another git has just taken away belongs to nobody. */
function ownerOf(path: string): number | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.uid;
  } catch {
    return NOBODY;
  }
}

/** A folder that another git has just taken away, as `git gc` does, is empty. */
function entriesOf(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? [] : undefined;
  }
}

function namesIn(folder: string): string[] {
  return entriesOf(folder)?.map(({ name }) => name) ?? [];
}

/** A pipe would be waited for. */
function readSmall(path: string, maxBytes: number): Buffer | undefined {
  try {
    const stat = lstatSync(path);
    return stat.isFile() && stat.size <= maxBytes ? readFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}
