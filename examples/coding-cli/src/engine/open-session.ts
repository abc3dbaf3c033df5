import { randomUUID } from 'node:crypto';
import type { FileLock } from 'responses-loop-example-shared/file-lock.js';
import { loadImage } from '../attach/image-store.js';
import type { Settings } from '../config/schema.js';
import type { EventMessage } from '../protocol/events.js';
import { gitFacts } from '../rollout/git-facts.js';
import { historyOf } from '../rollout/history-events.js';
import type { Line, SessionMeta } from '../rollout/lines.js';
import { lockIfWritable } from '../rollout/lock.js';
import { pastOf } from '../rollout/past.js';
import { newPlace, type SessionPlace } from '../rollout/place.js';
import { readRollout } from '../rollout/read.js';
import { RolloutWriter } from '../rollout/write.js';
import type { ImageOf } from './history.js';
import { NO_PAST, type Past, Session } from './session.js';

export interface OpenedSession {
  readonly session: Session;
  readonly rollout: RolloutWriter;
  readonly place: SessionPlace;
  /** What was wrong with the rollout of a session that goes on. */
  readonly warnings: readonly string[];
  readonly isResumed: boolean;
  /** What it was in when it was left. */
  readonly left: Past['left'];
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

/** Nothing that was said is on disk before something was. */
export async function startSession(
  { id, place, createdAt }: ReturnType<typeof newSession>,
  { settings: { workspace }, model, onError }: OpenSessionOptions,
): Promise<OpenedSession> {
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
  const lock = await lockIfWritable(place);
  const rollout = new RolloutWriter({ path: place.rollout, meta, onError });
  const session = new Session(meta, rollout, NO_PAST, imagesIn(place));
  return {
    session,
    rollout,
    place,
    warnings: [],
    history: [],
    isResumed: false,
    left: {},
    release: releaser(rollout, lock),
  };
}

/**
 * A session that goes on: what a write did not finish is cut, and it is written to where it ends.
 *
 * @throws SessionLockedError if another process has it.
 */
export async function resumeSession(
  { place, id }: SessionToResume,
  options: OpenSessionOptions,
): Promise<OpenedSession> {
  const lock = await lockIfWritable(place);
  try {
    const { lines, problems } = readRollout(place.rollout);
    const rollout = new RolloutWriter({ path: place.rollout, onError: options.onError });
    const past = pastOf(lines);
    const session = new Session(metaOf(id, lines[0], options), rollout, past, imagesIn(place));
    const release = releaser(rollout, lock);
    return {
      session,
      rollout,
      place,
      warnings: problems,
      history: historyOf(lines),
      isResumed: true,
      left: past.left,
      release,
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function imagesIn({ images }: SessionPlace): ImageOf {
  return (image) => loadImage(images, image);
}

function releaser(rollout: RolloutWriter, lock: FileLock): () => void {
  return () => {
    rollout.close();
    lock.release();
  };
}

/** Where the first line is broken, the name of the file still says which session it is. */
function metaOf(id: string, first: Line | undefined, { settings, model }: OpenSessionOptions): SessionMeta {
  if (first?.type === 'session_meta') return first;
  const now = new Date().toISOString();
  return { type: 'session_meta', version: 1, id, created_at: now, cwd: settings.workspace, model };
}
