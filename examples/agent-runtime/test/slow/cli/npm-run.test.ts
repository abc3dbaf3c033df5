import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder } from '../../support/run-agent.js';

describe('npm run agent', () => {
  it('works in the folder of the user, and prints nothing but the answer on stdout', () => {
    const cwd = newFolder();
    const args = ['--prefix', process.cwd(), 'run', '--silent', 'agent', '--', 'send', 'hello', '--offline'];
    const { PATH, HOME } = process.env;
    const stdout = execFileSync('npm', args, { cwd, env: { PATH, HOME }, encoding: 'utf8', stdio: 'pipe' });
    expect(stdout).toMatch(/^Scripted demo: you said "hello".*\n$/);
    expect(existsSync(join(cwd, '.agentx/data/agent.db'))).toBe(true);
  });
});
