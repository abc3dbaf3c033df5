// Draws the pictures of the documentation anew: npm run pictures
import { statSync } from 'node:fs';
import { drawDemo } from './demo.js';
import { drawTimeline } from './timeline.js';

const MAX_BYTES = 150_000;

for (const draw of [drawDemo, drawTimeline]) {
  const file = await draw();
  if (file === undefined) continue;
  const { size } = statSync(file);
  console.log(`${file}: ${size} bytes`);
  if (size > MAX_BYTES)
    throw new Error(`${file} is too large for a page: ${size} bytes, and ${MAX_BYTES} are allowed.`);
}
// A pseudo terminal that has ended holds the process for a while.
process.exit();
