import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox } from 'responses-loop-example-shared/sandbox.js';
import { expect, it } from 'vitest';
import { shellCommandTool } from '../../../src/tools/shell-command.js';
import { newFolder, spawnChat } from '../../support/start-chat.js';
import { makeWorkspace } from '../../support/workspace.js';

const PATH = process.env['PATH'] ?? '';
const placeOf = (root: string, dataFolder: string) => ({
  roots: [root],
  hidden: [dataFolder],
  hasNetwork: false,
  path: PATH,
});
const { isOn, label } = createSandbox('auto', placeOf(newFolder(), '/nowhere'));
if (!isOn) console.log(`SKIPPED: commands of the chat server in a sandbox of the system: ${label}`);

it.runIf(isOn)('a command writes in the workspace alone, and sees no chats', async () => {
  const at = makeWorkspace({ 'a.md': 'quack' });
  const outside = realpathSync(mkdtempSync(join(tmpdir(), 'outside-')));
  const sandbox = createSandbox('required', placeOf(at.root, at.dataFolder));
  const tool = shellCommandTool(at, { env: { PATH }, closed: [at.dataFolder], sandbox });
  expect(tool.description).toContain('Commands run in a sandbox (bubblewrap: only the workspace can be written');
  const command = `cat a.md; echo b > b.md; echo x > ${outside}/x; ls -A ${at.dataFolder}; echo`;
  const run = { toolCallId: 'call_1', signal: new AbortController().signal };
  expect(await tool.execute({ command }, run)).toMatchObject({ ok: true, output: expect.stringMatching(/^quack/) });
  expect([existsSync(join(at.root, 'b.md')), existsSync(join(outside, 'x'))]).toEqual([true, false]);
  expect(existsSync(at.dataFolder)).toBe(true);
  rmSync(outside, { recursive: true });
});

it('the server says what commands run in, or why not', async () => {
  const chat = spawnChat({ args: ['--sandbox', 'auto'] });
  await expect
    .poll(() => chat.said.stderr, { timeout: 20_000 })
    .toMatch(/Sandbox for commands: (bubblewrap|off): .+$/m);
  chat.child.kill('SIGTERM');
  await chat.ended;
  const wrong = spawnChat({ args: ['--sandbox', 'maybe'] });
  expect(await wrong.ended).toMatchObject({ code: 2, stderr: expect.stringContaining('auto, off, required') });
});
