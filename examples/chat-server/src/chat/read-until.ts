export interface ReadUntilOptions {
  readonly signal: AbortSignal;
  /** How long a stream may go on after the signal has fired. */
  readonly patienceMs: number;
  readonly onGivenUp: () => void;
}

/** What a stream says; a tool that does not end when it is stopped keeps nobody waiting for ever. */
export async function* readUntil<T>(stream: ReadableStream<T>, options: ReadUntilOptions): AsyncGenerator<T> {
  const { signal, patienceMs, onGivenUp } = options;
  const reader = stream.getReader();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let giveUp = (): void => {};
  const late = new Promise<undefined>((resolve) => {
    giveUp = () => resolve(undefined);
  });
  const onAbort = (): void => {
    timer = setTimeout(giveUp, patienceMs);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    for (;;) {
      const next = await Promise.race([reader.read(), late]);
      if (next === undefined) return onGivenUp();
      if (next.done) return;
      yield next.value;
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
