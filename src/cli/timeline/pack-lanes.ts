interface Bar {
  readonly from: number;
  readonly ms: number;
  readonly waitMs?: number;
  lane: number;
}

/** Gives each bar the first free lane at its beginning and returns the number of lanes. */
export function packLanes(bars: readonly Bar[]): number {
  /** When each lane becomes free. */
  const free: number[] = [];
  for (const bar of bars.toSorted((a, b) => startOf(a) - startOf(b))) {
    const found = free.findIndex((end) => end <= startOf(bar));
    bar.lane = found < 0 ? free.length : found;
    // A bar without duration needs space too.
    free[bar.lane] = Math.max(bar.from + bar.ms, startOf(bar) + 1);
  }
  return free.length;
}

/** The wait for an approval belongs to it. */
function startOf({ from, waitMs = 0 }: Bar): number {
  return Math.max(0, from - waitMs);
}
