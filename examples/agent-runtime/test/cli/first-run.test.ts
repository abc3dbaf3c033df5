import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder, runAgent } from '../support/run-agent.js';

describe('a newcomer, with nothing set', () => {
  it('gets an answer, and has it in the list of sessions', async () => {
    const cwd = newFolder();
    const { code, stdout } = await runAgent(['send', 'hello'], { cwd });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^Scripted demo: you said "hello"/) });
    expect(JSON.parse((await runAgent(['sessions', '--json'], { cwd })).stdout)).toMatchObject({
      total: 1,
      items: [{ summary: 'hello', state: 'idle', messageCount: 2 }],
    });
  });

  it('is told what a command takes', async () => {
    const { code, stderr } = await runAgent(['send']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("missing required argument 'text'") });
  });

  it('works where the program is started, also below a script of another package', async () => {
    const cwd = newFolder();
    const env = { npm_lifecycle_event: 'test', INIT_CWD: newFolder() };
    await runAgent(['send', 'hello', '--driver', 'echo'], { cwd, env });
    expect(existsSync(join(cwd, '.agentx'))).toBe(true);
    expect(existsSync(join(env.INIT_CWD, '.agentx'))).toBe(false);
  });
});
