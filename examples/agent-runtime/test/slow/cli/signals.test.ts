import { spawn } from 'node:child_process';
import { createScriptedServer, responseEvents, type ScriptedServer } from 'responses-loop/testing';
import { describe, expect, it } from 'vitest';
import { newFolder, runAgent, startAgent } from '../../support/run-agent.js';

/** A model that begins and never ends. */
function endlessModel(): Promise<ScriptedServer> {
  const events = responseEvents({ output: [{ type: 'text', text: ['Well, ', 'let me see'] }] });
  return createScriptedServer({ otherwise: { events: events.slice(0, -3), ending: 'stall' } });
}

describe('a signal', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s interrupts the turn of send: 130, and what was said is kept',
    async (signal) => {
      const cwd = newFolder();
      await using server = await endlessModel();
      const { child, printed, ended } = startAgent(['send', 'Hi', '--base-url', server.baseURL, '--api-key', 'k'], {
        cwd,
      });
      await printed('let me see');
      child.kill(signal);
      expect(await ended).toMatchObject({ code: 130, stdout: 'Well, let me see\n' });
      const { items } = JSON.parse((await runAgent(['sessions', '--json'], { cwd })).stdout);
      expect(items).toMatchObject([{ state: 'idle' }]);
      const { messages } = JSON.parse((await runAgent(['show', items[0].id, '--json'], { cwd })).stdout);
      expect(messages).toMatchObject([
        { type: 'user', content: 'Hi' },
        { type: 'agent', content: 'Well, let me see' },
      ]);
    },
  );

  it('ends --json with the event `interrupted`', async () => {
    await using server = await endlessModel();
    const { child, printed, ended } = startAgent([
      'send',
      'Hi',
      '--json',
      '--base-url',
      server.baseURL,
      '--api-key',
      'k',
    ]);
    await printed('let me see');
    child.kill('SIGINT');
    const { code, stdout } = await ended;
    expect(code).toBe(130);
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      type: 'interrupted',
      data: { reason: 'user' },
    });
  });

  it('reaches the program itself: the process of the bin is the one that works', async () => {
    const { child, printed, ended } = startAgent(['serve', '--port', '0', '--offline']);
    await printed('listening', 'stderr');
    const { stdout } = spawn('ps', ['-o', 'pid=', '--ppid', String(child.pid)]);
    let children = '';
    for await (const chunk of stdout) children += String(chunk);
    expect(children.trim()).toBe('');
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });
});

describe('agent chat', () => {
  it('answers line by line and ends with its input', async () => {
    const cwd = newFolder();
    const { code, stdout } = await runAgent(['chat'], { cwd, input: 'My duck is Alfred.\n\nWhat did I say before?\n' });
    expect(code).toBe(0);
    expect(stdout).toContain('you said "My duck is Alfred."');
    expect(stdout).toContain('- My duck is Alfred.');
    expect(JSON.parse((await runAgent(['sessions', '--json'], { cwd })).stdout)).toMatchObject({ total: 1 });
  });

  it('keeps no session if nothing is said, and leaves with /exit', async () => {
    const cwd = newFolder();
    expect((await runAgent(['chat'], { cwd, input: '/exit\nnever sent\n' })).code).toBe(0);
    expect(JSON.parse((await runAgent(['sessions', '--json'], { cwd })).stdout)).toMatchObject({ total: 0 });
  });

  it('has commands: they are not sent, and /clear begins another session', async () => {
    const cwd = newFolder();
    const input = '/help\n/usage\nMy duck is Alfred.\n/usage\n/nonsense\n/clear\nHello again.\n/model\n/quit\nnever\n';
    const { code, stdout, stderr } = await runAgent(['chat'], { cwd, input });
    expect(code).toBe(0);
    for (const said of ['/model', 'no tokens yet', ' tokens (', 'unknown command /nonsense', 'model stand-in'])
      expect(stderr).toContain(said);
    expect(stdout).not.toMatch(/you said "(\/|never)/);
    expect(JSON.parse((await runAgent(['sessions', '--json'], { cwd })).stdout)).toMatchObject({ total: 2 });
  });

  it('goes on with --last', async () => {
    const cwd = newFolder();
    await runAgent(['send', 'My duck is Alfred.'], { cwd });
    const { stdout } = await runAgent(['chat', '--last'], { cwd, input: 'What did I say before?\n' });
    expect(stdout).toContain('- My duck is Alfred.');
  });

  it('goes on after a turn that failed, and ends with its code', async () => {
    await using server = await createScriptedServer({
      steps: [{ status: 400, json: { error: { message: 'No.' } } }, 'Yes.'],
    });
    const args = ['chat', '--base-url', server.baseURL, '--api-key', 'k'];
    const { code, stdout, stderr } = await runAgent(args, { input: 'One\nTwo\n' });
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: 'Yes.\n', stderr: expect.stringContaining('No.') });
  });

  it('interrupts a turn with Ctrl-C, and leaves with a second', async () => {
    const cwd = newFolder();
    await using server = await endlessModel();
    const { child, printed, ended } = startAgent(['chat', '--base-url', server.baseURL, '--api-key', 'k'], { cwd });
    child.stdin?.write('Hi\n');
    await printed('let me see');
    child.kill('SIGINT');
    await printed('agent: interrupted', 'stderr');
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    const { items } = JSON.parse((await runAgent(['sessions', '--json'], { cwd })).stdout);
    expect(items).toMatchObject([{ state: 'idle', messageCount: 2 }]);
  });

  it('says that Ctrl-C again leaves, while no turn runs', async () => {
    const { child, printed, ended } = startAgent(['chat', '--offline']);
    await printed('Ctrl-D leaves', 'stderr');
    child.kill('SIGINT');
    await printed('Ctrl-C again leaves', 'stderr');
    child.stdin?.end('Still here?\n');
    await printed('you said "Still here?"');
    expect((await ended).code).toBe(0);
  });
});
