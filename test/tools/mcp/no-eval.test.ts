import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { afterAll, expect, it, vi } from 'vitest';
import { callTool, toolsetOf, textOf, toolNamed } from '../support/call.js';
import { scripted, serve, tool } from '../support/in-memory-server.js';
import { registryWith, sourceOf } from './helpers.js';

// Before anything is imported: zod, inside the SDK, tries once whether code may be compiled, and does without where not.
vi.hoisted(() => {
  const forbidden = (): never => {
    throw new EvalError('Code generation from strings disallowed for this context');
  };
  vi.stubGlobal('eval', forbidden);
  vi.stubGlobal('Function', new Proxy(Function, { apply: forbidden, construct: forbidden }));
});
afterAll(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const outputSchema = { type: 'object', properties: { size: { type: 'number' } }, required: ['size'] };
const open = serve({
  docs: scripted([tool('a', { outputSchema })], {
    onCall: async () => ({ content: [], structuredContent: { size: 'big' } }),
  }),
});

it('no code is made of the schemas of servers: Workers forbid it', async () => {
  const toolset = await toolsetOf(registryWith({ docs: { url: 'http://docs/' } }, { open }));
  expect(toolset.warnings).toEqual([]);
  expect(textOf(await callTool(toolNamed(toolset, 'a'), {}))).toBe('{"size":"big"}');
  const client = await sourceOf({ url: 'http://docs/' }, { open }).client();
  await client.listTools();
  expect(await client.callTool({ name: 'a' })).toMatchObject({ structuredContent: { size: 'big' } });
  vi.spyOn(console, 'error').mockImplementation(() => {});
  // The counter-check: this is what would be noticed.
  expect(() => new AjvJsonSchemaValidator().getValidator(outputSchema)).toThrow(EvalError);
});
