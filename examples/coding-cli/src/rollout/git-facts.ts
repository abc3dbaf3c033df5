import { join } from 'node:path';
import { readWithin } from '../config/read-within.js';
import type { SessionMeta } from './lines.js';

/** Longer than any name of a branch. */
const MAX_BYTES = 4096;

/** Where the repository stands, read without starting git: its config may name programs. */
export function gitFacts(workspace: string): SessionMeta['git'] {
  const read = (path: string): string | undefined =>
    readWithin(join(workspace, '.git', path), workspace, MAX_BYTES)
      ?.toString()
      .trim();
  const head = read('HEAD');
  if (head === undefined) return undefined;
  const [, ref] = /^ref: (refs\/[\w./-]+)$/.exec(head) ?? [];
  if (ref === undefined) return /^[\da-f]{40}$/.test(head) ? { commit: head } : undefined;
  const commit = ref.includes('..') ? undefined : read(ref);
  return {
    branch: ref.replace(/^refs\/heads\//, ''),
    ...(commit !== undefined && /^[\da-f]{40}$/.test(commit) ? { commit } : {}),
  };
}
