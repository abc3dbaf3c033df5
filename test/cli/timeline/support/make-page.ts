import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildTimeline, type BuiltTimeline } from '../../../../src/cli/timeline/build-timeline.js';
import { renderPage } from '../../../../src/cli/timeline/render-page.js';
import { readEvents } from '../../../../src/node/read-events.js';

const ROOT = join(import.meta.dirname, '../../../..');
export const CLI = join(ROOT, 'dist/cli/main.js');

/** The command line as it is published, with the script of the page. */
export function buildCli(): void {
  execFileSync(process.execPath, ['.ci/build-if-stale.mjs', '--js-only'], { cwd: ROOT, stdio: 'ignore' });
}

export async function timelineOf(file: string): Promise<BuiltTimeline> {
  const chunks = (async function* () {
    yield file;
  })();
  let odd = 0;
  const lines = readEvents(chunks, { name: 'events.jsonl', onOdd: () => (odd += 1) });
  return buildTimeline(lines, { source: 'events.jsonl', odd: () => odd });
}

export async function pageOf(file: string): Promise<string> {
  const script = readFileSync(join(ROOT, 'dist/cli/timeline-page.js'), 'utf8');
  return [...renderPage(await timelineOf(file), script)].join('');
}
