import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScriptedServer, errorReply } from 'responses-loop/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { jsonLines, newFolder, runAgent } from '../../support/run-agent.js';

describe('agent send, offline', () => {
  it('answers on stdout, says on stderr that no model is asked, and keeps the session here', async () => {
    const cwd = newFolder();
    const { code, stdout, stderr } = await runAgent(['send', 'hello'], { cwd });
    expect({ code, stderr: stderr.split('\n')[0] }).toEqual({
      code: 0,
      stderr: 'agent: Demo model (no server connected)',
    });
    expect(stdout).toMatch(/^Scripted demo: you said "hello"\..*\n$/);
    expect(statSync(join(cwd, '.agentx')).mode & 0o777).toBe(0o700);
    expect(statSync(join(cwd, '.agentx/data/agent.db')).isFile()).toBe(true);
  });

  it('remembers in the next process', async () => {
    const cwd = newFolder();
    await runAgent(['send', 'My duck is called Alfred.'], { cwd });
    const { stdout } = await runAgent(['send', 'What did I say before?', '--last'], { cwd });
    expect(stdout).toContain('My duck is called Alfred.');
  });

  it('reads the message from stdin for -', async () => {
    const { stdout } = await runAgent(['send', '-'], { input: 'from a pipe' });
    expect(stdout).toContain('you said "from a pipe"');
  });

  it('prints one event per line for --json, the session first', async () => {
    const cwd = newFolder();
    const { code, stdout } = await runAgent(['send', 'hello', '--json'], { cwd });
    expect(code).toBe(0);
    const [session, ...events] = jsonLines(stdout);
    expect(session).toEqual({ type: 'session', data: { sessionId: expect.any(String), created: true } });
    expect(events[0]).toMatchObject({ type: 'message_start', timestamp: expect.any(Number), data: {} });
    expect(events.at(-1)).toMatchObject({ type: 'message_stop', data: { stopReason: 'end_turn' } });
    const again = await runAgent(['send', 'again', '--json', '--last'], { cwd });
    expect(jsonLines(again.stdout)[0]).toEqual({
      ...session,
      data: { ...session.data, created: false },
    });
  });

  it('takes a session by a beginning of its id, and --title for a new one', async () => {
    const cwd = newFolder();
    await runAgent(['send', 'one', '--title', 'About ducks'], { cwd });
    const { stdout: list } = await runAgent(['sessions', '--json'], { cwd });
    const [{ id, summary }] = JSON.parse(list).items;
    expect(summary).toBe('About ducks');
    expect((await runAgent(['send', 'two', '--session', id.slice(0, 4)], { cwd })).code).toBe(0);
    expect(JSON.parse((await runAgent(['sessions', '--json'], { cwd })).stdout)).toMatchObject({
      total: 1,
      items: [{ messageCount: 4 }],
    });
  });

  it('works in the folder that -w names', async () => {
    const [cwd, workspace] = [newFolder(), newFolder()];
    await runAgent(['send', 'hello', '-w', workspace], { cwd });
    expect(readdirSync(cwd)).toEqual([]);
    expect(readdirSync(workspace)).toContain('.agentx');
  });

  it('calls a tool of an MCP server, and shows it beside the answer', async () => {
    const cwd = newFolder();
    const everything = join(process.cwd(), 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
    writeFileSync(
      join(cwd, 'mcp.json'),
      JSON.stringify({ mcpServers: { everything: { command: process.execPath, args: [everything] } } }),
    );
    const { code, stdout, stderr } = await runAgent(
      ['send', 'What is 19 + 23?', '--approve', 'all', '--mcp-config', 'mcp.json'],
      { cwd },
    );
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/get-sum .*19.*\n.*get-sum answered: .*42/),
    });
    expect(stdout).toContain('42');
  });

  it('echoes with --driver echo, and with AGENTX_DRIVER', async () => {
    expect((await runAgent(['send', 'quack', '--driver', 'echo'])).stdout).toContain('quack');
    expect((await runAgent(['send', 'quack'], { env: { AGENTX_DRIVER: 'echo' } })).stdout).toContain('quack');
  });
});

