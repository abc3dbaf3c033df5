import { withinGrace } from '../core/abortable.js';
import { BaseSession } from '../core/base-session.js';
import type { SessionParts } from '../core/session-parts.js';
import { TurnStream } from '../core/turn-stream.js';
import { RowBuilder } from '../driver/row-builder.js';
import type { AdapterOptions, AgentAdapter } from '../types/adapter.js';
import type { Driver, DriverConfig, DriverFactory, MessageOptions } from '../types/driver.js';
import type { DriverStreamEvent } from '../types/events.js';
import type { SessionFactory } from '../types/factory.js';
import type { AdapterMessage, ContentBlock, StoredMessage, UserMessage } from '../types/messages.js';
import type { Turn } from '../types/session.js';
import { Channel } from './channel.js';
import { checkedAnswer, checkSchema } from './checked-answer.js';

/** How long a driver that was interrupted may take to say its last event. */
const GRACE_MS = 1500;

export interface ResponsesAdapterOptions {
  readonly name?: string | undefined;
  readonly createDriver: DriverFactory;
  readonly config: DriverConfig;
  /** Closes what the drivers share. */
  readonly close?: (() => Promise<void>) | undefined;
}

/** What is kept for a session: its driver, and what that may read and write. */
interface Seat {
  readonly driver: Driver;
  readonly ready: Promise<void>;
  history: readonly StoredMessage[];
  onMessage: (message: AdapterMessage) => void;
  onAgentSession: (id: string) => void;
  agentSessionId: string | undefined;
}

/** Answers through a driver, one for each session. */
export class ResponsesAdapter implements AgentAdapter {
  readonly #options: ResponsesAdapterOptions;
  readonly #seats = new Map<string, Seat>();

  constructor(options: ResponsesAdapterOptions) {
    this.#options = options;
  }

  getName(): string {
    return this.#options.name ?? 'responses';
  }

