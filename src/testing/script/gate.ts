/** A promise that a test settles by hand, to hold a scripted server at a known place. */
export interface Gate {
  /** Resolves once `release()` was called. */
  readonly released: Promise<void>;
  /** Resolves `released`; a second call changes nothing. */
  release(): void;
}

/**
 * Makes a closed gate. Put `gate.released` into a step's events, or into its `after`, and call `release()` when the
 * server may continue.
 *
 * @example
 * const gate = createGate();
 * const server = await createScriptedServer({ steps: [{ events: [...opening, gate.released, ...rest] }] });
 * gate.release();
 */
export function createGate(): Gate {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { released, release: () => release() };
}
