/** A promise that a test settles by hand, to hold a scripted server at a known place. */
export interface Gate {
  readonly released: Promise<void>;
  release(): void;
}

/**
 * Makes a closed gate. Put `gate.released` into a step's events, or into its `after`, and call `release()` when the server
 * may go on.
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
