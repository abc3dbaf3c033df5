import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@libsql/client';
import { createScriptedServer, errorReply, responseEvents } from 'responses-loop/testing';
import { describe, expect, it } from 'vitest';
import { newFolder, runAgent, startAgent } from '../../support/run-agent.js';

/** A workspace with sessions, and their ids. */
async function workspaceWith(count: number): Promise<{ cwd: string; ids: string[] }> {
  const cwd = newFolder();
  for (let number = 0; number < count; number += 1) {
    await runAgent(['send', `message ${number}`, '--driver', 'echo'], { cwd });
  }
  const { stdout } = await runAgent(['sessions', '--json'], { cwd });
  return { cwd, ids: (JSON.parse(stdout).items as { id: string }[]).map(({ id }) => id) };
}

const database = (cwd: string): string => join(cwd, '.agentx/data/agent.db');

describe('exit code 0', () => {
  it.each([[['--help']], [['send', '--help']]])('for %j, on stdout', async (args) => {
    const { code, stdout } = await runAgent(args);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Usage: agent') });
  });
});

describe('exit code 1', () => {
  it('for a turn that failed, also with --json', async () => {
    await using server = await createScriptedServer({ otherwise: errorReply({ status: 400 }) });
    const { code, stdout } = await runAgent(['send', 'Hi', '--json', '--base-url', server.baseURL, '--api-key', 'k']);
    expect(code).toBe(1);
    const types = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type);
    expect(types.slice(-2)).toEqual(['error', 'message_stop']);
  });

  it('for a server that is not there', async () => {
    const { code, stderr } = await runAgent(['send', 'Hi', '--base-url', 'http://127.0.0.1:1/v1', '--api-key', 'k']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('127.0.0.1:1') });
  });
});

describe('exit code 2', () => {
  it.each([
    [[], 'Usage'],
    [['sing'], "unknown command 'sing'"],
    [['send'], "missing required argument 'text'"],
    [['send', 'Hi', '--lout'], "unknown option '--lout'"],
    [['send', ' '], 'nothing to send'],
    [['send', 'Hi', '--last', '--session', 'abcd'], 'cannot be used with'],
    [['send', 'Hi', '--last', '--title', 'x'], 'cannot be used with'],
    [['send', 'Hi', '--driver', 'duo'], 'Allowed choices are mono, echo'],
    [['send', 'Hi', '--max-steps', '0'], 'whole number from 1 on'],
    [['send', 'Hi', '--model', 'm'], 'needs a server'],
    [['send', 'Hi', '--base-url', 'http://me:pw@h/v1', '--api-key', 'k'], 'user name or password'],
    [['send', 'Hi', '--mcp-config', 'none.json'], 'none.json cannot be read'],
    [['send', 'Hi', '--replay', 'none'], 'there is no folder none'],
    [['send', 'Hi', '--offline', '--replay', 'x'], 'exclude each other'],
    [['sessions', '--limit', '-1'], 'A value cannot begin with a dash'],
    [['sessions', '--limit', '1.5'], 'whole number from 0 on'],
    [['sessions', '-w', 'none'], 'there is no folder'],
    [['serve', '--port', '70000'], 'from 0 to 65535'],
    [['serve', '--host', '0.0.0.0'], 'set AGENT_TOKEN to 16 characters or more'],
  ])('for %j: %s', async (args, sentence) => {
    const cwd = newFolder();
    const { code, stdout, stderr } = await runAgent(args, { cwd });
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) });
    expect(stderr).not.toMatch(/\n {4}at /);
    expect(existsSync(join(cwd, '.agentx'))).toBe(false);
  });

  it('for a driver that AGENTX_DRIVER makes up', async () => {
    const { code, stderr } = await runAgent(['send', 'Hi'], { env: { AGENTX_DRIVER: 'duo' } });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('AGENTX_DRIVER is "duo"') });
  });

  it('for a config file with a name that is not known', async () => {
    const home = newFolder();
    writeFileSync(join(home, 'config.json'), '{"baseURL": "http://x"}');
    const { code, stderr } = await runAgent(['send', 'Hi'], { env: { AGENT_HOME: home } });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/config\.json: .*baseURL/s) });
  });

  it.each([['send', 'Hi'], ['sessions'], ['show', 'abcd'], ['delete', 'abcd'], ['usage'], ['serve', '--port', '0']])(
    'for a database that is garbage, which is named and not touched: %s',
    async (...args) => {
      const cwd = newFolder();
      mkdirSync(join(cwd, '.agentx/data'), { recursive: true });
      const garbage = 'not a database '.repeat(1000);
      writeFileSync(database(cwd), garbage);
      const { code, stderr } = await runAgent(args, { cwd });
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('agent.db') });
      expect(readFileSync(database(cwd), 'utf8')).toBe(garbage);
    },
  );

  it('for a database of a newer program, which is said', async () => {
    const { cwd } = await workspaceWith(1);
    const client = createClient({ url: `file:${database(cwd)}` });
    await client.execute('PRAGMA user_version = 99');
    client.close();
    const { code, stderr } = await runAgent(['sessions'], { cwd });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/newer/) });
  });

  it('for a port that is taken', async () => {
    const first = startAgent(['serve', '--port', '0', '--offline']);
    const [, port = ''] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(await first.printed(/listening on .*\n/, 'stderr')) ?? [];
    const { code, stderr } = await runAgent(['serve', '--port', port, '--offline']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('something else listens there') });
  });
});

