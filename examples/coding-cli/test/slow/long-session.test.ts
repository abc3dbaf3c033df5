import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { heapEnv, heldBytes, talk, talkativeModel } from '../support/heap.js';
import { newFolders, openCoder } from '../support/open-coder.js';

/** Of so many turns some things are kept: the last outputs, code that was compiled. */
const WARM = 60;
const TURNS = 160;

it(
  'holds no more behind 160 turns than behind 60: what was printed is the terminal’s, what was summarized is on disk',
  { timeout: 600_000 },
  async () => {
    await using server = await talkativeModel();
    const folders = newFolders();
    writeFileSync(join(folders.workspace, 'long.txt'), 'a line of a long file\n'.repeat(1_000));
    using coder = await openCoder({ folders, server, env: heapEnv(folders.workspace) });
    await talk(coder, 1, WARM);
    const before = await heldBytes(coder, folders.workspace);
    await talk(coder, WARM + 1, TURNS);
    const after = await heldBytes(coder, folders.workspace);
    // In these turns 1,100,000 characters were printed or read by the model.
    expect(after - before).toBeLessThan(700_000);
    expect(coder.terminal.count('Summarized the conversation')).toBeGreaterThan(8);
  },
);
