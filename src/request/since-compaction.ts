import { isCompaction, outlivesCompaction } from '../core/compaction.js';
import { isOpen } from '../core/entry.js';
import type { InputItem } from '../wire/input-item.js';
import { type Source, sourceOf } from './item-sources.js';

/** Whether this summary replaces the items before it. */
export function isCut(item: InputItem): boolean {
  if (!isCompaction(item)) return false;
  const entry = sourceOf(item)?.entry;
  return !(entry?.type === 'item' && entry.isWindow === true);
}

/**
 * Returns an input from its last summary on, with the caller's system messages and settings from before it. The input begins
 * earlier, with the reasoning before a call, if a call is before the summary and its output was made behind it.
 * `freshAt`: the index of the first item in the part of the conversation that brought the summary.
 */
export function sinceCompaction(items: readonly InputItem[], freshAt = 0): readonly InputItem[] {
  const cut = items.findLastIndex(isCut);
  const entries = items.map((item) => sourceOf(item)?.entry);
  const awaited = awaitedIn(items);
  const starts = new Map<unknown, number>(entries.map((entry, at) => [entry, at] as const).toReversed());
  let start = cut;
  for (let at = items.length - 1; at >= 0; at -= 1) {
    const entry = entries[at];
    const mayCount = at >= start || awaited.has(entry) || (at >= freshAt && isLate(entry, entries[cut]));
    if (!mayCount) continue;
    start = Math.min(start, at, starts.get(entry ?? null) ?? at);
    // Only a call moves the beginning.
    while (start < cut && items[start - 1]?.type === 'reasoning') start -= 1;
  }
  return items.filter((item, at) => at >= start || outlivesCompaction(item));
}

/** Returns calls whose outputs are in a later request. */
function awaitedIn(items: readonly InputItem[]): ReadonlySet<Source['entry']> {
  const awaited = new Set<Source['entry']>();
  for (const item of items) {
    const { entry, side } = sourceOf(item) ?? {};
    if (entry?.type !== 'call' || !isOpen(entry)) continue;
    if (side === 'output') awaited.delete(entry);
    else awaited.add(entry);
  }
  return awaited;
}

/** An output follows all calls of its round, even if a history has it right after its own call. */
function isLate(entry: Source['entry'] | undefined, summary: Source['entry'] | undefined): boolean {
  if (entry?.type !== 'call' || summary === undefined || entry.at > summary.at) return false;
  return Math.max(entry.answeredAt ?? 0, entry.roundEnd) > summary.at;
}
