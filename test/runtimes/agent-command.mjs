// The command of examples/agent-runtime in another runtime than Node, with sessions in SQLite.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createScriptedServer } from 'responses-loop/testing';
import { runProcess } from './run-process.mjs';

const PROGRAM = fileURLToPath(new URL('../../examples/agent-runtime/bin/agent.mjs', import.meta.url));
const MCP_SERVER = fileURLToPath(new URL('mcp-server.mjs', import.meta.url));
const TOKEN = 'a-token-of-16-characters';

/** Answers with what was checked, and whether it holds. */
export async function runAgentCommand(runtime) {
  const folder = mkdtempSync(join(tmpdir(), 'agent-command-'));
  const model = await createScriptedServer({ steps: steps() });
  const config = join(folder, 'mcp.json');
  const pond = { command: process.execPath, args: [MCP_SERVER, '--stdio'] };
  writeFileSync(config, JSON.stringify({ mcpServers: { pond } }));
  const flags = ['-w', folder, '--base-url', model.baseURL, '--model', 'test-model', '--mcp-config', config];
  const env = { HOME: folder, AGENT_TOKEN: TOKEN, OPENAI_API_KEY: 'sk-for-tests' };
  try {
    return [...(await send({ runtime, flags, env, model })), ...(await serve({ runtime, flags, env }))];
  } finally {
    await model.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function steps() {
  return [
    { id: 'resp_1', output: [{ type: 'text', text: 'Your duck is called Alfred.' }] },
    { id: 'resp_2', output: [{ type: 'text', text: 'I know.' }] },
    { id: 'resp_3', output: [{ type: 'call', name: 'measure', arguments: { place: 'pond' } }] },
    { id: 'resp_4', output: [{ type: 'text', text: 'It has 42 ares.' }] },
  ];
}

/** Two processes, one session. */
async function send({ runtime, flags, env, model }) {
  const run = (...args) => runProcess(runtime, [PROGRAM, ...args, ...flags], { cwd: env.HOME, env });
  const first = await run('send', 'My duck is called Alfred.');
  await run('send', 'What is it called?', '--last');
  const listed = await run('sessions');
  const sent = model.requests[1]?.text ?? '';
  return [
    checked('the command prints the answer', first === 'Your duck is called Alfred.', first),
    checked('a later process reads the session', sent.includes('My duck is called Alfred.'), sent),
    checked('the session is listed once', listed.split('\n').length === 1 && listed.includes('idle'), listed),
  ];
}

/** An approval over HTTP, and the end by a signal. */
async function serve({ runtime, flags, env }) {
  const child = spawn(runtime, [PROGRAM, 'serve', '--port', '0', ...flags], {
    cwd: env.HOME,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  try {
    const origin = await addressOf(child);
    const post = (path, body) => ask(origin + path, body);
    const { id } = await post('/sessions', {});
    const asked = await post(`/sessions/${id}/messages`, { content: 'How large is the pond?' });
    const answers = [{ approvalId: asked.approvals?.[0]?.approvalId, approved: true }];
    const done = await post(`/sessions/${id}/approvals`, { answers });
    child.kill('SIGTERM');
    const code = await ended;
    return [
      checked('a call waits for approval over HTTP', asked.stopReason === 'approval_needed', asked),
      checked('it runs once it is approved', done.text === 'It has 42 ares.', done),
      checked('the server ends on a signal, without an error', code === 0, code),
    ];
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

async function addressOf({ stderr }) {
  let said = '';
  for await (const chunk of stderr.iterator({ destroyOnReturn: false })) {
    said += chunk;
    const [, origin] = /listening on (http:\S+)/.exec(said) ?? [];
    if (origin === undefined) continue;
    stderr.resume();
    return origin;
  }
  throw new Error(`The server did not start: ${said}`);
}

async function ask(address, body) {
  const headers = { authorization: `Bearer ${TOKEN}`, accept: 'application/json', 'content-type': 'application/json' };
  return (await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })).json();
}

function checked(name, ok, error) {
  return { name, ok, error: JSON.stringify(error) };
}
