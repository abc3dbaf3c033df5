import { AgentError } from '../core/agent-error.js';
import { interruptReasonOf } from '../core/interrupt-reason.js';
import type { InterruptReason } from '../types/events.js';

/** One `receive()` while it runs. */
export interface Reception {
  /** It is being read. One that never is ends when it is interrupted. */
  begin(): void;
  readonly signal: AbortSignal;
  /** Why it was interrupted. */
  readonly reason: () => InterruptReason;
}

interface Running extends Reception {
  readonly stop: (reason: InterruptReason) => void;
  readonly release: () => void;
  readonly hasBegun: () => boolean;
}

export interface ReceptionOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

/** What a driver may do when: initialize once, receive one message at a time, nothing after `dispose()`. */
export class DriverState {
  readonly #name: string;
  #isInitialized = false;
  #isDisposed = false;
  #running: Running | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  get state(): 'idle' | 'active' | 'disposed' {
    if (this.#isDisposed) return 'disposed';
    return this.#running === undefined ? 'idle' : 'active';
  }

  initialize(): void {
    if (this.#isDisposed) throw new AgentError('disposed', `initialize(): the ${this.#name} driver was disposed.`);
    if (this.#isInitialized) {
      throw new AgentError('already_initialized', `The ${this.#name} driver was initialized already.`);
    }
    this.#isInitialized = true;
  }

  /** Starts a reception; throws if there cannot be one now. */
  start(options: ReceptionOptions): Reception {
    this.check('receive');
    if (this.#running !== undefined) {
      throw new AgentError('driver_busy', `receive(): the ${this.#name} driver has not ended its answer yet.`);
    }
    const running = openReception(options);
    this.#running = running;
    return running;
  }

  end(reception: Reception): void {
    if (this.#running !== reception) return;
    this.#running.release();
    this.#running = undefined;
  }

  interrupt(): void {
    this.check('interrupt');
    const running = this.#running;
    running?.stop('user');
    if (running?.hasBegun() === false) this.end(running);
  }

  /** Says whether there is something to dispose of. */
  dispose(): boolean {
    if (this.#isDisposed) return false;
    this.check('dispose');
    this.#isDisposed = true;
    this.#running?.stop('user');
    return true;
  }

  check(call: string): void {
    if (this.#isDisposed) throw new AgentError('disposed', `${call}(): the ${this.#name} driver was disposed.`);
    if (this.#isInitialized) return;
    throw new AgentError('not_initialized', `${call}(): call initialize() of the ${this.#name} driver first.`);
  }
}

function openReception({ signal, timeoutMs }: ReceptionOptions): Running {
  const controller = new AbortController();
  let why: InterruptReason = 'user';
  const stop = (reason: InterruptReason): void => {
    if (controller.signal.aborted) return;
    why = reason;
    controller.abort();
  };
  const follow = (): void => stop(interruptReasonOf(signal?.reason));
  if (signal?.aborted === true) follow();
  signal?.addEventListener('abort', follow, { once: true });
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => stop('timeout'), timeoutMs);
  const release = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', follow);
  };
  let hasBegun = false;
  const begin = (): void => {
    hasBegun = true;
  };
  return { signal: controller.signal, reason: () => why, begin, hasBegun: () => hasBegun, stop, release };
}
