import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_USAGE, type SessionFile, type StoredMessage } from '../src/types.js';
import { get } from './ask.js';
import type { Row } from './row.js';

const CHATS = 500;
const MESSAGES = 20;
const ROUNDS = 9;
const LIMIT_MS = 50;
const WORDS = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt'.split(' ');

/** Chats as the server would have written them, before the server starts: 6 MB of text. */
export function writeManyChats(data: string): void {
  const createdAt = new Date(Date.UTC(2025, 0, 1)).toISOString();
  for (let chat = 0; chat < CHATS; chat += 1) {
    const id = `many${chat}`;
    const folder = join(data, 'sessions', id);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const messages = Array.from({ length: MESSAGES }, (_, n): StoredMessage => {
      const words = Array.from({ length: 100 }, (__, at) => WORDS[(chat * 7 + n * 3 + at * 5) % WORDS.length]);
      return {
        id: `m${n}`,
        parentMessageId: n === 0 ? null : `m${n - 1}`,
        role: n % 2 === 0 ? 'user' : 'assistant',
        messageKind: 'normal',
        parts: [{ type: 'text', text: `${words.join(' ')} needle${chat}` }],
        metadata: {},
        createdAt,
      };
    });
    const title = `Chat ${chat}`;
    const leafId = `m${MESSAGES - 1}`;
    const times = { createdAt, updatedAt: createdAt };
    const session: SessionFile = {
      version: 1,
      id,
      title,
      ...times,
      leafId,
      instructions: '',
      grants: [],
      usage: NO_USAGE,
    };
    writeFileSync(join(folder, 'session.json'), JSON.stringify(session));
    writeFileSync(join(folder, 'messages.jsonl'), messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  }
}

/** The server has read all chats after its start; a search reads what has changed since. */
export async function searchManyChats(url: string): Promise<Row> {
  const search = async (q: string, total: number): Promise<{ ms: number; isRight: boolean }> => {
    const start = performance.now();
    const found = (await get(url, `/api/search?q=${encodeURIComponent(q)}`)) as { total: number };
    return { ms: performance.now() - start, isRight: found.total === total };
  };
  const first = await search('needle499', 1);
  const later: (typeof first)[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    later.push(await search(`needle${round}.`, 0), await search('lorem tempor', CHATS), await search('needle498', 1));
  }
  const ms = later.map((one) => one.ms).toSorted((one, other) => one - other)[Math.floor(later.length / 2)] ?? 0;
  const isRight = [first, ...later].every((one) => one.isRight);
  return {
    what: `search ${CHATS} chats of ${MESSAGES} messages${isRight ? '' : ', NOT FOUND'}`,
    measured: `${first.ms.toFixed(0)} ms at first, then ${ms.toFixed(0)} ms`,
    limit: `${LIMIT_MS} ms`,
    isHeld: isRight && first.ms <= LIMIT_MS && ms <= LIMIT_MS,
  };
}
