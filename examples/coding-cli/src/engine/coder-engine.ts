import type { Attachment } from '../attach/attachment.js';
import type { CoderEvent } from '../protocol/events.js';
import type { ElicitationAnswer, ExecApproval, PlanApproval, Submission } from '../protocol/submissions.js';
import { summarise, throughTurn } from './compact.js';
import { describeError } from './describe-error.js';
import type { Engine, EngineView, SessionFacts } from './engine.js';
import { toMessages } from './history.js';
import type { Emit } from './hub.js';
import { LIMITS } from './limits.js';
import { Inbox, type Waiting } from './inbox.js';
import { TALKS, Task, type TaskOp, typedText } from './task.js';
import { runTurn } from './turn.js';
import { runOwnCommand } from './own-command.js';
import { undoSince, undoTurn } from './undo.js';
import { sumUsage } from './usage.js';
import { Sources } from '../web-search/sources.js';
import type { EngineParts } from './engine-parts.js';

/** Two queues: what has to be worked on waits in one, what stops or answers overtakes it. */
export class CoderEngine implements Engine {
  readonly session: SessionFacts;
  readonly view: EngineView;
  readonly #parts: EngineParts;
  readonly #inbox = new Inbox();
  #work: Promise<void> = Promise.resolve();
  #isWorking = false;
  #closing: Promise<void> | undefined;

  constructor(parts: EngineParts) {
    this.session = parts.facts;
    this.view = parts.view;
    this.#parts = parts;
    parts.hub.takeSteered = () => this.#takeSteered();
  }

  get events(): AsyncIterable<CoderEvent> {
    return this.#parts.hub.events;
  }

  get isKept(): boolean {
    return this.#parts.isKept();
  }

  submit({ id, op }: Submission): void {
    if (this.#closing !== undefined) return this.refuse(id, 'The session is being closed.');
    switch (op.type) {
      case 'interrupt':
        return this.#task?.abort('user');
      case 'exec_approval':
        return this.#answer(id, op);
      case 'plan_approval':
        return this.#answerPlan(id, op);
      case 'elicitation_answer':
        return void this.#answerServer(id, op);
      case 'set_mode':
        return this.#parts.modes.change(id, op, 'user');
      case 'withdraw':
        return this.#withdraw(id, op.submission_id);
      case 'shutdown':
        return void this.#shutDown(id);
      default:
        return this.#enqueue({ id, op });
    }
  }

  noMoreAnswers(): void {
    this.#parts.approvals.close();
    this.#parts.plans.close();
    this.#parts.elicitations.close();
  }

  async whenIdle(): Promise<void> {
    while (this.#isWorking) await this.#work;
  }

  close(): Promise<void> {
    return this.#shutDown('');
  }

  get #task(): Task | undefined {
    return this.#parts.hub.task;
  }

  #answer(id: string, op: ExecApproval): void {
    if (!this.#parts.approvals.answer(id, op)) this.refuse(id, `No question about a call ${op.call_id} is open.`);
  }

  #answerPlan(id: string, op: PlanApproval): void {
    if (!this.#parts.plans.answer(id, op)) this.refuse(id, `No question about a plan ${op.call_id} is open.`);
  }

  async #answerServer(id: string, op: ElicitationAnswer): Promise<void> {
    const problem = await this.#parts.elicitations.answer(id, op);
    if (problem !== undefined) this.refuse(id, problem);
  }

  #enqueue(waiting: Waiting): void {
    if (this.#inbox.size >= LIMITS.waitingInputs) {
      return this.refuse(waiting.id, `${LIMITS.waitingInputs} submissions wait already; send it again later.`);
    }
    this.#inbox.add(waiting);
    if (!this.#isWorking) this.#work = this.#workOff();
  }

