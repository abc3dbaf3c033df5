import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const run = (bin: string, args: readonly string[]) =>
  spawnSync(process.execPath, [fileURLToPath(new URL(`../../${bin}`, import.meta.url)), ...args], { encoding: 'utf8' });

it.each([
  ['coding-cli/bin/coder.mjs', ['exec', '--base-url', '-m', 'x', 'hi'], '--base-url <url>', '-m'],
  ['coding-cli/bin/coder.mjs', ['-a', '--plan', 'exec', 'hi'], '-a, --approval <mode>', '--plan'],
  ['agent-runtime/bin/agent.mjs', ['send', '--base-url', '-m', 'x', 'hi'], '--base-url <url>', '-m'],
  ['chat-server/bin/chat-server.mjs', ['--base-url', '-m', 'x'], '--base-url <url>', '-m'],
])('%s refuses a flag as the value of a flag: %j', (bin, args, option, value) => {
  const { status, stderr } = run(bin, args);
  expect(stderr).toContain(`option '${option}' argument '${value}' is invalid. A value cannot begin with a dash.`);
  expect(status).toBe(2);
});

it('a lone dash is a value', () => {
  const { stderr } = run('coding-cli/bin/coder.mjs', ['exec', '--output-last-message', '-', '--unknown', 'hi']);
  expect(stderr).toContain("unknown option '--unknown'");
});
