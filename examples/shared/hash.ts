import { createHash } from 'node:crypto';

/** Names what a file holds. */
export function hashOf(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}