  async *stream(prompt: UserMessage, options: AdapterOptions): AsyncGenerator<AdapterMessage> {
    const seat = this.#seat(options);
    const channel = new Channel<AdapterMessage>();
    const rows = new RowCollector(seat.driver.reportsMessages === true, (row) => channel.push(row));
    seat.history = options.history;
    seat.onMessage = (row) => rows.take(row);
    seat.onAgentSession = (id) => {
      if (id !== options.agentSessionId) channel.push(agentSessionRow(id));
    };
    if (seat.agentSessionId !== undefined) seat.onAgentSession(seat.agentSessionId);
    // A row may be there long before the next event, while a tool runs: it is handed over at once.
    this.#read(seat, prompt, options, rows).then(
      () => channel.end(),
      (error: unknown) => channel.end(error),
    );
    yield* channel;
  }

  async #read(seat: Seat, prompt: UserMessage, options: AdapterOptions, rows: RowCollector): Promise<void> {
    const { sessionId, history: _history, agentSessionId: _agentSessionId, signal, onEvent, ...sent } = options;
    const isReady = await withinGrace(
      seat.ready.then(() => true),
      signal,
      GRACE_MS,
    );
    if (isReady === undefined) return;
    const events = seat.driver.receive(prompt, { ...sent, signal })[Symbol.asyncIterator]();
    const interrupt = (): void => seat.driver.interrupt();
    signal.addEventListener('abort', interrupt, { once: true });
    try {
      for (;;) {
        const next = await withinGrace(events.next(), signal, GRACE_MS);
        if (next === undefined) this.#giveUp(sessionId, seat);
        if (next === undefined || next.done === true) return;
        rows.read(next.value);
        onEvent?.(next.value);
      }
    } finally {
      signal.removeEventListener('abort', interrupt);
      rows.end();
    }
  }

  async release(sessionId: string): Promise<void> {
    const seat = this.#seats.get(sessionId);
    this.#seats.delete(sessionId);
    if (seat === undefined) return;
    // A driver that could not be initialized has nothing to dispose of.
    await seat.ready.then(
      () => seat.driver.dispose(),
      () => {},
    );
  }

  async close(): Promise<void> {
    try {
      await Promise.all([...this.#seats.keys()].map((id) => this.release(id)));
    } finally {
      await this.#options.close?.();
    }
  }

  /** A driver that does not end will not answer the next message either. */
  #giveUp(sessionId: string, seat: Seat): void {
    this.#seats.delete(sessionId);
    seat.driver.dispose().catch(() => {});
  }

  #seat({ sessionId, agentSessionId }: AdapterOptions): Seat {
    const known = this.#seats.get(sessionId);
    if (known !== undefined) return known;
    const { config, createDriver } = this.#options;
    const before = (): readonly StoredMessage[] => config.session?.getMessages() ?? [];
    const driver = createDriver({
      ...config,
      session: { id: sessionId, getMessages: () => [...before(), ...(this.#seats.get(sessionId)?.history ?? [])] },
      onMessage: (message) => this.#seats.get(sessionId)?.onMessage(message),
      ...(agentSessionId === undefined ? {} : { resumeSessionId: agentSessionId }),
      onSessionIdCaptured: (id) => {
        config.onSessionIdCaptured?.(id);
        if (id === sessionId) return; // A driver without sessions of its own goes by ours.
        seat.agentSessionId = id;
        seat.onAgentSession(id);
      },
    });
    const seat: Seat = {
      driver,
      ready: Promise.resolve().then(() => driver.initialize()),
      history: [],
      onMessage: () => {},
      onAgentSession: () => {},
      agentSessionId: undefined,
    };
    // One that could not be made is tried again by the next message.
    seat.ready.catch(() => this.#seats.delete(sessionId));
    this.#seats.set(sessionId, seat);
    return seat;
  }
}

function agentSessionRow(id: string): AdapterMessage {
  return { type: 'system', content: id, metadata: { kind: 'agent_session' } };
}

/** The rows of a turn: those that the driver reports, or else those that its events make. */
class RowCollector {
  readonly #isReported: boolean;
  readonly #onRow: (row: AdapterMessage) => void;
  readonly #names = new Map<string, string>();
  readonly #builder: RowBuilder;

  constructor(isReported: boolean, onRow: (row: AdapterMessage) => void) {
    this.#isReported = isReported;
    this.#onRow = onRow;
    this.#builder = new RowBuilder(onRow);
  }

  take(row: AdapterMessage): void {
    if (this.#isReported) this.#onRow(row);
  }

  read(event: DriverStreamEvent): void {
    if (this.#isReported) return;
    const builder = this.#builder;
    if (event.type === 'text_delta') {
      builder.endSaying('thinking', '');
      builder.say('text', '', event.data.text);
    } else if (event.type === 'thinking_delta') {
      builder.endSaying('text', '');
      builder.say('thinking', '', event.data.text);
    } else if (event.type === 'tool_use_stop') {
      const { toolCallId, toolName, input } = event.data;
      builder.flush();
      this.#names.set(toolCallId, toolName);
      builder.call(toolCallId, toolName, input, { providerExecuted: true });
    } else if (event.type === 'tool_result') {
      const { toolCallId, result, isError } = event.data;
      builder.flush();
      builder.result(toolCallId, this.#names.get(toolCallId) ?? '', result, { providerExecuted: true, isError });
    }
  }

  end(): void {
    this.#builder.flush();
  }
}

/** A session that an adapter answers. Extend it to change what is kept of an answer. */
export class ResponsesSession extends BaseSession {
  readonly #adapter: AgentAdapter;

  constructor(parts: SessionParts) {
    super(parts);
    this.#adapter = parts.adapter;
  }

  override send(content: string | readonly ContentBlock[], options: MessageOptions = {}): Turn {
    try {
      if (options.schema !== undefined) checkSchema(options.schema);
    } catch (error) {
      return TurnStream.failed(this.id, error);
    }
    return super.send(content, options);
  }

  protected ask(prompt: UserMessage, options: AdapterOptions): AsyncGenerator<AdapterMessage> {
    const answer = (given: AdapterOptions) => this.#adapter.stream(prompt, given);
    return options.schema === undefined ? answer(options) : checkedAnswer(options.schema, options, answer);
  }

  protected async release(): Promise<void> {
    await this.#adapter.release?.(this.id);
  }
}

export const responsesSessionFactory: SessionFactory = {
  createSession: (id, metadata, adapter, options, persister, messages, usage) =>
    new ResponsesSession({ id, metadata, adapter, options, persister, messages, usage }),
};
