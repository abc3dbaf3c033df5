/** Shown only if the wait is long enough to be noticed, so that what loads at once does not flash. */
export function Loading() {
  return <p className="hint loading">Loading…</p>;
}