describe('exit code 3', () => {
  it.each([
    ['send', 'Hi', '--session', 'feedbeef'],
    ['send', 'Hi', '--last'],
    ['chat', '--last'],
    ['show', 'feedbeef'],
    ['delete', 'feedbeef'],
    ['usage', 'feedbeef'],
  ])('for a session that is not there: %s', async (...args) => {
    const { code, stderr } = await runAgent(args);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringMatching(/no session/i) });
  });

  it('for a beginning that is too short, or that several sessions have', async () => {
    const { cwd, ids } = await workspaceWith(2);
    expect((await runAgent(['show', (ids[0] ?? '').slice(0, 3)], { cwd })).code).toBe(3);
    const client = createClient({ url: `file:${database(cwd)}` });
    for (const [at, id] of ids.entries()) {
      await client.execute({ sql: 'PRAGMA foreign_keys=OFF', args: [] });
      await client.execute({ sql: 'DELETE FROM messages WHERE session_id = ?', args: [id] });
      await client.execute({ sql: 'UPDATE sessions SET id = ? WHERE id = ?', args: [`feedbeef-${at}`, id] });
    }
    client.close();
    const { code, stderr } = await runAgent(['show', 'feed'], { cwd });
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('More than one session') });
    expect((await runAgent(['show', 'feedbeef-1'], { cwd })).code).toBe(0);
  });
});

describe('exit code 4', () => {
  it('for a session whose turn runs in another process', async () => {
    const cwd = newFolder();
    const events = responseEvents({ output: [{ type: 'text', text: 'Well' }] });
    await using server = await createScriptedServer({ otherwise: { events: events.slice(0, -1), ending: 'stall' } });
    const flags = ['--base-url', server.baseURL, '--api-key', 'k'];
    const first = startAgent(['send', 'Hi', ...flags], { cwd, input: '' });
    await first.printed('Well');
    const { code, stderr } = await runAgent(['send', 'Hi too', '--last', ...flags], { cwd });
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringMatching(/busy|running|active/i) });
    first.child.kill('SIGINT');
    expect((await first.ended).code).toBe(130);
  });

  it.each(['completed', 'aborted'])('for a session that is %s, which is said', async (state) => {
    const { cwd, ids } = await workspaceWith(1);
    const client = createClient({ url: `file:${database(cwd)}` });
    await client.execute({ sql: 'UPDATE sessions SET state = ?', args: [state] });
    client.close();
    const { code, stderr } = await runAgent(['send', 'Hi', '--session', ids[0] ?? '', '--driver', 'echo'], { cwd });
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining(state) });
  });
});

describe('exit code 5', () => {
  it('for rows that could not be kept, with the answer all the same', async () => {
    const { cwd, ids } = await workspaceWith(1);
    const client = createClient({ url: `file:${database(cwd)}` });
    await client.execute(
      "CREATE TRIGGER full BEFORE INSERT ON messages BEGIN SELECT RAISE(FAIL, 'the disk is full'); END",
    );
    client.close();
    const args = ['send', 'quack', '--session', ids[0] ?? '', '--driver', 'echo'];
    const { code, stdout, stderr } = await runAgent(args, { cwd });
    expect({ code, stdout }).toEqual({ code: 5, stdout: expect.stringContaining('quack') });
    expect(stderr).toMatch(/kept|disk is full/);
  });
});
