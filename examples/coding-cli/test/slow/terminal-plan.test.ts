import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { newFolders, openCoder, scripted, SIZES, text } from '../support/open-coder.js';

/** Presents a plan until one is approved; then it writes. */
const planner = () =>
  scripted((_, { input }) => {
    const outputs = input
      .filter((item) => item['type'] === 'function_call_output')
      .map(({ output }) => JSON.stringify(output));
    const approved = outputs.findIndex((output) => output.includes('approved the plan'));
    if (approved !== -1 && approved < outputs.length - 1) return text('All made.');
    return approved !== -1
      ? { output: [{ type: 'call', name: 'write', arguments: { path: 'made', content: 'x\n' } }] }
      : {
          output: [
            { type: 'call', name: 'present_plan', arguments: { plan: `Plan ${outputs.length}\n1. write made` } },
          ],
        };
  });

test.each(SIZES)(
  '/plan asks for a plan, n with a reason for a better one, y for the work, in $columns × $rows',
  async (size) => {
    await using server = await planner();
    using coder = await openCoder({ ...size, server });
    await coder.say('/plan make it');
    await coder.terminal.shows((screen) => screen.includes('Work by this plan?') && screen.includes('Esc cancel'));
    coder.terminal.write('n');
    await coder.terminal.shows((screen) => screen.includes('Why not?'));
    coder.terminal.write('shorter');
    await coder.terminal.shows((screen) => screen.includes('shorter'));
    coder.terminal.write('\r');
    await coder.terminal.shows((screen) => screen.includes('Plan 1') && screen.includes('Esc cancel'));
    expect(existsSync(join(coder.folders.workspace, 'made'))).toBe(false);
    coder.terminal.write('y');
    await coder.terminal.shows('All made.');
    expect(existsSync(join(coder.folders.workspace, 'made'))).toBe(true);
    expect(server.requests.some(({ input }) => JSON.stringify(input).includes('rejected the plan: shorter'))).toBe(
      true,
    );
  },
);

test('e changes the plan in the editor of the person, who sees it again; y carries it out as it is then', async () => {
  const folders = newFolders();
  const editor = join(folders.home, '..', 'plan-editor.sh');
  writeFileSync(editor, `#!/bin/sh\ncp "$1" '${editor}.seen'\nprintf '1. write made\\n2. and tell Ada\\n' > "$1"\n`);
  chmodSync(editor, 0o755);
  await using server = await planner();
  using coder = await openCoder({ columns: 80, rows: 24, folders, server, env: { VISUAL: editor } });
  await coder.say('/plan make it');
  await coder.terminal.shows((screen) => screen.includes('Plan 0') && screen.includes('edit the plan'));
  coder.terminal.write('e');
  await coder.terminal.shows((screen) => screen.includes('2. and tell Ada') && screen.includes('edit the plan'));
  expect(readFileSync(`${editor}.seen`, 'utf8')).toBe('Plan 0\n1. write made');
  expect(existsSync(join(coder.folders.workspace, 'made'))).toBe(false);
  coder.terminal.write('y');
  await coder.terminal.shows('All made.');
  expect(
    server.requests.some(({ input }) =>
      JSON.stringify(input).includes(String.raw`carry out this plan and no other:\n\n1. write made\n2. and tell Ada`),
    ),
  ).toBe(true);
});
