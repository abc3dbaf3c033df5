const HEAD = [
  'engine',
  'what happens',
  'loops',
  'kills',
  'ended well',
  'attempts',
  'runs (of)',
  'second runs',
  'writes twice',
  'orphans',
  'told unknown',
  'requests (of)',
  'reconnects',
  's',
];

export function printTable(rows) {
  const lines = rows.map((row) => [
    row.engine,
    row.what,
    row.loops,
    row.kills,
    row.finished,
    row.attempts,
    `${row.runs} (${row.expected.runs})`,
    row.second,
    row.writes,
    row.orphans,
    row.unknown,
    `${row.requests} (${row.expected.requests})`,
    row.lost ?? '–',
    row.seconds.toFixed(1),
  ]);
  return [HEAD, HEAD.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
