import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openCoder, scripted, SIZES, text } from '../support/open-coder.js';

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
