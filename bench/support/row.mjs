/**
 * A row of the table: what was measured, the medians of all contenders, and what has to hold of them.
 * `checks`: `{ value, limit, atLeast, against }`.
 */
export function row(measure, unit, medians, checks) {
  return { measure, unit, medians, checks };
}

export function atMost(value, limit, against) {
  return { value, limit, against, atLeast: false };
}

export function atLeast(value, limit, against) {
  return { value, limit, against, atLeast: true };
}

export function holds({ value, limit, atLeast: wantsMore }) {
  return wantsMore ? value >= limit : value <= limit;
}
