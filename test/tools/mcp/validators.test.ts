import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/cfworker';
import { describe, expect, it } from 'vitest';
import type { McpSchemaValidator } from '../../../src/tools/mcp/schema-validator.js';
import { callTool, offerOf, textOf, toolNamed } from '../support/call.js';
import { scripted, serve, tool } from '../support/in-memory-server.js';
import { registryWith } from './helpers.js';

const outputSchema = { type: 'object', properties: { size: { type: 'number' } }, required: ['size'] };

function sized(size: unknown, validator: McpSchemaValidator) {
  const server = scripted([tool('a', { outputSchema })], {
    onCall: async () => ({ content: [], structuredContent: { size } }),
  });
  const options = { open: serve({ docs: server }), validator };
  return registryWith({ docs: { url: 'http://docs/' } }, options);
}

const call = async (registry: ReturnType<typeof sized>) => callTool(toolNamed(await offerOf(registry), 'a'), {});

describe('M16 validators of the MCP SDK', () => {
  it.each<[string, McpSchemaValidator]>([
    ['AjvJsonSchemaValidator', new AjvJsonSchemaValidator()],
    ['CfWorkerJsonSchemaValidator', new CfWorkerJsonSchemaValidator()],
  ])('%s fits, and refuses a result of the wrong shape', async (_name, validator) => {
    expect(textOf(await call(sized(1, validator)))).toBe('{"size":1}');
    const wrong = await call(sized('big', validator));
    expect(wrong.isError).toBe(true);
    expect(textOf(wrong)).toContain('does not match its output schema');
  });
});

describe('M16 an output schema that the validator cannot read', () => {
  const unreadable = { type: 'object', properties: { size: { $ref: '#/definitions/missing' } } };
  const throwing: McpSchemaValidator = {
    getValidator: () => () => {
      throw new Error('cannot check');
    },
  };
  it.each<[string, McpSchemaValidator]>([
    ['AjvJsonSchemaValidator', new AjvJsonSchemaValidator()],
    ['CfWorkerJsonSchemaValidator', new CfWorkerJsonSchemaValidator()],
    ['a validator that fails only when it checks', throwing],
  ])('is no reason to refuse a result (%s)', async (_name, validator) => {
    const server = scripted([tool('a', { outputSchema: unreadable })], {
      onCall: async () => ({ content: [{ type: 'text', text: 'paid' }], structuredContent: { size: 1 } }),
    });
    const registry = registryWith({ docs: { url: 'http://docs/' } }, { open: serve({ docs: server }), validator });
    const output = await call(registry);
    expect(output.isError).toBe(false);
    expect(textOf(output)).toBe('paid');
  });
});
