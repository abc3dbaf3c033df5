import { InvalidToolInputError, NoSuchToolError } from 'ai';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createToolRepair } from '../../src/tools/tool-repair.js';

const inputSchema = z.object({
  path: z.string(),
  limit: z.number().optional(),
  actionName: z.string().max(20).optional(),
});
const schemas = new Map([['readFile', inputSchema]]);
const create = () => createToolRepair((name) => schemas.get(name));

async function repair(input: string, repairer = create(), toolName = 'readFile'): Promise<unknown> {
  const repaired = await repairer({
    toolCall: { type: 'tool-call', toolCallId: 'call_1', toolName, input },
    tools: {},
    error: new InvalidToolInputError({ toolName, toolInput: input, cause: new Error('invalid') }),
    system: undefined,
    messages: [],
    inputSchema: async () => ({}),
  });
  return repaired === null ? null : JSON.parse(repaired.input);
}

describe('arguments that cannot be read', () => {
  it.each([
    ['JSON that was cut off is completed', '{"path":"a.md","limit":1', { path: 'a.md', limit: 1 }],
    ['so is a text in it', '{"path":"a.m', { path: 'a.m' }],
    ['an optional field of a wrong type is dropped', '{"path":"a.md","limit":"ten"}', { path: 'a.md' }],
    ['an optional field that is too long is dropped', `{"path":"a","actionName":"${'x'.repeat(30)}"}`, { path: 'a' }],
    ['both at once', '{"path":"a.md","limit":"ten","actionName":"Re', { path: 'a.md', actionName: 'Re' }],
  ])('%s', async (_name, input, mended) => {
    await expect(repair(input)).resolves.toEqual(mended);
  });

  it.each([
    ['a required field is missing', '{"limit":1}'],
    ['a required field is of a wrong type', '{"path":7}'],
    ['it is no object', '["a.md"]'],
    ['it is no JSON at all', 'please read a.md'],
    ['it is empty', ''],
  ])('are left to the model where %s', async (_name, input) => {
    await expect(repair(input)).resolves.toBeNull();
  });

  it('are left to the model after three repairs in a turn', async () => {
    const repairer = create();
    for (let n = 0; n < 3; n += 1) await expect(repair('{"path":"a', repairer)).resolves.not.toBeNull();
    await expect(repair('{"path":"a', repairer)).resolves.toBeNull();
  });

  it('count only where something was mended', async () => {
    const repairer = create();
    for (let n = 0; n < 5; n += 1) await expect(repair('[]', repairer)).resolves.toBeNull();
    await expect(repair('{"path":"a', repairer)).resolves.toEqual({ path: 'a' });
  });

  it.each(['constructor', 'toString', '__proto__', 'nothing'])(
    'of %s, which is no tool, are not mended',
    async (name) => {
      await expect(repair('{}', create(), name)).resolves.toBeNull();
    },
  );

  it('leave a tool that is not there to the model', async () => {
    const repaired = await create()({
      toolCall: { type: 'tool-call', toolCallId: 'call_1', toolName: 'readFile', input: '{"path":"a"}' },
      tools: {},
      error: new NoSuchToolError({ toolName: 'readFile' }),
      system: undefined,
      messages: [],
      inputSchema: async () => ({}),
    });
    expect(repaired).toBeNull();
  });

  it('wherever they are cut, become arguments that fit or none', async () => {
    const whole = JSON.stringify({ path: 'a "quoted" \\ path', limit: 12, actionName: 'Read 🦆' });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: whole.length }), async (at) => {
        const mended = await repair(whole.slice(0, at));
        expect(mended === null || inputSchema.safeParse(mended).success).toBe(true);
      }),
    );
  });
});
