import { randomUUID } from 'node:crypto';
import { truncateSync } from 'node:fs';
import type { Settings } from '../config/schema.js';
import type { EventMessage } from '../protocol/events.js';
import { gitFacts } from '../rollout/git-facts.js';
import { historyOf } from '../rollout/history-events.js';
import type { Line, SessionMeta } from '../rollout/lines.js';
import { lockSession, SessionLockedError } from '../rollout/lock.js';
import { pastOf } from '../rollout/past.js';
import { newPlace, type SessionPlace } from '../rollout/place.js';
import { readRollout } from '../rollout/read.js';
import { RolloutWriter } from '../rollout/write.js';
import { NO_PAST, Session } from './session.js';

export interface OpenedSession {
  readonly session: Session;
  readonly rollout: RolloutWriter;
  readonly place: SessionPlace;
  /** What was wrong with the rollout of a session that goes on. */
  readonly warnings: readonly string[];
  readonly isResumed: boolean;
  /** What was said and done before. */
  readonly history: readonly EventMessage[];
  readonly release: () => void;
}

export interface SessionToResume {
  readonly id: string;
  readonly place: SessionPlace;
}

export interface OpenSessionOptions {
  readonly settings: Settings;
  readonly model: string;
  readonly onError: (error: Error) => void;
}

/** A session that is not there yet. */
export function newSession(dataDir: string): SessionToResume & { readonly createdAt: Date } {
  const id = randomUUID();
  const createdAt = new Date();
  return { id, createdAt, place: newPlace(dataDir, id, createdAt) };
}

/** Nothing of it is on disk before something was said. */
export function startSession(
  { id, place, createdAt }: ReturnType<typeof newSession>,
  { settings: { workspace }, model, onError }: OpenSessionOptions,
): OpenedSession {
  const git = gitFacts(workspace);
  const meta: SessionMeta = {
    type: 'session_meta',
    version: 1,
    id,
    created_at: createdAt.toISOString(),
    cwd: workspace,
    model,
    ...(git === undefined ? {} : { git }),
  };
  let unlock = (): void => {};
  const onOpen = (): void => void (unlock = lockSession(place.lock));
  const rollout = new RolloutWriter({ path: place.rollout, meta, onOpen, onError });
  const release = (): void => {
    rollout.close();
    unlock();
  };
  return {
    session: new Session(meta, rollout, NO_PAST),
    rollout,
    place,
    warnings: [],
    isResumed: false,
    history: [],
    release,
  };
}

/**
 * A session that goes on: what a write did not finish is cut, and it is written to where it ends.
 *
 * @throws SessionLockedError if another process has it.
 */
export function resumeSession(resume: SessionToResume, options: OpenSessionOptions): OpenedSession {
  const { place, id } = resume;
  const unlock = lockIfWritable(place);
  try {
    const { lines, problems, wholeBytes, tornBytes } = readRollout(place.rollout);
    const warnings = problems.map(({ line, message }) => `${place.rollout}: line ${line} ${message} and is skipped.`);
    if (tornBytes > 0) {
      warnings.push(`${place.rollout}: the last line was not written to its end; ${tornBytes} bytes are cut off.`);
      cut(place.rollout, wholeBytes, options.onError);
    }
    const rollout = new RolloutWriter({ path: place.rollout, onError: options.onError });
    const session = new Session(metaOf(id, lines[0], options), rollout, pastOf(lines));
    const release = (): void => {
      rollout.close();
      unlock();
    };
    return { session, rollout, place, warnings, isResumed: true, history: historyOf(lines), release };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Where nothing can be written there is nothing to lock: the first line that is written will say so. */
function lockIfWritable({ lock }: SessionPlace): () => void {
  try {
    return lockSession(lock);
  } catch (error) {
    if (error instanceof SessionLockedError) throw error;
    return () => {};
  }
}

function cut(path: string, bytes: number, onError: (error: Error) => void): void {
  try {
    truncateSync(path, bytes);
  } catch (error) {
    onError(error as Error);
  }
}

/** Where the first line is broken, the name of the file still says which session it is. */
function metaOf(id: string, first: Line | undefined, { settings, model }: OpenSessionOptions): SessionMeta {
  if (first?.type === 'session_meta') return first;
  const now = new Date().toISOString();
  return { type: 'session_meta', version: 1, id, created_at: now, cwd: settings.workspace, model };
}
