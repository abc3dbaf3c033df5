// The Worker of examples/agent-runtime in workerd itself: bundled as for Workers, without the modules of Node.
import { Miniflare, supportedCompatibilityDate } from 'miniflare';
import { createGate, createScriptedServer, responseEvents } from 'responses-loop/testing';
import { startMcpServer } from './mcp-server.mjs';
import { bundleWorker } from './bundle-worker.mjs';

const TOKEN = 'a-token-of-16-characters';
const SENTENCE = 'How large is the pond?';

/** Answers with what was checked, and whether it holds. */
export async function runAgentWorker() {
  const script = await bundleWorker('agent-runtime/src/worker.ts');
  const mcp = await startMcpServer();
  const gate = createGate();
  const model = await createScriptedServer({ steps: steps(gate.released) });
  const bindings = {
    AGENT_TOKEN: TOKEN,
    OPENAI_BASE_URL: model.baseURL,
    OPENAI_API_KEY: 'sk-for-tests',
    MODEL: 'test-model',
    MCP_SERVERS: { pond: { url: mcp.url } },
    APPROVE: 'all',
  };
  try {
    return [
      ...(await withWorker(script, bindings, (worker) => talk(worker, model, gate))),
      ...(await approvals(script, bindings)),
      ...(await refusals(script, bindings)),
    ];
  } finally {
    await model.close();
    await mcp.close();
  }
}

/** A tool of the MCP server, its answer, a second turn that is held until others have looked, and one without a reader. */
function steps(held) {
  const slow = responseEvents({ id: 'resp_3', output: [{ type: 'text', text: ['Half ', 'an answer.'] }] });
  const at = slow.findIndex(({ type }) => type.endsWith('output_text.delta')) + 1;
  return [
    { id: 'resp_1', output: [{ type: 'call', name: 'measure', arguments: { place: 'pond' } }] },
    { id: 'resp_2', output: [{ type: 'text', text: 'It has 42 ares.' }] },
    { events: [...slow.slice(0, at), held, ...slow.slice(at)] },
    { id: 'resp_4', output: [{ type: 'call', name: 'measure', arguments: { place: 'lake' } }] },
    { id: 'resp_5', output: [{ type: 'text', text: 'Nobody read this.' }] },
  ];
}

