import type { AdapterOptions } from '../types/adapter.js';
import type { ApprovalAnswer, ApprovalQuestion } from '../types/approvals.js';
import type { MessageOptions, SendOptions } from '../types/driver.js';
import type { SessionOptions } from '../types/factory.js';
import type { AdapterMessage, ContentBlock, StoredMessage, TokenUsage, UserMessage } from '../types/messages.js';
import type { Compaction, Session, SessionCall, SessionState, Turn } from '../types/session.js';
import { readContent } from './content.js';
import { rowsUpTo } from './as-read.js';
import { shorten, type Shortening, shortenIfLong, takeBack } from './compaction.js';
import { answerRows, pendingApprovals } from './approvals.js';
import { checkMessageId } from './message-id.js';
import { outputOf, schemaOf } from './outputs.js';
import { hearAnswers, hearWords, type Prompting } from './prompting.js';
import type { SessionParts } from './session-parts.js';
import { SessionRecord } from './session-record.js';
import { sessionBusy, transition } from './states.js';
import { TurnRun, type Work } from './turn-run.js';
import { TurnStream } from './turn-stream.js';

/**
 * The states of a session, the order of its rows and when they are written. A kind of session says only how a message is
 * answered.
 */
export abstract class BaseSession implements Session {
  readonly id: string;
  readonly #record: SessionRecord;
  readonly #options: SessionOptions;
  #state: SessionState;
  #run: TurnRun | undefined;
  /** What runs now, or ran last; never rejects. */
  #work: Promise<void> = Promise.resolve();

