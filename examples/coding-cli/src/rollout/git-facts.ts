import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionMeta } from './lines.js';

/** Where the repository stands, read without starting git: its config may name programs. */
export function gitFacts(workspace: string): SessionMeta['git'] {
  const head = read(join(workspace, '.git', 'HEAD'));
  if (head === undefined) return undefined;
  const [, ref] = /^ref: (refs\/[\w./-]+)$/.exec(head) ?? [];
  if (ref === undefined) return /^[\da-f]{40}$/.test(head) ? { commit: head } : undefined;
  const commit = ref.includes('..') ? undefined : read(join(workspace, '.git', ref));
  return {
    branch: ref.replace(/^refs\/heads\//, ''),
    ...(commit !== undefined && /^[\da-f]{40}$/.test(commit) ? { commit } : {}),
  };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}
