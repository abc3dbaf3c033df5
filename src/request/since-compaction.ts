import { isCompaction, outlivesCompaction } from '../core/compaction.js';
import { linkOf } from '../items/pairs.js';
import type { InputItem } from '../wire/input-item.js';
import { jsonOf } from './item-pairs.js';

/** What of an input a summary does not replace, although it stands before it. */
export interface CompactionMarks {
  /** Outputs that came after the summary, of calls from before it. */
  readonly late: Set<InputItem>;
  /** Summaries that came with all that is to stand before them; see `ItemContent.isWindow`. */
  readonly windows: Set<InputItem>;
}

/** Whether what stands before this item need not be sent. */
export function isCut(item: InputItem, { windows }: CompactionMarks): boolean {
  return isCompaction(item) && !windows.has(item);
}

/**
 * An input from its last summary on, with what the caller has laid down before it. Pairs stay whole: it begins earlier
 * where a call stands before the summary and its output was made behind it, and with the reasoning that led to that call.
 */
export function sinceCompaction(items: readonly InputItem[], marks: CompactionMarks): readonly InputItem[] {
  const cut = items.findLastIndex((item) => isCut(item, marks));
  const keys = items.map((item) => linkOf(jsonOf(item)));
  const calls = new Map(keys.map(({ call }, at) => [call, at] as const));
  let start = cut;
  for (let at = items.length - 1; at >= 0; at -= 1) {
    const item = items[at];
    if (item === undefined || (at < start && !marks.late.has(item))) continue;
    const { output } = keys[at] ?? {};
    start = Math.min(start, at, output === undefined ? at : (calls.get(output) ?? at));
    // It begins earlier only with a call.
    while (start < cut && items[start - 1]?.type === 'reasoning') start -= 1;
  }
  return items.filter((item, at) => at >= start || outlivesCompaction(item));
}
