import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import { everythingPath } from '../tools/support/servers.js';
import { calls, reply, rig, says } from './support/rig.js';
import { toolOf } from './support/tools.js';
import { outputs } from './support/wire.js';

const search = {
  type: 'object',
  properties: { query: { type: 'string' }, limit: { type: 'integer', minimum: 1 } },
  required: ['query'],
};
const toolsOf = (body: unknown) =>
  (body as { tools: { name: string; strict: boolean; parameters: Record<string, unknown> }[] }).tools;

describe('strict schemas', () => {
  const steps = (args: { query: string; limit?: null }) => [
    reply(calls('r1', ['search', args, 'c1'])),
    reply(says('r2', 'Done.')),
  ];

  it('strict is false unless asked for, and the schema goes out as it is', async () => {
    const { model, requests } = await rig(steps({ query: 'x' }), {
      tools: { search: toolOf(() => 'found', { inputSchema: search }) },
    });
    await generateText({ model, prompt: 'Go.' });
    expect(toolsOf(requests[0]?.body)).toMatchObject([{ strict: false, parameters: { required: ['query'] } }]);
  });

  it('a tool that asks for it is converted, and never sees the nulls that the conversion brought', async () => {
    const seen: unknown[] = [];
    const { model, requests } = await rig(steps({ query: 'x', limit: null }), {
      tools: { search: toolOf((args) => void seen.push(args), { inputSchema: search, strict: true }) },
    });
    await generateText({ model, prompt: 'Go.' });
    expect(toolsOf(requests[0]?.body)).toMatchObject([
      {
        strict: true,
        parameters: {
          required: ['query', 'limit'],
          additionalProperties: false,
          properties: { limit: { type: ['integer', 'null'] } },
        },
      },
    ]);
    expect(seen).toEqual([{ query: 'x' }]);
  });

  it('strictSchemas converts the tools of a real MCP server; what cannot be converted goes out as it was, with a warning', async () => {
    const { model, requests } = await rig([reply(says('r1', 'Hi.'))], {
      mcpServers: { everything: { command: process.execPath, args: [everythingPath] } },
      tools: { free: toolOf(() => 'x', { inputSchema: { type: 'object', additionalProperties: { type: 'string' } } }) },
      strictSchemas: true,
    });
    const { warnings } = await generateText({ model, prompt: 'Go.' });
    const tools = toolsOf(requests[0]?.body);
    expect(tools.find(({ name }) => name === 'get-sum')).toMatchObject({ strict: true });
    expect(tools.find(({ name }) => name === 'free')).toMatchObject({ strict: false });
    expect(JSON.stringify(warnings)).toMatch(/"free\\" of \\"local\\" is offered without strict/);
  });
});

describe('arguments against the schema of a local tool', () => {
  const wrong = { query: 5, limit: 0 };
  const steps = () => [reply(calls('r1', ['search', wrong, 'c1'])), reply(says('r2', 'Done.'))];

  it('are explained to the model, and the tool does not run', async () => {
    const seen: unknown[] = [];
    const { model, requests } = await rig(steps(), {
      tools: { search: toolOf((args) => void seen.push(args), { inputSchema: search }) },
    });
    await generateText({ model, prompt: 'Go.' });
    expect(seen).toEqual([]);
    expect(outputs(requests[1])[0]?.[1]).toMatch(/do not match the schema/);
  });
});
