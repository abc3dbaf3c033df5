import type { JsonSchema } from '../types/driver.js';
import type { AdapterMessage, StoredMessage } from '../types/messages.js';

/** The row of an answer that fits its schema. Its content is JSON, which keeps any text as it was. */
export function outputRow(value: unknown): AdapterMessage {
  return { type: 'system', content: JSON.stringify(value), metadata: { kind: 'output' } };
}

export function outputOf(messages: readonly StoredMessage[], ofTurn?: number): unknown {
  const row = messages.findLast(
    ({ metadata, turn }) => metadata?.kind === 'output' && (ofTurn === undefined || turn === ofTurn),
  );
  return row === undefined ? undefined : JSON.parse(row.content);
}

/** What the answer to the user's last message has to be. */
export function schemaOf(messages: readonly StoredMessage[]): JsonSchema | undefined {
  return messages.findLast(({ type }) => type === 'user')?.metadata?.schema;
}
