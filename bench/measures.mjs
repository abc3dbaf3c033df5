/** All that is measured, in the order of the table; each is a file in `measures` and runs in a process of its own. */
export const MEASURES = [
  'text-deltas',
  'argument-deltas',
  'first-text',
  'long-loop',
  'parallel-tools',
  'tool-search',
  'retained-heap',
  'concurrent-calls',
  'sockets',
  'observer',
  'import-time',
  'size',
];
