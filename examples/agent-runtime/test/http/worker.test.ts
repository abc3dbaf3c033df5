import { createScriptedServer } from 'responses-loop/testing';
import { expect, onTestFinished, test } from 'vitest';

import { startMcpServer } from '../../../../test/runtimes/mcp-server.mjs';
import type { HostedEnvironment } from '../../src/hosted.js';
import { startWorker } from '../../src/worker.js';

const TOKEN = 'a-token-of-16-characters';

/** The handler of a Worker, whose model calls a tool of an MCP server that is reached by its URL. */
async function worker(settings: HostedEnvironment = {}) {
  const mcp = await startMcpServer();
  onTestFinished(() => mcp.close());
  const call = { type: 'call', name: 'measure', arguments: { place: 'pond' } } as const;
  const model = await createScriptedServer({
    steps: [{ output: [call] }],
    otherwise: ({ input }) => JSON.stringify(input.at(-1)?.['output']),
  });
  onTestFinished(() => model.close());
  const handler = await startWorker({
    ...{ AGENT_TOKEN: TOKEN, OPENAI_BASE_URL: model.baseURL, OPENAI_API_KEY: 'sk-for-tests', MODEL: 'any' },
    ...{ MCP_SERVERS: { pond: { url: mcp.url } }, ...settings },
  });
  const ask = async (method: string, path: string, body?: object) => {
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      accept: 'application/json',
      'content-type': 'application/json',
    };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await handler(new Request(`https://worker.example${path}`, init));
    return { status: response.status, body: JSON.parse((await response.text()) || 'null') };
  };
  const { id } = (await ask('POST', '/sessions')).body;
  return { id, send: () => ask('POST', `/sessions/${id}/messages`, { content: 'How large is the pond?' }), ask };
}

test('a call in a Worker waits for a person, and runs once it is approved', async () => {
  const { id, send, ask } = await worker();
  const sent = await send();
  expect(sent.body).toMatchObject({ stopReason: 'approval_needed', approvals: [{ toolName: 'measure' }] });
  const [{ approvalId }] = (await ask('GET', `/sessions/${id}/approvals`)).body.items;
  const answer = { answers: [{ approvalId, approved: true }] };
  const done = await ask('POST', `/sessions/${id}/approvals`, answer);
  expect(done.body).toMatchObject({ stopReason: 'end_turn', text: expect.stringContaining('42') });
  expect((await ask('POST', `/sessions/${id}/approvals`, answer)).status).toBe(404);
});

test('a call that is denied in a Worker does not run, and the model reads why', async () => {
  const reason = 'Not at night.';
  const { id, send, ask } = await worker();
  const { approvals } = (await send()).body;
  const answers = [{ approvalId: approvals[0].approvalId, approved: false, reason }];
  const { body } = await ask('POST', `/sessions/${id}/approvals`, { answers });
  expect(body.text).toContain(reason);
  expect(body.text).not.toContain('42');
});

test.each([
  ['all', 'end_turn', '42'],
  ['none', 'end_turn', 'denied'],
])('APPROVE=%s asks nobody', async (APPROVE, stopReason, words) => {
  const { body } = await (await worker({ APPROVE })).send();
  expect(body).toMatchObject({ stopReason, text: expect.stringContaining(words) });
});

test('an APPROVE that is not known is refused at the start', async () => {
  await expect(worker({ APPROVE: 'sometimes' })).rejects.toThrow('ask, all or none');
});
