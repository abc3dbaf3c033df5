import { isWithin, realFolder } from 'responses-loop-example-shared/path-guard.js';

/** Folders of any workspace that decide what programs do: settings, hooks, grants. */
const NAMES = ['.git', '.coder'];

/** Whether `write` and `edit` keep away from a real path, whatever was allowed. */
export function isProtected(path: string, protectedDirs: readonly string[]): boolean {
  const folded = fold(path);
  return (
    folded.split('/').some((part) => NAMES.includes(part)) ||
    protectedDirs.some((folder) => isWithin(folded, fold(realFolder(folder))))
  );
}

/** Some file systems take `.GIT` and, with signs that are not shown, even more for `.git`. */
function fold(path: string): string {
  return path
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Mn}]/gu, '')
    .toLowerCase();
}
