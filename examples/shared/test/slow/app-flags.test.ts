import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const APPS = [
  [
    'coder',
    'coding-cli/bin/coder.mjs',
    ['chat', 'exec', 'proto', 'resume', 'sessions', 'show', 'undo', 'config', 'version'],
  ],
  ['agent', 'agent-runtime/bin/agent.mjs', ['chat', 'send', 'sessions', 'show', 'delete', 'usage', 'serve']],
  ['chat-server', 'chat-server/bin/chat-server.mjs', []],
] as const;
const SAME = ['--base-url <url>', '-m, --model <id>', '--api-key-env <name>', '--mcp-config <file>'];

describe.each(APPS)('%s', (name, bin, commands) => {
  const start = async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await run(process.execPath, [
      fileURLToPath(new URL(`../../../${bin}`, import.meta.url)),
      ...args,
    ]);
    return stdout;
  };

  it('prints its version', async () => {
    expect(await start('--version')).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+\\n$`));
  });

  it.each([[], ...commands.map((command) => [command])])(
    'has the flags of the model, spelled as everywhere, and an example in --help: %s',
    async (...command) => {
      const help = await start(...command, '--help');
      for (const flag of SAME) expect(help).toContain(flag);
      expect(help).toMatch(new RegExp(`\nExamples:\n  .*${[name, ...command].join(' ')}`));
    },
  );
});
