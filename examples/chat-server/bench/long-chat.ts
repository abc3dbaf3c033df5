import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_USAGE, type SessionFile, type StoredMessage } from '../src/types.js';

export const LONG_CHAT = 'long';

export interface WrittenChat {
  readonly id: string;
  readonly title: string;
  /** How many messages. */
  readonly count: number;
}

/** A chat as the server would have written it, before the server starts. */
export function writeChat(data: string, { id, title, count }: WrittenChat): void {
  const folder = join(data, 'sessions', id);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const at = new Date(Date.UTC(2026, 0, 1));
  const messages = Array.from({ length: count }, (_, n): StoredMessage => {
    const createdAt = new Date(at.getTime() + n * 1000).toISOString();
    return {
      id: `m${n}`,
      parentMessageId: n === 0 ? null : `m${n - 1}`,
      role: n % 2 === 0 ? 'user' : 'assistant',
      messageKind: 'normal',
      parts: [{ type: 'text', text: `Message ${n}: ${'quack '.repeat(40)}` }],
      metadata: {},
      createdAt,
    };
  });
  const createdAt = at.toISOString();
  const session: SessionFile = {
    version: 1,
    id,
    title,
    createdAt,
    updatedAt: createdAt,
    leafId: messages.at(-1)?.id ?? null,
    instructions: '',
    // So that it is in the list, however many are newer.
    isPinned: true,
    grants: [],
    usage: NO_USAGE,
  };
  writeFileSync(join(folder, 'session.json'), JSON.stringify(session));
  writeFileSync(join(folder, 'messages.jsonl'), messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
}
