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
