import type { KeptTurn, LatestTurn, TurnEngine } from 'responses-loop-example-shared/engine/types.js';
import { checkSchema } from '../adapters/checked-answer.js';
import { ResponsesSession } from '../adapters/responses.js';
import { answerRows } from '../core/approvals.js';
import { readContent } from '../core/content.js';
import { checkMessageId, messageExists } from '../core/message-id.js';
import type { SessionParts } from '../core/session-parts.js';
import { sessionBusy, transition } from '../core/states.js';
import { TurnStream } from '../core/turn-stream.js';
import type { AdapterOptions } from '../types/adapter.js';
import type { ApprovalAnswer } from '../types/approvals.js';
import type { MessageOptions, SendOptions } from '../types/driver.js';
import type { SessionFactory } from '../types/factory.js';
import type { AdapterMessage, ContentBlock, UserMessage } from '../types/messages.js';
import type { SessionState, Turn } from '../types/session.js';
import { KeptTurnStream } from './kept-turn-stream.js';
import type { TurnInput } from './turn-input.js';

/** A session whose turns run in whichever instance the engine has them. */
class EngineSession extends ResponsesSession {
  readonly #engine: TurnEngine;
  #latest: LatestTurn | undefined;

  constructor(parts: SessionParts, engine: TurnEngine) {
    super(parts);
    this.#engine = engine;
  }

  override get state(): SessionState {
    return this.#latest?.hasEnded === false ? 'active' : super.state;
  }

  override get currentTurn(): Turn | null {
    return this.#latest?.hasEnded === false ? this.#streamOf(this.#latest) : null;
  }

  /** The last turn, if it has ended: a client may have lost its connection before the end. */
  get endedTurn(): Turn | null {
    return this.#latest?.hasEnded === true ? this.#streamOf(this.#latest) : null;
  }

  override async refresh(): Promise<void> {
    this.#latest = await this.#engine.latest(this.id);
    await super.refresh();
  }

  override send(content: string | readonly ContentBlock[], { signal, ...options }: MessageOptions = {}): Turn {
    return this.#start(signal, () => {
      if (options.schema !== undefined) checkSchema(options.schema);
      this.#checkId(options.id);
      return { content: readContent(content).content, options };
    });
  }

  override answer(answers: readonly ApprovalAnswer[], { signal, ...options }: SendOptions = {}): Turn {
    return this.#start(signal, () => {
      answerRows(this.getMessages(), answers);
      return { answers, options };
    });
  }

  override async interrupt(): Promise<void> {
    if (!(await this.#stop('idle'))) await super.interrupt();
  }

  override async abort(): Promise<void> {
    if (!(await this.#stop('aborted'))) await super.abort();
  }

  override async complete(): Promise<void> {
    await this.refresh();
    if (this.state === 'active') throw sessionBusy(this.id);
    await super.complete();
  }

  override async delete(): Promise<void> {
    await this.#stop('deleted');
    await super.delete();
    await this.#engine.forget(this.id);
  }

  /** Only summaries are asked for here. The driver is given back in time for the turn that may follow elsewhere. */
  protected override async *ask(prompt: UserMessage, options: AdapterOptions): AsyncGenerator<AdapterMessage> {
    try {
      yield* super.ask(prompt, options);
    } finally {
      await super.release();
    }
  }

  /** What the adapter has for this session is that of a turn, which may run on. */
  protected override async release(): Promise<void> {}

  /** Returns whether a turn was running. */
  async #stop(how: string): Promise<boolean> {
    // Its turns go on at another instance.
    if (this.#engine.isClosed) return true;
    const wasRunning = await this.#engine.stop(this.id, how);
    await this.refresh();
    return wasRunning;
  }

  #start(signal: AbortSignal | undefined, read: () => TurnInput): Turn {
    try {
      const input = read();
      transition(this.id, super.state, 'send');
      const turn = this.#begin(input);
      signal?.addEventListener('abort', () => void turn.then(() => this.interrupt()).catch(() => {}), { once: true });
      return new KeptTurnStream({ ...this.#following(), turn });
    } catch (error) {
      return TurnStream.failed(this.id, error);
    }
  }

  /** A message whose turn runs may not be stored yet. */
  #checkId(id: string | undefined): void {
    checkMessageId(id, this.getMessages());
    const running = this.#latest?.hasEnded === false ? idOf(this.#latest.input as TurnInput) : undefined;
    if (id !== undefined && running === id) throw messageExists(id);
  }

  async #begin(input: TurnInput): Promise<KeptTurn> {
    const turn = await this.#engine.start({ id: crypto.randomUUID(), stream: this.id, input });
    if (turn === 'busy') {
      await this.refresh();
      this.#checkId(idOf(input));
      throw sessionBusy(this.id);
    }
    this.#latest = { ...turn, hasEnded: false };
    return turn;
  }

  #streamOf(turn: KeptTurn): Turn {
    return new KeptTurnStream({ ...this.#following(), turn: Promise.resolve(turn) });
  }

  #following(): Pick<ConstructorParameters<typeof KeptTurnStream>[0], 'sessionId' | 'engine' | 'onEnd'> {
    return { sessionId: this.id, engine: this.#engine, onEnd: () => this.refresh() };
  }
}

function idOf(input: TurnInput): string | undefined {
  return 'content' in input ? input.options.id : undefined;
}

/** Makes sessions of an engine that is opened before the first of them is asked for. */
export function engineSessionFactory(engine: () => TurnEngine): SessionFactory {
  return {
    createSession: (id, metadata, adapter, options, persister, messages, usage) =>
      new EngineSession({ id, metadata, adapter, options, persister, messages, usage }, engine()),
  };
}