  /** Takes what the model should hear before its next round. */
  #takeSteered(): readonly string[] {
    const taken = this.#inbox.takeSteered();
    for (const { id, text } of taken) this.#emit(id, 'user_message', { text, steered: true });
    return taken.map(({ text }) => text);
  }

  #withdraw(id: string, submissionId: string): void {
    const taken = this.#inbox.withdraw(submissionId);
    if (taken === undefined) return this.refuse(id, 'It has already begun, so it cannot be undone.');
    this.#emit(id, 'input_withdrawn', { submission_id: submissionId, text: typedText(taken.op) });
  }

  refuse(id: string, message: string): void {
    this.#emit(id, 'error', { code: 'bad_submission', message, retryable: false });
  }

  async #workOff(): Promise<void> {
    this.#isWorking = true;
    for (let next = this.#inbox.next(); next !== undefined; next = this.#inbox.next()) {
      const task = new Task(next.id, next.op);
      this.#parts.hub.task = task;
      this.#emit(task.id, 'task_started', {});
      await this.#run(task).catch((error: unknown) => task.end('error', describeError(error)));
      if (task.signal.aborted) await this.#parts.terminals.endAll();
      this.#parts.hub.task = undefined;
      this.#finish(task);
    }
    this.#isWorking = false;
  }

  #run(task: Task): Promise<void> {
    switch (task.op.type) {
      case 'user_input':
        return this.#talkWith(task, task.op);
      case 'run_command':
        return this.#runCommand(task, task.op);
      case 'user_command':
        return runOwnCommand(task, task.op.command, { ...this.#parts, emit: this.#emit });
      case 'compact':
        return this.#compact(task);
      case 'undo':
        return this.#undo(task, task.op.from_turn);
    }
  }

  async #runCommand(
    task: Task,
    { name, arguments: given = '' }: Extract<TaskOp, { type: 'run_command' }>,
  ): Promise<void> {
    const text = await this.#parts.commands.textFor(task, name, given);
    if (typeof text === 'string') return this.#talk(task, text);
    if (!task.signal.aborted) task.end('error', { code: 'bad_submission', message: text.problem, retryable: false });
    if (task.error !== undefined) this.#emit(task.id, 'error', task.error);
  }

  /** Nothing is said if what the message brings along cannot be read. */
  async #talkWith(task: Task, op: Extract<TaskOp, { type: 'user_input' }>): Promise<void> {
    try {
      await this.#talk(task, op.text, await this.#parts.attach(op));
    } catch (error) {
      task.end('error', { code: 'bad_submission', message: describeError(error).message, retryable: false });
      this.#emit(task.id, 'error', task.error ?? describeError(error));
    }
  }

  async #talk(task: Task, text: string, attached: readonly Attachment[] = []): Promise<void> {
    const { session, opened, system, modes, toolEvents, answer, sdkTools } = this.#parts;
    const turn = session.startTurn(text, { mode: modes.mode, attached });
    this.#emit(task.id, 'user_message', { text });
    const [emit, sources] = [this.#emit, new Sources()];
    try {
      await runTurn({
        task,
        opened,
        maxLoopChars: this.#parts.contextWindow.maxLoopChars,
        system,
        messages: await session.messages(),
        sdkTools: await sdkTools?.(),
        hosted: this.#parts.hosted,
        outputSchema: answer?.schema,
        listener: {
          onDelta: (kind, delta) =>
            emit(task.id, kind === 'text' ? 'agent_message_delta' : 'agent_reasoning_delta', { text: delta }),
          onText: (kind, whole) => {
            if (kind === 'text') task.lastMessage = whole;
            emit(task.id, kind === 'text' ? 'agent_message' : 'agent_reasoning', { text: whole });
          },
          onSource: (source) => sources.add(source),
          onPart: (part) => {
            session.addPart(turn, part);
            toolEvents.addPart(task, part);
          },
        },
        onWarning: (code, message) => emit(task.id, 'warning', { code, message }),
      });
      const problem = task.reason === undefined ? answer?.problemOf(task.lastMessage) : undefined;
      if (problem !== undefined) task.end('error', { code: 'model_error', message: problem, retryable: false });
    } catch (error) {
      task.end('error', describeError(error));
    }
    toolEvents.end(task);
    if (sources.all.length > 0) emit(task.id, 'sources', { sources: sources.all });
    this.#count(task);
    session.keepSize(task.contextTokens);
    if (task.error !== undefined) this.#emit(task.id, 'error', task.error);
    session.endTurn(turn, task.reason ?? 'complete', task.usage);
    if (await this.#isLong(task)) await this.#compact(task);
  }

  /** The last round sent the whole conversation. */
  async #isLong(task: Task): Promise<boolean> {
    if (task.signal.aborted) return false;
    if (task.error?.code === 'context_too_long') return true;
    return this.#through(LIMITS.keptTurns) !== undefined && this.#parts.contextWindow.isFull(task.contextTokens);
  }

  #through(kept: number): number | undefined {
    const { turns, summary } = this.#parts.session;
    return throughTurn(turns, { summarised: summary?.throughTurn, kept });
  }

  async #compact(task: Task): Promise<void> {
    const { session, opened, system } = this.#parts;
    // What a server has refused does not fit with the last turns in it.
    const kept = task.error?.code === 'context_too_long' ? 0 : LIMITS.keptTurns;
    const through = this.#through(kept);
    if (through === undefined) {
      task.lastMessage = `Nothing to compact: the last ${kept} turns are always kept.`;
      return;
    }
    const before = session.contextTokens;
    this.#emit(task.id, 'compaction_started', { tokens: before, by: task.op.type === 'compact' ? 'user' : 'limit' });
    const old = session.turns.filter(({ number }) => number <= through);
    try {
      const messages = await toMessages(old, session.summary);
      const text = await summarise({ opened, system, messages, task });
      this.#count(task);
      session.compact({ throughTurn: through, text });
      this.#emit(task.id, 'compaction_complete', { before_tokens: before, kept_turns: kept });
      if (task.op.type === 'compact') task.lastMessage = `A summary and the last ${kept} turns go on.`;
    } catch (error) {
      if (task.signal.aborted) return;
      if (task.op.type === 'compact') throw error;
      // The answer stands; only what comes next may be too long.
      this.#emit(task.id, 'warning', { code: 'compaction_failed', message: describeError(error).message });
    }
  }

  async #undo(task: Task, from?: number): Promise<void> {
    const { session, checkpoints } = this.#parts;
    const { message, skipped } =
      from === undefined ? await undoTurn(session, checkpoints) : await undoSince(session, checkpoints, from);
    for (const { path, reason } of skipped) {
      this.#emit(task.id, 'warning', { code: 'undo_skipped', message: `${path}: ${reason}` });
    }
    task.lastMessage = message;
  }

  #count(task: Task): void {
    const { session } = this.#parts;
    session.addUsage(sumUsage(task.takeUncounted()));
    this.#emit(task.id, 'token_count', { ...task.usage, rounds: [...task.rounds], session: session.usage });
  }

  #finish(task: Task): void {
    task.isOver = true;
    const { reason, lastMessage, denials, error, op } = task;
    // A turn has said its own before it was written down as over.
    if (error !== undefined && !TALKS.has(op.type)) this.#emit(task.id, 'error', error);
    if (reason !== undefined) this.#emit(task.id, 'turn_aborted', { reason });
    else this.#emit(task.id, 'task_complete', { last_agent_message: lastMessage, denials });
  }

  #shutDown(id: string): Promise<void> {
    this.#closing ??= this.#close(id);
    return this.#closing;
  }

  async #close(id: string): Promise<void> {
    this.#inbox.clear();
    this.#task?.abort('shutdown');
    await this.#work;
    await this.#parts.openTools.whenIdle(LIMITS.toolGraceMs);
    await this.#parts.release();
    this.#emit(id, 'shutdown_complete', {});
    this.#parts.hub.events.end();
  }

  get #emit(): Emit {
    return this.#parts.hub.emit;
  }
}
