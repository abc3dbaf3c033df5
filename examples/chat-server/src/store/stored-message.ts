import { z } from 'zod';
import type { StoredMessage } from '../types.js';
import { isId } from './ids.js';

const id = z.string().refine(isId);
const count = z.number().nonnegative();

const USAGE = z.object({ input: count, output: count, cached: count, reasoning: count, rounds: count });

const MESSAGE = z.object({
  id,
  parentMessageId: id.nullable(),
  role: z.enum(['user', 'assistant', 'system', 'subagent']),
  messageKind: z.enum(['normal', 'error', 'compact_summary']),
  parts: z.array(z.looseObject({ type: z.string() })),
  metadata: z.looseObject({ usage: USAGE.optional(), elapsedMs: count.optional() }),
  createdAt: z.iso.datetime(),
});

/** `undefined`: the line is JSON, but no message. Parts were checked when they were written. */
export function readStoredMessage(value: unknown): StoredMessage | undefined {
  const { success, data } = MESSAGE.safeParse(value);
  return success ? (data as unknown as StoredMessage) : undefined;
}
