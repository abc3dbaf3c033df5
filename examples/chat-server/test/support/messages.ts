import type { ChatPart, StoredMessage } from '../../src/types.js';

/** A message with what a test cares about. */
export function message(id: string, fields: Partial<StoredMessage> = {}): StoredMessage {
  return {
    id,
    parentMessageId: null,
    role: 'user',
    messageKind: 'normal',
    parts: [{ type: 'text', text: `I am ${id}` }],
    metadata: {},
    createdAt: '2026-01-02T03:04:05.000Z',
    ...fields,
  };
}

/** A call of a tool of the app, in some state. */
export function call(id: string, fields: Record<string, unknown> = {}): ChatPart {
  return {
    type: 'tool-writeFile',
    toolCallId: id,
    state: 'input-available',
    input: { path: id },
    ...fields,
  };
}

/** A call of a tool of an MCP server. */
export function mcpCall(id: string, fields: Record<string, unknown> = {}): ChatPart {
  return {
    type: 'dynamic-tool',
    toolName: 'read',
    toolCallId: id,
    providerExecuted: true,
    state: 'input-available',
    input: { path: id },
    ...fields,
  };
}
