import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

/** A folder that is gone after the test. */
export function makeWorkspace(): string {
  const path = mkdtempSync(join(tmpdir(), 'agent-runtime-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
