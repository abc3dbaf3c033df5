import { join } from 'node:path';

const NAME = /^rollout-.+?-([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})\.jsonl$/;

/** Where the files of a session lie. */
export interface SessionPlace {
  readonly rollout: string;
  /** Held while a process works on the session. */
  readonly lock: string;
  /** What files held before they were changed. */
  readonly before: string;
  /** Whole outputs of tools. */
  readonly outputs: string;
  /** Images of messages. */
  readonly images: string;
}

export function sessionsDir(dataDir: string): string {
  return join(dataDir, 'sessions');
}

/** Of a new session. */
export function newPlace(dataDir: string, id: string, createdAt: Date): SessionPlace {
  const iso = createdAt.toISOString();
  const folder = join(sessionsDir(dataDir), ...iso.slice(0, 10).split('-'));
  return placeOf(join(folder, `rollout-${iso.replaceAll(':', '-').replace(/\.\d+Z$/, '')}-${id}.jsonl`), id);
}

export function placeOf(rollout: string, id: string): SessionPlace {
  const folder = join(rollout, '..', id);
  return {
    rollout,
    lock: `${rollout}.lock`,
    before: join(folder, 'before'),
    outputs: join(folder, 'outputs'),
    images: join(folder, 'images'),
  };
}

/** The session that a file is the rollout of. */
export function idOf(fileName: string): string | undefined {
  return NAME.exec(fileName)?.[1];
}
