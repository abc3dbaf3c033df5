import { Channel } from '../adapters/channel.js';
import { DriverState, type Reception } from '../driver/driver-state.js';
import { event } from '../driver/events.js';
import { contentText } from '../core/content.js';
import type { Driver, DriverConfig, DriverStreamEvent, SendOptions, UserMessage } from '../types/index.js';
import type { Dialect, DialectFactory, DialectOptions, Line } from './dialect.js';
import { JsonLinesProcess } from './json-lines-process.js';

export interface ProcessDriverOptions extends DialectOptions {
  /** What errors and `name` call it. */
  readonly name: string;
  /** The program and its arguments; started without a shell, in `cwd`, when the first message comes. */
  readonly command: readonly string[];
  /** What its lines mean. */
  readonly dialect: DialectFactory;
  /** Default: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** How long an interrupted program may take to end its answer. */
const GRACE_MS = 1_000;

/**
 * Talks to a program that speaks JSON lines. The program has the model, the tools and the memory; it runs from the first
 * message until `dispose()`, and a new one resumes the talk if it ended.
 */
export function createProcessDriver(options: ProcessDriverOptions, config: Partial<DriverConfig> = {}): Driver {
  return new ProcessDriver(options, config);
}

class ProcessDriver implements Driver {
  readonly name: string;
  readonly supportedProtocols = [] as const;
  readonly #options: ProcessDriverOptions;
  readonly #config: Partial<DriverConfig>;
  readonly #state: DriverState;
  #dialect: Dialect | undefined;
  #process: JsonLinesProcess | undefined;
  #sessionId: string | null;
  #answer: Channel<DriverStreamEvent> | undefined;

  constructor(options: ProcessDriverOptions, config: Partial<DriverConfig>) {
    this.name = options.name;
    this.#options = options;
    this.#config = config;
    this.#state = new DriverState(options.name);
    this.#sessionId = config.resumeSessionId ?? null;
  }

  get sessionId(): string | null {
    return this.#sessionId;
  }

  get state(): Driver['state'] {
    return this.#state.state;
  }

  async initialize(): Promise<void> {
    this.#state.initialize();
  }

  receive(message: UserMessage, options: SendOptions = {}): AsyncIterable<DriverStreamEvent> {
    const reception = this.#state.start({ signal: options.signal, timeoutMs: this.#config.timeout });
    return this.#ask(message, reception);
  }

  interrupt(): void {
    this.#state.interrupt();
  }

  async dispose(): Promise<void> {
    if (this.#state.dispose()) await this.#process?.close();
  }

  async *#ask(message: UserMessage, reception: Reception): AsyncGenerator<DriverStreamEvent> {
    reception.begin();
    const answer = new Channel<DriverStreamEvent>();
    this.#answer = answer;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = (): void => {
      if (this.#dialect !== undefined) this.#process?.write(this.#dialect.interrupt());
      timer = setTimeout(() => answer.end(), GRACE_MS);
    };
    try {
      const { dialect, process } = this.#running();
      process.write(dialect.message(message, contentText(message.content)));
      if (reception.signal.aborted) stop();
      else reception.signal.addEventListener('abort', stop, { once: true });
      for await (const heard of answer) {
        // Why it was interrupted is known here.
        if (heard.type === 'interrupted' || (reception.signal.aborted && heard.type === 'message_stop')) break;
        yield heard;
        if (heard.type === 'message_stop') return;
      }
      yield event('interrupted', { reason: reception.reason() });
    } finally {
      clearTimeout(timer);
      reception.signal.removeEventListener('abort', stop);
      this.#answer = undefined;
      this.#state.end(reception);
    }
  }

  /** The program, started if none runs. */
  #running(): { readonly dialect: Dialect; readonly process: JsonLinesProcess } {
    if (this.#dialect !== undefined && this.#process?.isOver === false) {
      return { dialect: this.#dialect, process: this.#process };
    }
    const { dialect: create, command, env, approve } = this.#options;
    const dialect = create({ approve });
    const resumed = this.#sessionId === null ? [] : dialect.resume(this.#sessionId);
    const process = new JsonLinesProcess({
      command: [...command, ...resumed],
      cwd: this.#config.cwd,
      env,
      onLine: (line) => this.#hear(dialect, process, line),
      onEnd: (reason) => this.#failed(reason),
    });
    this.#dialect = dialect;
    this.#process = process;
    return { dialect, process };
  }

  #hear(dialect: Dialect, process: JsonLinesProcess, line: Line): void {
    const { events = [], answers = [], sessionId } = dialect.hear(line);
    if (sessionId !== undefined && sessionId !== '' && sessionId !== this.#sessionId) {
      this.#sessionId = sessionId;
      this.#config.onSessionIdCaptured?.(sessionId);
    }
    for (const reply of answers) process.write(reply);
    for (const one of events) this.#answer?.push(one);
  }

  /** The program ended; an answer that was not over has failed. */
  #failed(reason: string): void {
    this.#answer?.push(event('error', { message: reason, errorCode: 'program_ended', isRetryable: true }));
    this.#answer?.push(event('message_stop', { stopReason: 'error' }));
  }
}
