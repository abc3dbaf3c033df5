/**
 * Has turns run, at another instance if theirs is lost, and keeps what their steps came to. The rest is the same for all
 * engines, in the tables of turns: one turn a stream, its events, its end, its stop, and which attempt may write.
 */
export interface TurnRunner {
  /** From now on attempts may run here. */
  open(host: TurnHost): Promise<void>;
  /** Has a turn run, here or at another instance. */
  begin(id: string): Promise<void>;
  /** Has a turn go on whose instance is lost. False if the runner is done with it: then no attempt can go on. */
  goOn(id: string): Promise<boolean>;
  /** Deletes what is kept of turns that have ended. */
  forget(ids: readonly string[]): Promise<void>;
  /** Nothing runs here any more. */
  close(): Promise<void>;
}

/** This instance, as its runner sees it. */
export interface TurnHost {
  readonly name: string;
  readonly isReady: boolean;
  /** Runs one attempt at a turn. Does not return if the turn is another attempt's. */
  run(id: string, steps: StepKeeper): Promise<void>;
}

/** The steps of one attempt. */
export interface StepKeeper {
  /** Keeps the result of a step, or brings the one that is kept. */
  keep<T>(name: string, run: () => Promise<T>): Promise<T>;
  /** Whether an error of `keep` means that another attempt has the turn. */
  isLoss(error: unknown): boolean;
  /** Aborts once the runner has given the attempt up. */
  readonly givenUp?: AbortSignal | undefined;
  /** Is called once the attempt is cut: nothing of it settles any more. */
  lost?(): void;
}
