import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutputStore } from 'responses-loop/v3';

/** Outputs that were too long for the model, in files of the session: it can read them also after a resume. */
export function createOutputStore(dir: string): OutputStore {
  return {
    put: async (id, text) => {
      const path = pathOf(dir, id);
      if (path === undefined) throw new Error('this id is not a file name');
      await mkdir(dir, { recursive: true, mode: 0o700 });
      await writeFile(path, text, { mode: 0o600 });
    },
    get: async (id) => {
      const path = pathOf(dir, id);
      return path === undefined ? undefined : readFile(path, 'utf8').catch(() => undefined);
    },
  };
}

/** Ids come back from the model. */
function pathOf(dir: string, id: string): string | undefined {
  return /^[\w-]{1,200}$/.test(id) ? join(dir, `read-${id}.txt`) : undefined;
}
