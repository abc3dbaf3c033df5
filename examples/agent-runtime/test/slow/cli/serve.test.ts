import { describe, expect, it } from 'vitest';
import { newFolder, runAgent, startAgent, type RunningAgent } from '../../support/run-agent.js';

const TOKEN = 'sixteen-chars-ok';

async function addressOf({ printed }: RunningAgent): Promise<string> {
  const said = await printed(/listening on http\S+\n/, 'stderr');
  return /listening on (http\S+)/.exec(said)?.[1] ?? '';
}

describe('agent serve', () => {
  it('makes a token, prints it once, and asks for it', async () => {
    const cwd = newFolder();
    const agent = startAgent(['serve', '--port', '0'], { cwd });
    const url = await addressOf(agent);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const [, token = ''] = /token (\S+)\n/.exec(await agent.printed(/token \S+\n/, 'stderr')) ?? [];
    expect(token.length).toBeGreaterThanOrEqual(16);
    expect((await fetch(`${url}/sessions`)).status).toBe(401);
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json',
    };
    const { id } = await (await fetch(`${url}/sessions`, { method: 'POST', headers, body: '{}' })).json();
    const body = JSON.stringify({ content: 'hello over http' });
    const answer = await (await fetch(`${url}/sessions/${id}/messages`, { method: 'POST', headers, body })).json();
    expect(answer).toMatchObject({ text: expect.stringContaining('hello over http'), stopReason: 'end_turn' });
    // The same database, while the server runs.
    expect(JSON.parse((await runAgent(['show', id, '--json'], { cwd })).stdout).messages).toHaveLength(2);
    agent.child.kill('SIGINT');
    const { code, stdout, stderr } = await agent.ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr.split(token)).toHaveLength(2);
  });

  it('takes the token of AGENT_TOKEN, and never prints it', async () => {
    const agent = startAgent(['serve', '--port', '0'], { env: { AGENT_TOKEN: TOKEN } });
    const url = await addressOf(agent);
    expect((await fetch(`${url}/sessions`, { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(200);
    agent.child.kill('SIGTERM');
    const { code, stderr } = await agent.ended;
    expect(code).toBe(0);
    expect(stderr).not.toContain(TOKEN);
  });

  it.each([undefined, 'fifteen-chars-x'])('lets no one else in with AGENT_TOKEN %s', async (token) => {
    const env = token === undefined ? {} : { AGENT_TOKEN: token };
    const { code } = await runAgent(['serve', '--port', '0', '--host', '0.0.0.0'], { env });
    expect(code).toBe(2);
  });

  it('refuses a token that no header can hold', async () => {
    const { code, stderr } = await runAgent(['serve', '--port', '0'], { env: { AGENT_TOKEN: 'with a space inside' } });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('AGENT_TOKEN may have') });
  });

  it('answers at another address, if there is a token of 16 characters', async () => {
    const agent = startAgent(['serve', '--port', '0', '--host', '0.0.0.0'], { env: { AGENT_TOKEN: TOKEN } });
    const { port } = new URL(await addressOf(agent));
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
    agent.child.kill('SIGTERM');
    expect((await agent.ended).code).toBe(0);
  });

  it('goes on with a session that a command adds to meanwhile', async () => {
    const cwd = newFolder();
    const agent = startAgent(['serve', '--port', '0'], { cwd, env: { AGENT_TOKEN: TOKEN } });
    const url = await addressOf(agent);
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      accept: 'application/json',
    };
    const say = async (id: string, content: string): Promise<{ text: string }> => {
      const init = { method: 'POST', headers, body: JSON.stringify({ content }) };
      return (await fetch(`${url}/sessions/${id}/messages`, init)).json() as Promise<{ text: string }>;
    };
    const { id } = (await (await fetch(`${url}/sessions`, { method: 'POST', headers })).json()) as { id: string };
    await say(id, 'From HTTP.');
    await runAgent(['send', 'From the command.', '--session', id], { cwd });
    expect((await say(id, 'What did I say before?')).text).toMatch(/From HTTP\.\n- From the command\./);
    const { items } = (await (await fetch(`${url}/sessions/${id}/messages`, { headers })).json()) as {
      items: { seq: number }[];
    };
    expect(items.map(({ seq }) => seq)).toEqual([...new Set(items.map(({ seq }) => seq))].toSorted((a, b) => a - b));
    expect(items).toHaveLength(6);
  });

  it('ends a running turn in good order when it is stopped', async () => {
    const cwd = newFolder();
    const { createScriptedServer, responseEvents } = await import('responses-loop/testing');
    const events = responseEvents({ output: [{ type: 'text', text: 'Well' }] });
    await using model = await createScriptedServer({ otherwise: { events: events.slice(0, -3), ending: 'stall' } });
    const agent = startAgent(['serve', '--port', '0', '--base-url', model.baseURL, '--api-key', 'k'], {
      cwd,
      env: { AGENT_TOKEN: TOKEN },
    });
    const url = await addressOf(agent);
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    const { id } = (await (await fetch(`${url}/sessions`, { method: 'POST', headers })).json()) as { id: string };
    const running = await fetch(`${url}/sessions/${id}/messages`, {
      method: 'POST',
      headers,
      body: '{"content":"Hi"}',
    });
    await model.waitForRequest(0);
    agent.child.kill('SIGTERM');
    expect(await running.text()).toMatch(/event: interrupted\n[^]*$/);
    expect((await agent.ended).code).toBe(0);
    const { session, messages } = JSON.parse((await runAgent(['show', id, '--json'], { cwd })).stdout);
    expect(session.state).toBe('idle');
    expect(messages).toMatchObject([{ content: 'Hi' }, { content: 'Well' }]);
  });
});
