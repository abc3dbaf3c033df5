import type { MessageTree } from '../store/tree.js';
import type { SessionFile } from '../types.js';

/** Where the chat goes on. The last message is stored before `session.json` is, so the newest one below that leaf is meant. */
export function leafOf({ leafId }: SessionFile, tree: MessageTree): string | null {
  return leafId === null || !tree.has(leafId) ? null : tree.newestLeafBelow(leafId);
}
