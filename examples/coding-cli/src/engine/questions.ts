/** Questions that wait for a person, by the call they are about. */
export class Questions<Answer> {
  readonly #open = new Map<string, (answer: Answer) => void>();
  readonly #timeoutMs: number | undefined;
  readonly #no: (reason: string) => Answer;
  #isClosed = false;

  /** `no`: the answer if nobody gives one, for this reason. */
  constructor(timeoutMs: number | undefined, no: (reason: string) => Answer) {
    this.#timeoutMs = timeoutMs;
    this.#no = no;
  }

  /** `undefined`: the signal fired first, and nobody waits for the answer any more. */
  ask(callId: string, signal: AbortSignal): Promise<Answer | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    if (this.#isClosed) return Promise.resolve(this.#no(NOBODY));
    return new Promise((resolve) => {
      const timer =
        this.#timeoutMs === undefined
          ? undefined
          : setTimeout(() => end(this.#no('nobody answered in time')), this.#timeoutMs);
      const onAbort = (): void => end(undefined);
      const end = (answer: Answer | undefined): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        if (this.#open.get(callId) === end) this.#open.delete(callId);
        resolve(answer);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#open.set(callId, end);
    });
  }

  /** Whether there was such a question. */
  answer(callId: string, answer: Answer): boolean {
    const end = this.#open.get(callId);
    end?.(answer);
    return end !== undefined;
  }

  /** Nobody can answer any more: what is open is denied, and so is what will be asked. */
  close(): void {
    this.#isClosed = true;
    for (const end of this.#open.values()) end(this.#no(NOBODY));
  }
}

const NOBODY = 'there is nobody left to ask';
