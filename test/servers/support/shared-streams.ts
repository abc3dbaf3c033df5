import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { framed } from './wire-stream.js';

/** Recordings that lie beside the project, not in it: most are other people's, and nothing of them is kept here. */
const DATA = fileURLToPath(new URL('../../../../shared/data', import.meta.url));

export interface Recording {
  /** Path below the folder of recordings. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export const recordingsThere = existsSync(DATA);

/** Streams: raw bytes, or one JSON event per line. */
export function readStreams(): Recording[] {
  return [
    ...filesEndingIn('.sse').map((name) => ({ name, bytes: bytesOf(name) })),
    ...filesEndingIn('.chunks.txt').map((name) => ({ name, bytes: framed(readFileSync(join(DATA, name), 'utf8')) })),
  ];
}

/** Answers that were not streamed. */
export function readAnswers(): Recording[] {
  return filesEndingIn('.json')
    .filter((name) => !/\.(?:request|meta)\.json$/.test(name) && !name.startsWith('spec'))
    .map((name) => ({ name, bytes: bytesOf(name) }));
}

function filesEndingIn(end: string): string[] {
  if (!recordingsThere) return [];
  return readdirSync(DATA, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end))
    .toSorted();
}

function bytesOf(name: string): Uint8Array {
  return new Uint8Array(readFileSync(join(DATA, name)));
}
