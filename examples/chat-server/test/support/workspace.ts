import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPathGuard } from 'responses-loop-example-shared/path-guard.js';
import { onTestFinished } from 'vitest';
import type { WorkspaceFiles } from '../../src/tools/workspace-files.js';

export interface TestWorkspace extends WorkspaceFiles {
  readonly dataFolder: string;
  readonly closed: readonly string[];
}

/** A folder with a data folder in it, which are gone after the test. */
export function makeWorkspace(files: Record<string, string> = {}): TestWorkspace {
  const workspace = openWorkspace(files);
  onTestFinished(() => closeWorkspace(workspace));
  return workspace;
}

export function closeWorkspace({ root }: TestWorkspace): void {
  rmSync(root, { recursive: true, force: true });
}

/** For the tests of a whole file. */
export function openWorkspace(files: Record<string, string> = {}): TestWorkspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'chat-server-')));
  const dataFolder = join(root, '.chat-server');
  mkdirSync(dataFolder, { mode: 0o700 });
  writeFileSync(join(dataFolder, 'token'), 'the-token-of-the-server');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const closed = [dataFolder];
  return { root, dataFolder, closed, guard: createPathGuard({ roots: [root], closed }) };
}
