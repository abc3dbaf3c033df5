const HEAD = [
  'Engine',
  'Scenario',
  'Loops',
  'Kills',
  'Completed',
  'Attempts',
  'Tool runs (expected)',
  'Repeated runs',
  'Repeated writes',
  'Orphans',
  'Outcome unknown',
  'Requests (expected)',
  'Reconnects',
  'Seconds',
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
