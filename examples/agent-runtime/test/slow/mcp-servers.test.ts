import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { createScriptedServer } from 'responses-loop/testing';
import { expect, onTestFinished, test } from 'vitest';

import { type AgentConfig, createAgent, createMemoryPersister } from '../../src/index.js';
import { collect, textOf } from '../support/collect.js';
import { runAgent } from '../support/run-agent.js';
import { toolsServer } from '../support/tools-server.js';
import { makeWorkspace } from '../support/workspace.js';

/** An agent with a real MCP server, whose model calls one tool and then speaks. */
async function ask(tool: string, args: Record<string, number>, config: Partial<AgentConfig> = {}) {
  const server = await createScriptedServer({
    steps: [{ output: [{ type: 'call', name: tool, arguments: args }] }],
    otherwise: ({ input }) => `It says ${JSON.stringify(input.at(-1)?.['output'])}.`,
  });
  onTestFinished(() => server.close());
  const workspace = realpathSync(makeWorkspace());
  const tools = toolsServer(workspace);
  const agent = createAgent(
    {
      ...{ workspace, model: 'any', apiKey: 'test', baseUrl: server.baseURL, mcpServers: { pond: tools.entry } },
      trustedServers: ['pond'],
      ...config,
    },
    { persister: createMemoryPersister() },
  );
  await agent.initialize();
  onTestFinished(() => agent.destroy());
  const turn = agent.chat('Go on');
  const text = textOf(await collect(turn));
  return { workspace, text, session: await agent.getSession(turn.sessionId) };
}

test('an MCP server starts in the workspace', async () => {
  const { workspace, text } = await ask('where', {});
  expect(text).toContain(workspace);
});

test('an MCP server starts in the folder that `cwd` names, before that of the workspace', async () => {
  const { text } = await ask('where', {}, { cwd: '/' });
  expect(text).toBe('It says "/".');
});

test('an entry of its own comes first', async () => {
  const { folder, entry } = toolsServer();
  const { text } = await ask('where', {}, { mcpServers: { pond: { ...entry, cwd: folder } }, cwd: '/' });
  expect(text).toContain(folder);
});

test('the calculator: 123 * 456 is 56088, by a tool, and the result is in the session', async () => {
  const { text, session } = await ask('calculate', { a: 123, b: 456 });
  expect(text).toContain('56088');
  const result = session?.getMessages().find(({ isToolUse }) => isToolUse === false);
  expect(result).toMatchObject({ toolName: 'calculate', content: '56088' });
});

test('agent send: an MCP server starts in the workspace that -w names', async () => {
  const { folder, entry } = toolsServer();
  const config = join(folder, 'mcp.json');
  writeFileSync(config, JSON.stringify({ mcpServers: { pond: entry } }));
  const args = ['send', 'use where', '-w', folder, '--mcp-config', config, '--trust', 'pond', '--offline'];
  const { stdout, code } = await runAgent(args);
  expect([stdout.includes(`where returned:\n${folder}`), code]).toEqual([true, 0]);
});
