import { onTestFinished } from 'vitest';

import type { AgentPersister, SessionData, StoredMessage } from '../../src/index.js';

export const session = (id: string, more: Partial<SessionData> = {}): SessionData => ({
  id,
  summary: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  lastActivity: '2026-01-01T00:00:00.000Z',
  cwd: '/pond',
  state: 'created',
  model: 'any',
  usage: null,
  ...more,
});

export const message = (seq: number, more: Partial<StoredMessage> = {}): StoredMessage => ({
  id: crypto.randomUUID(),
  type: 'user',
  content: `Message ${seq}`,
  timestamp: '2026-01-01T00:00:00.000Z',
  seq,
  turn: 1,
  ...more,
});

export function nested(levels: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

/** Where sessions are kept, empty at first. */
export interface Place {
  /** What a program would open. Memory has only one. */
  readonly open: () => AgentPersister;
}

/** Closed after the test. */
export function openAt(place: Place): AgentPersister {
  const persister = place.open();
  onTestFinished(() => persister.close().catch(() => {}));
  return persister;
}
