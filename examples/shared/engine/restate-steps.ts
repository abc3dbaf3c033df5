import type { WorkflowContext } from '@restatedev/restate-sdk';
import type { StepKeeper } from './turn-runner.js';

/** What a step came to, as JSON: an error that was not a value would make Restate run the step again. */
type Outcome<T> = { readonly value?: T } | { readonly error: PlainError };

interface PlainError {
  readonly name: string;
  readonly message: string;
  readonly code?: unknown;
}

/** The steps of an attempt are other ones than those in the journal. */
const OTHER_STEPS = 570;

/** The steps of one attempt, in the journal of Restate. */
export class RestateSteps implements StepKeeper {
  /** Rejects once the attempt is cut. */
  readonly cut: Promise<never>;
  readonly lost: () => void;
  readonly #context: WorkflowContext;
  readonly #givenUp = new AbortController();
  /** Rejects once no step of it can be kept or found. */
  readonly #refused: Promise<never>;
  readonly #refuse: (error: unknown) => void;
  #isRefused = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(context: WorkflowContext) {
    this.#context = context;
    const [cut, cutNow] = rejection();
    const [refused, refuse] = rejection();
    this.cut = cut;
    this.#refused = refused;
    this.#refuse = refuse;
    this.lost = () => cutNow(new Error('This instance has lost the turn.'));
    context.request().attemptCompletedSignal.addEventListener('abort', () => {
      if (!this.#isRefused) this.#givenUp.abort();
    });
  }

  get givenUp(): AbortSignal {
    return this.#givenUp.signal;
  }

  /** What the SDK ended the attempt with. Restate would begin it again and again: the turn has to end here. */
  ended(error: unknown): void {
    if (!hasCode(error, OTHER_STEPS)) return;
    this.#isRefused = true;
    this.#refuse(error);
  }

  /** The SDK lets one promise of a context be awaited at a time: steps run in the order in which they are asked for. */
  keep<T>(name: string, run: () => Promise<T>): Promise<T> {
    const step = this.#last.then(() => this.#keep(name, run));
    this.#last = step.catch(() => {});
    return step;
  }

  isLoss(): boolean {
    return false;
  }

  async #keep<T>(name: string, run: () => Promise<T>): Promise<T> {
    let thrown: { readonly error: unknown } | undefined;
    const kept = this.#context.run(name, async (): Promise<Outcome<T>> => {
      try {
        return { value: await run() };
      } catch (error) {
        thrown = { error };
        return { error: plain(error) };
      }
    });
    const outcome = await Promise.race([kept, this.#refused]);
    if (thrown !== undefined) throw thrown.error;
    if ('error' in outcome) throw Object.assign(new Error(outcome.error.message), outcome.error);
    return outcome.value as T;
  }
}

function plain(error: unknown): PlainError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message } = error;
  return { name, message, ...('code' in error && { code: error.code }) };
}

function rejection(): [Promise<never>, (error: unknown) => void] {
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<never>((_resolve, now) => (reject = now));
  promise.catch(() => {});
  return [promise, reject];
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
