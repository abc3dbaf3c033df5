import { z } from 'zod';
import type { Engine } from '../engine/engine.js';
import { SUBMISSION, type Submission } from '../protocol/submissions.js';
import { SessionLockedError } from '../rollout/lock.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { linesOf } from './lines.js';
import { printLocked } from './locked-events.js';
import { openEngine } from './open-engine.js';
import type { GlobalOptions, SessionChoice } from './options.js';
import { writeJson, writeJsonLine } from './say.js';
import { onStopSignals } from './signals.js';
import { onPipeClosed } from './stdout-gone.js';

export interface ProtoOptions extends GlobalOptions, SessionChoice {
  readonly schema?: boolean;
}

/** Nobody waits longer for an answer to a question. */
const APPROVAL_TIMEOUT_MS = 600_000;

/** Submissions as JSON lines on stdin, events as JSON lines on stdout. */
export async function proto(options: ProtoOptions): Promise<ExitCode> {
  if (options.schema === true) {
    writeJson((await import('../protocol/json-schema.js')).protocolSchema());
    return EXIT.done;
  }
  const { resume, last } = options;
  let engine: Engine;
  try {
    engine = await openEngine(options, { resume, last, approvalTimeoutMs: approvalTimeout(process.env) });
  } catch (error) {
    if (error instanceof SessionLockedError) printLocked(error);
    throw error;
  }
  const gone = onPipeClosed(() => void engine.close());
  const signals = onStopSignals(() => void engine.close());
  void readSubmissions(engine);
  // A question that nobody could answer; what a person or the policy denies is no failure of the session.
  let code: ExitCode = EXIT.done;
  try {
    for await (const event of engine.events) {
      const { type, data } = event.msg;
      if (type === 'approval_decision' && data.by === 'timeout') code = EXIT.denied;
      await writeJsonLine(event, gone.signal);
    }
    if (gone.signal.aborted) return EXIT.pipeClosed;
    return signals.code ?? (engine.isKept ? code : EXIT.taskFailed);
  } finally {
    signals.end();
    gone.end();
    process.stdin.destroy();
  }
}

/** At the end of stdin what was sent is worked off, then the session ends. */
async function readSubmissions(engine: Engine): Promise<void> {
  try {
    for await (const line of linesOf(process.stdin)) {
      if (line.trim() === '') continue;
      const { submission, id, problem } = parseSubmission(line);
      if (submission === undefined) engine.refuse(id, problem);
      else engine.submit(submission);
    }
  } catch {
    // It was taken away: as if it had ended.
  }
  engine.noMoreAnswers();
  await engine.whenIdle();
  await engine.close();
}

type Parsed =
  | { readonly submission: Submission; readonly id: string; readonly problem: '' }
  | { readonly submission?: undefined; readonly id: string; readonly problem: string };

export function parseSubmission(line: string): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { id: '', problem: 'A submission is one line of JSON, such as {"id":"s1","op":{"type":"interrupt"}}.' };
  }
  const { data, error } = SUBMISSION.safeParse(value);
  if (data !== undefined) return { submission: data, id: data.id, problem: '' };
  return { id: idIn(value), problem: `This is not a submission: ${z.prettifyError(error)}` };
}

/** So that who sent it knows which one is meant. */
function idIn(value: unknown): string {
  const id = (value as { id?: unknown } | null)?.id;
  return typeof id === 'string' ? id : '';
}

/** For programs that want to wait less. */
function approvalTimeout(env: NodeJS.ProcessEnv): number {
  const value = Number(env['CODER_APPROVAL_TIMEOUT_MS']);
  return Number.isSafeInteger(value) && value > 0 ? value : APPROVAL_TIMEOUT_MS;
}
