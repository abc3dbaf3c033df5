import { z } from 'zod';
import { isId } from '../store/ids.js';
import type { QueuedMessage } from './message-queue.js';

const short = z.string().max(200).optional();

const FILE = z.object({
  version: z.literal(1),
  items: z.array(
    z.object({
      id: z.string().refine(isId),
      parts: z.array(z.looseObject({ type: z.enum(['text', 'file', 'data-skill']) })).min(1),
      whileRunning: z.enum(['queue', 'steer']),
      isHeld: z.boolean().optional(),
      createdAt: z.iso.datetime(),
      chatModelId: short,
      chatModelSource: z.enum(['loop', 'stock']).optional(),
      reasoningEffort: short,
    }),
  ),
});

/** What `queue.json` holds. @throws Error, if it is something else. */
export function readQueueFile(content: Uint8Array | undefined): readonly QueuedMessage[] {
  if (content === undefined) return [];
  return FILE.parse(JSON.parse(new TextDecoder().decode(content))).items as unknown as readonly QueuedMessage[];
}

export function queueFileText(items: readonly QueuedMessage[]): string {
  return `${JSON.stringify({ version: 1, items })}\n`;
}
