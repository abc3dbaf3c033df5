// Prints what we do differently from the stock provider and are wrong about, by cause.
//   npm run contract:open [-- cause 7]
import { LOSSES } from './conversation/losses.js';
import { OPEN_DIFFERENCES } from './differences/open.js';

interface Line {
  readonly cause: string;
  readonly what: string;
  readonly where: string;
}

const differences: readonly Line[] = OPEN_DIFFERENCES.map(({ open, what, seen }) => ({
  cause: open,
  what,
  where: [...new Set(seen.flatMap((sighting) => sighting.in))].join(', '),
}));
const losses: readonly Line[] = LOSSES.flatMap(({ what, verdict }) =>
  'open' in verdict ? [{ cause: verdict.open, what, where: 'ten turns back and forth' }] : [],
);

const asked = process.argv.slice(2).join(' ');
const lines = [...differences, ...losses].filter(({ cause }) => asked === '' || cause === asked);
const causes = [...new Set(lines.map(({ cause }) => cause))].toSorted((a, b) =>
  a.localeCompare(b, 'en', { numeric: true }),
);

for (const one of causes) {
  console.log(one);
  for (const { cause, what, where } of lines) if (cause === one) console.log(`  ${what}\n    shows in: ${where}`);
}
console.log(`\n${lines.length} open rows of ${causes.length} causes.`);
