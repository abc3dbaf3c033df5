import type { AdapterOptions } from '../types/adapter.js';
import type { ApprovalAnswer, ApprovalQuestion } from '../types/approvals.js';
import type { SendOptions } from '../types/driver.js';
import type { AdapterMessage, ContentBlock, StoredMessage, TokenUsage, UserMessage } from '../types/messages.js';
import type { AgentPersister } from '../types/persister.js';
import type { Session, SessionCall, SessionState, Turn } from '../types/session.js';
import { AgentError } from './agent-error.js';
import { readContent } from './content.js';
import { answerRows, pendingApprovals } from './approvals.js';
import { cutOffRows } from './cut-off.js';
import { interruptedResult, openCalls } from './open-calls.js';
import { hearAnswers, hearWords, type Prompting } from './prompting.js';
import { SessionClaimer } from './session-claim.js';
import { SessionFacts } from './session-facts.js';
import type { SessionParts } from './session-parts.js';
import { sessionBusy, transition } from './states.js';
import { Transcript } from './transcript.js';
import { TurnRun } from './turn-run.js';
import { TurnStream } from './turn-stream.js';
import { WriteQueue } from './write-queue.js';

/** How long the end of a turn waits for its rows to be written; a slow disk must not stop the talk. */
const SETTLE_MS = 1000;

/**
 * The states of a session, the order of its rows and when they are written. A kind of session says only how a message is
 * answered.
 */
export abstract class BaseSession implements Session {
  readonly id: string;
  readonly #facts: SessionFacts;
  readonly #persister: AgentPersister | undefined;
  readonly #transcript: Transcript;
  readonly #queue: WriteQueue;
  readonly #claimer: SessionClaimer;
  #state: SessionState;
  #run: TurnRun | undefined;
  #agentSessionId: string | null = null;
  /** What runs now, or ran last; never rejects. */
  #work: Promise<void> = Promise.resolve();

  constructor(parts: SessionParts) {
    const { id, metadata, options, persister } = parts;
    this.id = id;
    this.#persister = persister;
    this.#transcript = new Transcript(parts.messages ?? []);
    for (const row of this.#transcript.messages) this.#readSessionId(row);
    // Whether another process is in a turn of it is asked when it matters.
    this.#state = metadata.state === 'active' ? 'idle' : metadata.state;
    this.#facts = new SessionFacts(id, metadata, this.#state, parts.usage);
    this.#queue = new WriteQueue({
      sessionId: id,
      persister,
      onPersistError: options.onPersistError,
      onWarning: options.onWarning,
      session: () => this.#facts.data(),
      onDeleted: () => this.#wasDeleted(),
    });
    this.#claimer = new SessionClaimer({
      ...{ id, persister, facts: this.#facts, transcript: this.#transcript, queue: this.#queue },
      onPersistError: options.onPersistError,
      onNews: (rows) => rows.forEach((row) => this.#readSessionId(row)),
      onCutOff: () => cutOffRows(this.#transcript.messages).forEach((row) => this.#append(row)),
    });
  }

  /** Answers a message: yields each finished row, and gives every event to `onEvent`. */
  protected abstract ask(prompt: UserMessage, options: AdapterOptions): AsyncGenerator<AdapterMessage>;
  /** The session takes no more messages. */
  protected abstract release(): Promise<void>;

  /** Changes a row of an answer before it is kept; `undefined` leaves it out. Default: kept as it is. */
  protected transformMessage(message: AdapterMessage): AdapterMessage | undefined {
    return message;
  }

  /** Finds in a row the id that the driver's own program has for this talk. The last one is given to `ask()`. */
  protected extractSessionId(message: AdapterMessage): string | undefined {
    return message.metadata?.kind === 'agent_session' ? message.content : undefined;
  }

  get state(): SessionState {
    return this.#state;
  }

  get summary(): string | null {
    return this.#facts.summary;
  }

  get createdAt(): string {
    return this.#facts.createdAt;
  }

  get lastActivity(): string {
    return this.#facts.lastActivity;
  }

  get model(): string | null {
    return this.#facts.model;
  }

  get agentSessionId(): string | null {
    return this.#agentSessionId;
  }

  get currentTurn(): Turn | null {
    return this.#run?.turn ?? null;
  }

  getMessages(): readonly StoredMessage[] {
    return this.#transcript.messages;
  }

  getTokenUsage(): TokenUsage {
    return this.#facts.usage;
  }

  subscribe(listener: (message: StoredMessage) => void): () => void {
    return this.#transcript.subscribe(listener);
  }

