import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from '@lydell/node-pty';
import { createScriptedServer, errorReply } from 'responses-loop/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newFolder, runAgent } from '../../support/run-agent.js';
import { toolsServer } from '../../support/tools-server.js';

const BIN = fileURLToPath(new URL('../../../bin/agent.mjs', import.meta.url));

type Steps = NonNullable<NonNullable<Parameters<typeof createScriptedServer>[0]>['steps']>;

/** `agent chat` with what is piped into it, and what the model was sent. */
async function piped(input: string, steps: Steps, ...flags: string[]) {
  const model = await createScriptedServer({ steps, otherwise: 'Fine.' });
  onTestFinished(() => model.close());
  const server = ['--base-url', model.baseURL, '--model', 'any'];
  return { ...(await runAgent(['chat', ...server, ...flags], { input })), requests: model.requests };
}

describe('what is piped into agent chat', () => {
  test('is a message for each line, in one session; it ends with 0 where the input ends', async () => {
    const { code, stdout, stderr, requests } = await piped('one\n\ntwo\nthree', ['First.', 'Second.', 'Third.']);
    expect([code, stdout]).toEqual([0, 'First.\nSecond.\nThird.\n']);
    expect(stderr.match(/agent: session/g)).toHaveLength(1);
    expect(JSON.stringify(requests[2]?.input)).toMatch(/one.*First.*two.*Second.*three/);
  });

  test.each([
    ['1, if a turn failed', [errorReply({ status: 400, message: 'No.' }), 'Second.'], 1],
    ['6, if a call waits for a person', [{ output: [{ type: 'call', name: 'note', arguments: { text: 'a' } }] }], 6],
  ] as const)('ends with %s, and the next lines are sent', async (_what, steps, wanted) => {
    const cwd = newFolder();
    writeFileSync(join(cwd, 'mcp.json'), JSON.stringify({ mcpServers: { pond: toolsServer().entry } }));
    const { code, requests } = await piped('one\ntwo\n', [...steps] as Steps, '--mcp-config', join(cwd, 'mcp.json'));
    expect([code, requests.length]).toEqual([wanted, 2]);
  });

  test('may be commands: a turn is taken back, a session forked and made shorter', async () => {
    const lines = ['one', 'two', '/pop', 'three', '/fork 1', 'four', 'five', '/compact', '/fork x', '/nothing', 'six'];
    const { code, stderr, requests } = await piped(`${lines.join('\n')}\n`, []);
    const sent = requests.map(({ input }) => JSON.stringify(input));
    expect(sent[2]).toMatch(/one.*three/);
    expect(sent[2]).not.toContain('two');
    expect(sent[3]).toMatch(/one.*four/);
    expect(sent[3]).not.toContain('three');
    expect(sent.at(-1)).toMatch(/Summary of our conversation so far.*four.*five.*six/s);
    for (const words of ['turn 2 was undone: two', 'a summary replaces', '/fork takes', 'unknown command'])
      expect(stderr).toContain(words);
    expect(code).toBe(0);
  });

  test('ends with the code of a command that could not do its work', async () => {
    const { code, stderr } = await piped('one\n/fork 7\ntwo\n', []);
    expect([code, stderr]).toEqual([3, expect.stringContaining('has no turn 7')]);
  });
});

describe('in a terminal', () => {
  test.each([
    ['y', ['a'], 'noted a'],
    ['n', [], 'denied'],
  ])('the question about a call is asked on the spot; %j answers it', async (key, notes, words) => {
    const { folder, entry, notes: written } = toolsServer();
    const config = join(folder, 'mcp.json');
    writeFileSync(config, JSON.stringify({ mcpServers: { pond: entry } }));
    const args = [BIN, 'chat', '--offline', '--mcp-config', config, '-w', folder];
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder, TERM: 'xterm' };
    const pty = spawn(process.execPath, args, { cols: 120, rows: 30, cwd: folder, env });
    let shown = '';
    pty.onData((data) => (shown += data));
    const ended = new Promise<number>((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)));
    onTestFinished(() => pty.kill('SIGKILL'));
    const seen = (text: string) => expect.poll(() => shown, { timeout: 60_000 }).toContain(text);
    await seen('> ');
    pty.write('use note {"text":"a"}\r');
    await seen('[y/N]');
    expect(shown).toContain('may note run? { "text": "a" }');
    expect(written()).toEqual([]);
    pty.write(`${key}\r`);
    await seen(words);
    expect(written()).toEqual(notes);
    pty.write('/exit\r');
    expect(await ended).toBe(0);
  });
});