  constructor(parts: SessionParts) {
    this.id = parts.id;
    this.#options = parts.options;
    this.#record = new SessionRecord(parts, {
      extractSessionId: (row) => this.extractSessionId(row),
      onDeleted: () => this.#wasDeleted(),
      onLost: (error) => this.#run?.fail(error),
    });
    this.#state = this.#record.facts.keptState;
  }

  /** Answers a message: yields each finished row, and gives every event to `onEvent`. */
  protected abstract ask(prompt: UserMessage, options: AdapterOptions): AsyncGenerator<AdapterMessage>;
  /** The session takes no more messages, or not soon. */
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
    return this.#record.facts.summary;
  }

  get createdAt(): string {
    return this.#record.facts.createdAt;
  }

  get lastActivity(): string {
    return this.#record.facts.lastActivity;
  }

  get model(): string | null {
    return this.#record.facts.model;
  }

  get agentSessionId(): string | null {
    return this.#record.agentSessionId;
  }

  get currentTurn(): Turn | null {
    return this.#run?.turn ?? null;
  }

  getMessages(latest?: number): readonly StoredMessage[] {
    return this.#record.transcript.latest(latest);
  }

  getTokenUsage(): TokenUsage {
    return this.#record.facts.usage;
  }

  subscribe(listener: (message: StoredMessage) => void): () => void {
    return this.#record.transcript.subscribe(listener);
  }

  async refresh(): Promise<void> {
    if (this.#run !== undefined || this.#state === 'deleted') return;
    const found = await this.#record.stateElsewhere();
    // A turn may have begun meanwhile; it reads for itself.
    if (this.#run !== undefined) return;
    this.#meet(found);
    await this.#record.readNews();
  }

  flush(): Promise<void> {
    return this.#record.flush();
  }

  letGo(): boolean {
    if (this.#run !== undefined || !this.#record.isAtRest) return false;
    this.release().catch(() => {});
    return true;
  }

  send(content: string | readonly ContentBlock[], { id, ...options }: MessageOptions = {}): Turn {
    return this.#begin(options.signal, () => {
      const words = readContent(content);
      checkMessageId(id, this.#record.transcript.messages);
      return this.#answering(options, () => hearWords(this.#record, words, { schema: options.schema, id }));
    });
  }

  getOutput(turn?: number): unknown {
    return outputOf(this.#record.transcript.held, turn);
  }

  getApprovals(): readonly ApprovalQuestion[] {
    return pendingApprovals(this.#record.transcript.held);
  }

  answer(answers: readonly ApprovalAnswer[], options: SendOptions = {}): Turn {
    return this.#begin(options.signal, () => {
      answerRows(this.#record.transcript.held, answers);
      return this.#answering(options, () => hearAnswers(this.#record, answers));
    });
  }

  compact({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<Compaction | null> {
    return this.#alone(signal, (run) => shorten(this.#shortening(run, 'user')));
  }

  pop(): Promise<readonly StoredMessage[]> {
    return this.#alone(undefined, async () => takeBack(this.id, this.#record));
  }

  async snapshot(turn?: number): Promise<readonly StoredMessage[]> {
    const step = async (): Promise<readonly StoredMessage[]> => rowsUpTo(this.#record.transcript.messages, turn);
    await this.refresh();
    return this.#state === 'completed' || this.#state === 'aborted' ? step() : this.#alone(undefined, step);
  }

  /** Does something that no turn may run beside, here or in another process. */
  async #alone<T>(signal: AbortSignal | undefined, step: (run: TurnRun) => Promise<T>): Promise<T> {
    let done: Promise<T> | undefined;
    await this.#begin(signal, () => async (run) => {
      done = Promise.resolve().then(() => step(run));
      await done;
    });
    return done as Promise<T>;
  }

  /** Starts a turn. `read` throws what is wrong before anything happens, and gives what is done in it. */
  #begin(signal: AbortSignal | undefined, read: () => Work): Turn {
    const turn = new TurnStream(this.id);
    try {
      const work = read();
      transition(this.id, this.#state, 'send');
      this.#run = new TurnRun(turn, signal);
      this.#options.onBegin?.();
      this.#work = this.#takeTurn(this.#run, work, this.#state);
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
    const before = this.#state === 'active' ? 'idle' : this.#state;
    this.#wasDeleted();
    await this.#record.remove().catch((error: unknown) => {
      this.#state = before;
      throw error;
    });
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
      this.#record.keep(to);
      await this.#record.settled();
      await this.release();
      return;
    }
    if (found === 'active') this.#state = before;
    if (transition(this.id, found, call) !== 'no-op') throw sessionBusy(this.id);
  }

  async #takeTurn(run: TurnRun, work: Work, before: SessionState): Promise<void> {
    this.#state = 'active';
    try {
      const found = await this.#claim();
      if (found === 'claimed') {
        await this.#finishTurn(run, work);
        return;
      }
      transition(this.id, found, 'send');
    } catch (error) {
      if (this.#state === 'active') this.#state = before;
      this.#run = undefined;
      run.turn.fail(error);
    }
  }

  async #finishTurn(run: TurnRun, work: Work): Promise<void> {
    await run.answer(() => work(run));
    // A session that is to be deleted is deleted by the one that asked.
    const to = run.endsIn === 'deleted' ? 'idle' : run.endsIn;
    await this.#record.endTurn(run.usage, to);
    if (this.#state === 'active') this.#state = to;
    this.#run = undefined;
    if (to === 'aborted') await this.release().catch(() => {});
    run.finish();
  }

  #answering(options: SendOptions, prompting: Prompting): Work {
    return async (run) => {
      await this.#ask(run, prompting, options);
      await shortenIfLong(this.#shortening(run, 'limit', options.model), this.#options.isLong);
    };
  }

  #shortening(run: TurnRun, by: Shortening['by'], model = this.model ?? undefined): Shortening {
    return {
      ...{ record: this.#record, run, by, options: { sessionId: this.id, model } },
      ask: (prompt, options) => this.ask(prompt, options),
      transform: (row) => this.transformMessage(row),
    };
  }

  /** Hands over every row of the answer. */
  async #ask(run: TurnRun, prompting: Prompting, options: SendOptions): Promise<void> {
    const prompt = prompting();
    if (prompt === undefined) return run.waitForApproval();
    const { signal: _signal, model = this.#record.facts.model ?? undefined, ...asked } = options;
    const schema = options.schema ?? schemaOf(this.#record.transcript.held);
    const rows = this.ask(prompt.message, {
      ...{ ...asked, model, schema, sessionId: this.id, history: prompt.history, signal: run.signal },
      agentSessionId: this.agentSessionId ?? undefined,
      onEvent: (event) => run.take(event),
    });
    await run.drain(rows, (message) => this.#take(message));
  }

  #take(message: AdapterMessage): void {
    this.#record.readSessionId(message);
    const kept = this.transformMessage(message);
    if (kept !== undefined) this.#record.append(kept);
  }

  async #claim(): Promise<'claimed' | SessionState> {
    const found = await this.#record.claim();
    this.#meet(found);
    return found;
  }

  /** Another process may have ended the session. */
  #meet(found: 'claimed' | SessionState | undefined): void {
    if (found === 'deleted') this.#wasDeleted();
    else if (found === 'completed' || found === 'aborted' || (found === 'idle' && this.#state === 'created')) {
      this.#state = found;
    }
  }

  #wasDeleted(): void {
    this.#state = 'deleted';
    this.#record.drop();
    this.#run?.stop('deleted');
  }
}
