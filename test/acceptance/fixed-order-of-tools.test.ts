import { generateText } from 'ai';
import { expect, it } from 'vitest';
import { reply, rig, says } from './support/rig.js';

const SCHEMAS = [
  {
    type: 'object',
    properties: { path: { type: 'string', minLength: 1 }, content: { type: 'string' }, mode: { enum: ['a', 'w'] } },
    required: ['path', 'content'],
  },
  {
    required: ['content', 'path'],
    properties: { mode: { enum: ['a', 'w'] }, content: { type: 'string' }, path: { minLength: 1, type: 'string' } },
    type: 'object',
  },
];

/** The tools of a request, as they are written, of a server that was started anew. */
async function toolsWith(names: readonly string[], inputSchema: object | undefined): Promise<string> {
  const listTools = async () => ({ tools: names.map((name) => ({ name, inputSchema })) });
  const client = { listTools, callTool: async () => ({ content: [] }) };
  const { model, requests } = await rig([reply(says('resp_1', 'Done.'))], { mcpServers: { files: { client } } });
  await generateText({ model, prompt: 'Hello.' });
  return JSON.stringify(requests[0]?.body['tools']);
}

it('an MCP server that lists tools, parameters and required names in another order changes no byte of the request', async () => {
  const first = await toolsWith(['write', 'read'], SCHEMAS[0]);
  expect(await toolsWith(['read', 'write'], SCHEMAS[1])).toBe(first);
  expect(first).toContain('"content":{"type":"string"},"path":{"minLength":1,"type":"string"},"mode"');
});
