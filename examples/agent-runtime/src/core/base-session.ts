import type { AdapterOptions, AgentAdapter } from '../types/adapter.js';
import type { SendOptions } from '../types/driver.js';
import type { SessionMetadata, SessionOptions } from '../types/factory.js';
import type { AdapterMessage, ContentBlock, StoredMessage, TokenUsage, UserMessage } from '../types/messages.js';
import type { AgentPersister } from '../types/persister.js';
import type { Session, SessionCall, SessionState, Turn } from '../types/session.js';
import { AgentError } from './agent-error.js';
import { type ReadContent, readContent } from './content.js';
import { cutOffRows } from './cut-off.js';
import { interruptedResult, openCalls } from './open-calls.js';
import { SessionFacts } from './session-facts.js';
import { sessionBusy, transition } from './states.js';
import { Transcript } from './transcript.js';
import { TurnRun } from './turn-run.js';
import { TurnStream } from './turn-stream.js';
import { WriteQueue } from './write-queue.js';

/** How long the end of a turn waits for its rows to be written; a slow disk must not stop the talk. */
const SETTLE_MS = 1000;

/** What a session is made of. */
export interface SessionParts {
  readonly id: string;
  readonly metadata: SessionMetadata;
  readonly adapter: AgentAdapter;
  readonly options: SessionOptions;
  readonly persister?: AgentPersister | undefined;
  readonly messages?: readonly StoredMessage[] | undefined;
  readonly usage?: TokenUsage | null | undefined;
}

/**
 * The states of a session, the order of its rows and when they are written. A kind of session says only how a message is
 * answered.
 */
export abstract class BaseSession implements Session {
  readonly id: string;
  readonly #facts: SessionFacts;
  readonly #persister: AgentPersister | undefined;
  readonly #options: SessionOptions;
  readonly #transcript: Transcript;
  readonly #queue: WriteQueue;
  #state: SessionState;
  #run: TurnRun | undefined;
  #agentSessionId: string | null = null;
  /** What runs now, or ran last; never rejects. */
  #work: Promise<void> = Promise.resolve();

  constructor(parts: SessionParts) {
    const { id, metadata, options, persister } = parts;
    this.id = id;
    this.#options = options;
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
    await this.#readNews(persister);
  }

  flush(): Promise<void> {
    return this.#queue.flush();
  }

  send(content: string | readonly ContentBlock[], options: SendOptions = {}): Turn {
    const turn = new TurnStream(this.id);
    try {
      const words = readContent(content);
      transition(this.id, this.#state, 'send');
      const before = this.#state;
      const run = new TurnRun(turn, options.signal);
      this.#state = 'active';
      this.#run = run;
      this.#work = this.#takeTurn(run, words, options, before);
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

  async #takeTurn(run: TurnRun, words: ReadContent, options: SendOptions, before: SessionState): Promise<void> {
    try {
      const found = await this.#claim();
      if (found === 'claimed') {
        await this.#finishTurn(run, words, options);
        return;
      }
      transition(this.id, found, 'send');
    } catch (error) {
      if (this.#state === 'active') this.#state = before;
      this.#run = undefined;
      run.turn.fail(error);
    }
  }

  async #finishTurn(run: TurnRun, words: ReadContent, options: SendOptions): Promise<void> {
    await run.answer(() => this.#ask(run, words, options));
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

  /** Writes down what the user says, then hands over every row of the answer. */
  async #ask(run: TurnRun, words: ReadContent, options: SendOptions): Promise<void> {
    const history = this.#transcript.messages;
    const row = this.#append(words.row, this.#transcript.lastTurn + 1);
    this.#facts.hear(row);
    const { signal: _signal, model = this.#facts.model ?? undefined, ...asked } = options;
    const rows = this.ask(
      { id: row.id, content: words.content },
      {
        ...asked,
        model,
        sessionId: this.id,
        history,
        signal: run.signal,
        agentSessionId: this.#agentSessionId ?? undefined,
        onEvent: (event) => run.take(event),
      },
    );
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

  #append(message: AdapterMessage, turn = this.#transcript.lastTurn): StoredMessage {
    const row = this.#transcript.append(message, turn, crypto.randomUUID());
    this.#queue.addMessage(row);
    return row;
  }

  #keep(state: SessionState): void {
    this.#facts.enter(state);
    this.#queue.addSession();
  }

  /**
   * Makes sure that no other process is in a turn of this session, and reads what others have written meanwhile. Answers
   * with the state that it found in the way.
   */
  async #claim(): Promise<'claimed' | SessionState> {
    await this.#queue.settled(SETTLE_MS);
    const persister = this.#persister;
    if (persister?.claimSession === undefined) {
      this.#facts.keptState = 'active';
      this.#queue.addSession();
      return 'claimed';
    }
    try {
      const claim = await persister.claimSession(this.id);
      if (claim.outcome === 'busy') return 'active';
      if (claim.outcome === 'deleted') this.#wasDeleted();
      if (claim.outcome === 'closed') this.#state = claim.state;
      if (claim.outcome !== 'claimed') return this.#state;
      this.#facts.keptState = 'active';
      await this.#catchUp(persister, claim.wasActive);
    } catch (error) {
      if (error instanceof AgentError && error.code === 'disposed') throw error;
      // A database that fails does not stop the talk.
      this.#options.onPersistError?.(error);
    }
    return 'claimed';
  }

  async #catchUp(persister: AgentPersister, wasActive: boolean): Promise<void> {
    await this.#readNews(persister);
    if (wasActive) for (const row of cutOffRows(this.#transcript.messages)) this.#append(row);
  }

  /** Takes over the rows of other processes, and what they counted. */
  async #readNews(persister: AgentPersister): Promise<void> {
    const news = await persister.getMessages(this.id, { after: this.#transcript.lastSeq });
    if (news.length === 0) return;
    this.#transcript.adopt(news);
    for (const row of news) this.#readSessionId(row);
    this.#facts.adopt(await persister.getSession(this.id));
  }

  #wasDeleted(): void {
    this.#state = 'deleted';
    this.#queue.drop();
    this.#run?.stop('deleted');
  }
}
