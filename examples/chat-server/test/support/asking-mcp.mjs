// An MCP server that asks a person in the middle of its calls, and answers with what it was told.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const FORM = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Your name', description: 'As on the ticket', minLength: 2 },
    seat: { type: 'string', title: 'Seat', pattern: '^[0-9]+[A-F]$' },
    email: { type: 'string', title: 'Email', format: 'email' },
    day: { type: 'string', title: 'Day', format: 'date' },
    seats: { type: 'integer', title: 'Seats', minimum: 1, maximum: 9, default: 2 },
    window: { type: 'boolean', title: 'By the window', default: true },
    meal: { type: 'string', title: 'Meal', enum: ['v', 'm'], enumNames: ['Vegetarian', 'With meat'] },
    extras: {
      type: 'array',
      title: 'Extras',
      items: {
        anyOf: [
          { const: 'w', title: 'Wine' },
          { const: 't', title: 'Tea' },
        ],
      },
    },
  },
  required: ['name', 'meal'],
};

const QUESTIONS = {
  form: { message: 'Which seats?\nAnswer soon.', requestedSchema: FORM },
  page: { mode: 'url', message: 'Please pay.', url: 'http://127.0.0.1:9/pay?order=1', elicitationId: 'e1' },
  slow: {
    message: 'Which word?',
    requestedSchema: { type: 'object', properties: { word: { type: 'string', pattern: '^(a+)+$' } } },
  },
  script: { mode: 'url', message: 'Open this.', url: 'javascript:alert(1)', elicitationId: 'e2' },
  mail: { mode: 'url', message: 'Open this.', url: 'https://bank.example@127.0.0.1/', elicitationId: 'e3' },
};

const server = new McpServer({ name: 'asking', version: '1' });
server.registerTool(
  'ask',
  { description: 'Asks.', inputSchema: { what: z.string() }, annotations: { readOnlyHint: true } },
  async ({ what }, { signal }) => {
    const answer = await server.server
      .elicitInput(QUESTIONS[what], { signal, timeout: 600_000 })
      .catch((error) => ({ refused: String(error) }));
    return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
  },
);
await server.connect(new StdioServerTransport());
