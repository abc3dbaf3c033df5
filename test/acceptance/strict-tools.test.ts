import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
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

describe('strict functions', () => {
  const steps = (args: { query: string; limit?: number }) => [
    reply(calls('r1', ['search', args, 'c1'])),
    reply(says('r2', 'Done.')),
  ];

  it('are not strict unless they ask for it, and the schema goes out as it is', async () => {
    const { model, requests } = await rig(steps({ query: 'x' }), {
      tools: { search: toolOf(() => 'found', { inputSchema: search }) },
    });
    await generateText({ model, prompt: 'Go.' });
    expect(toolsOf(requests[0]?.body)).toMatchObject([{ strict: false, parameters: { required: ['query'] } }]);
  });

  it('a tool that asks for it is declared strict, with its schema as it is written', async () => {
    const strictly = { ...search, required: ['query', 'limit'], additionalProperties: false };
    const seen: unknown[] = [];
    const { model, requests } = await rig(steps({ query: 'x', limit: 2 }), {
      tools: {
        search: toolOf((args) => void seen.push(args), { inputSchema: strictly, strict: true }),
        loose: toolOf(() => 'x', { inputSchema: search, strict: true }),
      },
    });
    const { warnings } = await generateText({ model, prompt: 'Go.' });
    expect(toolsOf(requests[0]?.body)).toMatchObject([
      { name: 'search', strict: true, parameters: strictly },
      { name: 'loose', strict: true, parameters: search },
    ]);
    expect(seen).toEqual([{ query: 'x', limit: 2 }]);
    expect(warnings).toEqual([]);
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
