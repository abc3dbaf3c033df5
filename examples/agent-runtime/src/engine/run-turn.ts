import type { TurnAttempt } from 'responses-loop-example-shared/engine/types.js';
import { responsesSessionFactory } from '../adapters/responses.js';
import { AgentError } from '../core/agent-error.js';
import { event } from '../driver/events.js';
import type { AgentAdapter } from '../types/adapter.js';
import type { DriverStreamEvent } from '../types/events.js';
import type { SessionOptions } from '../types/factory.js';
import type { AgentPersister, SessionData } from '../types/persister.js';
import type { Session, Turn } from '../types/session.js';
import { claimForTurn } from './turn-claim.js';
import type { TurnInput } from './turn-input.js';
import { TurnPersister } from './turn-persister.js';

export interface RunTurnParts {
  readonly adapter: AgentAdapter;
  readonly persister: AgentPersister;
  readonly options: SessionOptions;
}

/** A session as it was before the turn; each attempt begins there. */
interface Beginning {
  readonly session: SessionData | null;
  readonly lastSeq: number;
  /** The turn was stopped while another process edited the session. */
  readonly isStopped?: boolean;
}

/** Runs one attempt at a turn: a session of its own, which begins where the turn began, whatever was kept since. */
export async function runTurn({ adapter, persister, options }: RunTurnParts, attempt: TurnAttempt): Promise<void> {
  // What an attempt that was cut has left here.
  await adapter.release?.(attempt.stream);
  const { session: data, lastSeq, isStopped } = await attempt.step('begin', () => readBeginning(persister, attempt));
  if (isStopped === true) return emitStop(attempt);
  if (data === null) throw new AgentError('session_deleted', `Session ${attempt.stream} was deleted.`);
  const rows = await persister.getMessages(attempt.stream);
  const turnPersister = new TurnPersister({
    ...{ attempt, persister, lastSeq },
    kept: rows.filter(({ seq }) => seq > lastSeq),
  });
  const { id, usage, owner: _owner, heartbeat: _heartbeat, messageCount: _count, ...metadata } = data;
  const before = rows.filter(({ seq }) => seq <= lastSeq);
  const session = responsesSessionFactory.createSession(
    ...([id, metadata, adapter, ofAttempt(options, attempt), turnPersister, before, usage] as const),
  );
  let last: DriverStreamEvent | undefined;
  try {
    last = await follow(attempt, session, begin(session, attempt.input as TurnInput));
    await session.flush?.();
  } finally {
    await adapter.release?.(id);
  }
  // Whoever reads it finds all that was said, and may begin the next turn.
  if (last !== undefined) attempt.emit(last);
}

/** Whether a session has become long is asked once: what follows from it is the same in each attempt. */
function ofAttempt({ isLong, ...options }: SessionOptions, attempt: TurnAttempt): SessionOptions {
  if (isLong === undefined) return options;
  return { ...options, isLong: (tokens, model) => attempt.step('is long', () => isLong(tokens, model)) };
}

async function readBeginning(persister: AgentPersister, attempt: TurnAttempt): Promise<Beginning> {
  if (!(await claimForTurn(persister, attempt))) return { session: null, lastSeq: 0, isStopped: true };
  const id = attempt.stream;
  const [session, rows] = [await persister.getSession(id), await persister.getMessages(id)];
  return { session, lastSeq: rows.at(-1)?.seq ?? 0 };
}

function emitStop(attempt: TurnAttempt): void {
  attempt.emit(event('message_start', { messageId: attempt.id, model: '', sessionId: attempt.stream }));
  attempt.emit(event('interrupted', { reason: 'user' }));
}

function begin(session: Session, input: TurnInput): Turn {
  return 'content' in input ? session.send(input.content, input.options) : session.answer(input.answers, input.options);
}

/** Hands over every event but the last one, which it returns. */
async function follow(attempt: TurnAttempt, session: Session, turn: Turn): Promise<DriverStreamEvent | undefined> {
  let last: DriverStreamEvent | undefined;
  const stop = (): void => {
    const stopping = attempt.stopped() === 'aborted' ? session.abort() : session.interrupt();
    stopping.catch(() => {});
  };
  if (attempt.signal.aborted) stop();
  else attempt.signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const said of turn) {
      if (said.type === 'message_stop' || said.type === 'interrupted') last = said;
      else attempt.emit(said);
    }
    await turn;
    return last;
  } finally {
    attempt.signal.removeEventListener('abort', stop);
  }
}