describe('agent send, with a server', () => {
  it('sends key, model and system prompt, and stores neither key nor token', async () => {
    const cwd = newFolder();
    await using server = await createScriptedServer({ otherwise: 'Hi.' });
    const env = {
      OPENAI_BASE_URL: server.baseURL,
      OPENAI_API_KEY: 'sk-secret-of-mine',
      AGENT_TOKEN: 'token-of-mine-too',
    };
    const { code, stderr } = await runAgent(['send', 'Hello', '--model', 'm-1', '--system', 'Be a duck.'], {
      cwd,
      env,
    });
    expect(code).toBe(0);
    expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-secret-of-mine');
    expect(server.requests[0]?.body['model']).toBe('m-1');
    expect(server.requests[0]?.text).toContain('Be a duck.');
    const data = join(cwd, '.agentx/data');
    const kept = readdirSync(data).map((name) => readFileSync(join(data, name), 'latin1'));
    for (const text of [...kept, stderr]) expect(text).not.toMatch(/sk-secret-of-mine|token-of-mine-too/);
  });

  it('reads the config file of the user, and none of the workspace', async () => {
    const [cwd, home] = [newFolder(), newFolder()];
    await using server = await createScriptedServer({ otherwise: 'Hi.' });
    writeFileSync(
      join(home, 'config.json'),
      JSON.stringify({ baseUrl: server.baseURL, model: 'from-file', apiKey: 'k' }),
    );
    for (const folder of ['.', '.agentx', 'agent']) {
      mkdirSync(join(cwd, folder), { recursive: true });
      writeFileSync(join(cwd, folder, 'config.json'), JSON.stringify({ baseUrl: 'http://127.0.0.1:1/v1' }));
    }
    const { code } = await runAgent(['send', 'Hello'], { cwd, env: { AGENT_HOME: home } });
    expect(code).toBe(0);
    expect(server.requests[0]?.body['model']).toBe('from-file');
    for (const env of [{ AGENT_HOME: '' }, { AGENT_HOME: '.' }, { XDG_CONFIG_HOME: '' }]) {
      expect((await runAgent(['send', 'Hello'], { cwd, env })).stdout).toMatch(/^Scripted demo/);
    }
  });

  it.each([
    ['--stock', {}],
    ['', { RESPONSES_LOOP: 'off' }],
  ])('answers through the stock provider, tools included: %s %j', async (flag, env) => {
    const cwd = newFolder();
    const everything = join(process.cwd(), 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
    writeFileSync(
      join(cwd, 'mcp.json'),
      JSON.stringify({ mcpServers: { everything: { command: process.execPath, args: [everything] } } }),
    );
    await using server = await createScriptedServer({
      steps: [
        { id: 'resp_a', output: [{ type: 'call', name: 'get-sum', arguments: { a: 19, b: 23 } }] },
        { id: 'resp_b', output: [{ type: 'text', text: 'It is 42.' }] },
      ],
    });
    const args = [
      'send',
      'What is 19 + 23?',
      '--base-url',
      server.baseURL,
      '--api-key',
      'k',
      '--approve',
      'all',
      '--mcp-config',
      'mcp.json',
    ];
    const { code, stdout } = await runAgent(flag === '' ? args : [...args, flag], { cwd, env });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'It is 42.\n' });
    const posts = server.requests.filter(({ method }) => method === 'POST');
    expect(posts[0]?.headers['user-agent']).toMatch(/ai-sdk\/openai/);
    expect(JSON.stringify(posts[1]?.input)).toContain('42');
  });

  it('keeps a conversation with --record, and answers from it with --replay', async () => {
    const cwd = newFolder();
    const server = await createScriptedServer({ otherwise: 'Recorded once.' });
    const args = ['--base-url', server.baseURL, '--api-key', 'k', '--model', 'm'];
    await runAgent(['send', 'Hello', '--record', 'kept', ...args], { cwd });
    await server.close();
    const { code, stdout } = await runAgent(['send', 'Hello', '--replay', 'kept'], { cwd });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Recorded once.\n' });
  });

  it('ends a turn with tools after --max-steps rounds', async () => {
    const cwd = newFolder();
    const everything = join(process.cwd(), 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
    writeFileSync(
      join(cwd, 'mcp.json'),
      JSON.stringify({ mcpServers: { everything: { command: process.execPath, args: [everything] } } }),
    );
    let number = 0;
    await using server = await createScriptedServer({
      otherwise: ({ body }) =>
        body['tool_choice'] === 'none'
          ? 'Enough.'
          : {
              id: `resp_${(number += 1)}`,
              output: [{ type: 'call', name: 'echo', arguments: { message: `${number}` } }],
            },
    });
    const flags = [
      '--base-url',
      server.baseURL,
      '--api-key',
      'k',
      '--approve',
      'all',
      '--mcp-config',
      'mcp.json',
      '--max-steps',
      '2',
    ];
    const { stdout } = await runAgent(['send', 'Go on', ...flags], { cwd });
    expect(stdout).toBe('Enough.\n');
    expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(3);
  });

  it('says what went wrong, keeps what the user said, and the session goes on', async () => {
    const cwd = newFolder();
    await using server = await createScriptedServer({
      steps: [errorReply({ status: 400, message: 'Not today' }), 'Better now.'],
    });
    const env = { OPENAI_BASE_URL: server.baseURL, OPENAI_API_KEY: 'k' };
    const failed = await runAgent(['send', 'Hello'], { cwd, env });
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Not today') });
    const next = await runAgent(['send', 'Again', '--last'], { cwd, env });
    expect(next).toMatchObject({ code: 0, stdout: 'Better now.\n' });
    expect(server.requests[1]?.text).toContain('Hello');
  });
});

describe('--schema', () => {
  const schema = JSON.stringify({ type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] });
  it.each([
    ['prints an answer that fits', '{"a":1}', 0, /^\{"a":1\}\n$/],
    ['fails if the answer does not fit', '{"a":"one"}', 1, /"one"/],
  ])('%s', async (_what, answer, code, stdout) => {
    const model = await createScriptedServer({ otherwise: answer });
    onTestFinished(() => model.close());
    const cwd = newFolder();
    writeFileSync(join(cwd, 'schema.json'), schema);
    const flags = ['--base-url', model.baseURL, '--model', 'any', '--schema', 'schema.json'];
    const sent = await runAgent(['send', 'Hello', ...flags], { cwd });
    expect([sent.code, sent.stdout]).toEqual([code, expect.stringMatching(stdout)]);
    if (code !== 0) expect(sent.stderr).toContain('does not fit the schema of the message');
  });

  it.each([
    ['there is no such file', undefined, 'cannot be read'],
    ['it is no object', '[]', 'has to hold a JSON schema'],
    ['it is no schema', '{"type":"duck"}', '`schema` cannot be checked'],
  ])('says what is wrong with the file if %s', async (_what, text, words) => {
    const cwd = newFolder();
    if (text !== undefined) writeFileSync(join(cwd, 'schema.json'), text);
    const { code, stderr } = await runAgent(['send', 'Hello', '--offline', '--schema', 'schema.json'], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });
});
