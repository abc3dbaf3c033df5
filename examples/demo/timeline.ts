import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { type EventRecorder, recordEvents } from 'responses-loop/node';

export interface Timeline {
  readonly events: string;
  readonly record: EventRecorder;
}

/** Keeps what happens in a folder that stays, for whoever wants to look at it afterwards. */
export function createTimeline(): Timeline {
  const events = join(mkdtempSync(join(tmpdir(), 'responses-loop-timeline-')), 'demo.jsonl');
  return { events, record: recordEvents(events) };
}

/** `npx responses-loop timeline`, as it is installed. Says where the page is, or why there is none. */
export async function makePage({ events }: Timeline): Promise<string> {
  const page = join(dirname(events), 'demo.html');
  const manifest = createRequire(import.meta.url).resolve('responses-loop/package.json');
  const cli = join(dirname(manifest), 'dist/cli/main.js');
  try {
    await promisify(execFile)(process.execPath, [cli, 'timeline', events, '-o', page]);
    return page;
  } catch (error) {
    return `no page: ${error instanceof Error ? error.message : String(error)}`;
  }
}