async function talk(worker, model, gate) {
  const checks = [];
  const check = (name, ok, error) => checks.push({ name, ok, error: JSON.stringify(error) });
  const ask = (path, { method = 'GET', body, headers } = {}) =>
    worker.dispatchFetch(`http://worker.example${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
  const health = await (await worker.dispatchFetch('http://worker.example/health')).json();
  check('/health says who answers', health.ok && health.driver === 'mono' && health.model === 'test-model', health);
  const closed = await worker.dispatchFetch('http://worker.example/sessions');
  check('nothing else is open without the token', closed.status === 401, closed.status);
  await closed.text();

  const { id } = await (await ask('/sessions', { method: 'POST', body: { title: 'Ponds' } })).json();
  const first = await (await ask(`/sessions/${id}/messages`, { method: 'POST', body: { content: SENTENCE } })).text();
  check('a tool of an MCP server is called', /event: tool_result[^]*42/.test(first), first);
  check('the answer is streamed', /event: text_delta[^]*event: message_stop[^]*end_turn/.test(first), first);
  const output = model.requests[1]?.input.find(({ type }) => type === 'function_call_output');
  check('the model reads the result of the tool', JSON.stringify(output)?.includes('42'), output);

  const second = await ask(`/sessions/${id}/messages`, { method: 'POST', body: { content: 'And the lake?' } });
  check('the next turn knows the one before', model.requests[2]?.text.includes(SENTENCE), model.requests[2]?.text);
  const busy = await ask(`/sessions/${id}/messages`, { method: 'POST', body: { content: 'Hello?' } });
  check('a session whose turn runs is busy', busy.status === 409, await busy.text());
  const again = await ask(`/sessions/${id}/events`);
  gate.release();
  const [whole, watched] = await Promise.all([second.text(), again.text()]);
  check('another request can watch the running turn', again.status === 200 && watched === whole, [whole, watched]);
  check('the turn was not disturbed by it', /an answer\.[^]*end_turn/.test(whole), whole);

  const left = await ask(`/sessions/${id}/messages`, { method: 'POST', body: { content: 'I am gone.' } });
  await left.body?.cancel();
  const session = await until(
    async () => (await ask(`/sessions/${id}`)).json(),
    ({ state }) => state === 'idle',
  );
  const { items } = await (await ask(`/sessions/${id}/messages`)).json();
  check('a turn goes on when its client has gone', items.at(-1)?.content === 'Nobody read this.', [
    session,
    items.at(-1),
  ]);
  const deleted = await ask(`/sessions/${id}`, { method: 'DELETE' });
  check('a session can be deleted', deleted.status === 204, deleted.status);
  return checks;
}

/** A call that is approved in a later request, and one that is denied. */
async function approvals(script, bindings) {
  const call = (place) => ({ output: [{ type: 'call', name: 'measure', arguments: { place } }] });
  const model = await createScriptedServer({
    otherwise: ({ input }) => {
      const last = input.at(-1);
      return last.type === 'function_call_output' ? `Read: ${JSON.stringify(last.output)}` : call('pond');
    },
  });
  const own = { ...bindings, OPENAI_BASE_URL: model.baseURL, APPROVE: 'ask' };
  const headers = { authorization: `Bearer ${TOKEN}`, accept: 'application/json', 'content-type': 'application/json' };
  try {
    return await withWorker(script, own, async (worker) => {
      const post = async (path, body) => {
        const init = { method: 'POST', headers, body: JSON.stringify(body) };
        return (await worker.dispatchFetch(`http://worker.example${path}`, init)).json();
      };
      const checks = [];
      for (const approved of [true, false]) {
        const { id } = await post('/sessions', {});
        const asked = await post(`/sessions/${id}/messages`, { content: SENTENCE });
        const waits = asked.stopReason === 'approval_needed' && asked.approvals?.length === 1;
        checks.push({ name: 'a call waits for approval', ok: waits, error: JSON.stringify(asked) });
        const answers = [{ approvalId: asked.approvals?.[0]?.approvalId, approved }];
        const done = await post(`/sessions/${id}/approvals`, { answers });
        const ok = done.stopReason === 'end_turn' && done.text?.includes('42') === approved;
        checks.push({
          name: `it ${approved ? 'runs' : 'does not run'} after the answer`,
          ok,
          error: JSON.stringify(done),
        });
      }
      return checks;
    });
  } finally {
    await model.close();
  }
}

/** What a Worker says in place of starting. */
async function refusals(script, bindings) {
  const rows = [
    { what: 'no token', change: { AGENT_TOKEN: undefined }, says: 'AGENT_TOKEN' },
    { what: 'a short token', change: { AGENT_TOKEN: 'fifteen-chars-x' }, says: '16 characters' },
    { what: 'no model', change: { OPENAI_BASE_URL: undefined, OPENAI_API_KEY: undefined }, says: 'OPENAI_API_KEY' },
    {
      what: 'a program as MCP server',
      change: { MCP_SERVERS: { files: { command: 'npx' } } },
      says: '"files" has a "command"',
    },
    { what: 'MCP servers that are not JSON', change: { MCP_SERVERS: '{' }, says: 'MCP_SERVERS is not JSON' },
  ];
  const checks = [];
  for (const { what, change, says } of rows) {
    const defined = Object.entries({ ...bindings, ...change }).filter(([, value]) => value !== undefined);
    await withWorker(script, Object.fromEntries(defined), async (worker) => {
      const response = await worker.dispatchFetch('http://worker.example/health');
      const text = await response.text();
      const ok = response.status === 500 && JSON.parse(text).error.message.includes(says);
      checks.push({ name: `it refuses ${what}`, ok, error: text });
    });
  }
  return checks;
}

async function withWorker(script, bindings, use) {
  const worker = new Miniflare({
    modules: [{ type: 'ESModule', path: 'worker.mjs', contents: script }],
    compatibilityDate: supportedCompatibilityDate,
    bindings,
  });
  try {
    return await use(worker);
  } finally {
    await worker.dispose();
  }
}

async function until(read, isThere) {
  for (let attempt = 0; ; attempt += 1) {
    const value = await read();
    if (isThere(value) || attempt === 100) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