  async refresh(): Promise<void> {
    const persister = this.#persister;
    if (persister === undefined || this.#run !== undefined || this.#state === 'deleted') return;
    const data = await persister.getSession(this.id);
    // A turn may have begun meanwhile; it reads for itself.
    if (this.#run !== undefined) return;
    if (data === null) this.#wasDeleted();
    else if (data.state === 'completed' || data.state === 'aborted') this.#state = data.state;
    await this.#claimer.readNews();
  }

  flush(): Promise<void> {
    return this.#queue.flush();
  }

  send(content: string | readonly ContentBlock[], options: SendOptions = {}): Turn {
    return this.#begin(options, () => {
      const words = readContent(content);
      return () => hearWords(this.#transcript, this.#facts, this.#append, words);
    });
  }

  getApprovals(): readonly ApprovalQuestion[] {
    return pendingApprovals(this.#transcript.messages);
  }

  answer(answers: readonly ApprovalAnswer[], options: SendOptions = {}): Turn {
    return this.#begin(options, () => {
      answerRows(this.#transcript.messages, answers);
      return () => hearAnswers(this.#transcript, this.#append, answers);
    });
  }

  /** Starts a turn. `read` throws what is wrong before anything happens, and gives the step that writes it down. */
  #begin(options: SendOptions, read: () => Prompting): Turn {
    const turn = new TurnStream(this.id);
    try {
      const prompting = read();
      transition(this.id, this.#state, 'send');
      this.#run = new TurnRun(turn, options.signal);
      this.#work = this.#takeTurn(this.#run, prompting, options, this.#state);
    } catch (error) {
      turn.fail(error);
    }
    return turn;
  }

  async interrupt(): Promise<void> {
    if (transition(this.id, this.#state, 'interrupt') === 'no-op') return;
    this.#run?.stop('idle');
    await this.#work;
  }

  async abort(): Promise<void> {
    await this.#close('abort', 'aborted');
  }

  async complete(): Promise<void> {
    await this.#close('complete', 'completed');
  }

  async delete(): Promise<void> {
    if (transition(this.id, this.#state, 'delete') === 'no-op') return;
    this.#run?.stop('deleted');
    await this.#work;
    const before = this.#state;
    this.#wasDeleted();
    try {
      await this.#persister?.deleteSession(this.id);
    } catch (error) {
      this.#state = before === 'active' ? 'idle' : before;
      throw new AgentError('persist_failed', `Session ${this.id} could not be deleted.`, { cause: error });
    }
    await this.release();
  }

  async #close(call: SessionCall, to: 'aborted' | 'completed'): Promise<void> {
    if (transition(this.id, this.#state, call) === 'no-op') return;
    if (this.#run !== undefined) {
      this.#run.stop(to);
      await this.#work;
      return;
    }
    const before = this.#state;
    this.#state = to;
    const found = await this.#claim();
    if (found === 'claimed') {
      this.#keep(to);
      await this.#queue.settled(SETTLE_MS);
      await this.release();
      return;
    }
    if (found === 'active') this.#state = before;
    if (transition(this.id, found, call) !== 'no-op') throw sessionBusy(this.id);
  }

  async #takeTurn(run: TurnRun, prompting: Prompting, options: SendOptions, before: SessionState): Promise<void> {
    this.#state = 'active';
    try {
      const found = await this.#claim();
      if (found === 'claimed') {
        await this.#finishTurn(run, prompting, options);
        return;
      }
      transition(this.id, found, 'send');
    } catch (error) {
      if (this.#state === 'active') this.#state = before;
      this.#run = undefined;
      run.turn.fail(error);
    }
  }

  async #finishTurn(run: TurnRun, prompting: Prompting, options: SendOptions): Promise<void> {
    await run.answer(() => this.#ask(run, prompting, options));
    for (const call of openCalls(this.#transcript.messages)) this.#append(interruptedResult(call));
    this.#facts.count(run.usage);
    // A session that is to be deleted is deleted by the one that asked.
    const to = run.endsIn === 'deleted' ? 'idle' : run.endsIn;
    this.#keep(to);
    await this.#queue.settled(SETTLE_MS);
    if (this.#state === 'active') this.#state = to;
    this.#run = undefined;
    if (to === 'aborted') await this.release().catch(() => {});
    run.finish();
  }

  /** Hands over every row of the answer. */
  async #ask(run: TurnRun, prompting: Prompting, options: SendOptions): Promise<void> {
    const prompt = prompting();
    if (prompt === undefined) return run.waitForApproval();
    const { signal: _signal, model = this.#facts.model ?? undefined, ...asked } = options;
    const rows = this.ask(prompt.message, {
      ...{ ...asked, model, sessionId: this.id, history: prompt.history, signal: run.signal },
      agentSessionId: this.#agentSessionId ?? undefined,
      onEvent: (event) => run.take(event),
    });
    await run.drain(rows, (message) => this.#take(message));
  }

  #take(message: AdapterMessage): void {
    this.#readSessionId(message);
    const kept = this.transformMessage(message);
    if (kept !== undefined) this.#append(kept);
  }

  #readSessionId(message: AdapterMessage): void {
    this.#agentSessionId = this.extractSessionId(message) ?? this.#agentSessionId;
  }

  readonly #append = (message: AdapterMessage, turn = this.#transcript.lastTurn): StoredMessage => {
    const row = this.#transcript.append(message, turn, crypto.randomUUID());
    this.#queue.addMessage(row);
    return row;
  };

  #keep(state: SessionState): void {
    this.#facts.enter(state);
    this.#queue.addSession();
  }

  async #claim(): Promise<'claimed' | SessionState> {
    const found = await this.#claimer.claim();
    if (found === 'deleted') this.#wasDeleted();
    else if (found === 'completed' || found === 'aborted') this.#state = found;
    return found;
  }

  #wasDeleted(): void {
    this.#state = 'deleted';
    this.#queue.drop();
    this.#run?.stop('deleted');
  }
}
