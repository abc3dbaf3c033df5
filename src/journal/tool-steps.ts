import type { MarkRecord, ToolRecord } from '../core/journal.js';
import { errorOutput, type ToolOutput } from '../core/message.js';
import type { KeptRun, ToolSteps } from '../tools/call/call-scope.js';
import { abortError, raceAbort } from '../util/abort.js';
import { toPlain } from './plain.js';

/** Keeps one step of a call's tool, as `CallJournal` does it. */
type KeepStep = <Kept extends ToolRecord | MarkRecord>(
  suffix: '' | '/start',
  kind: 'tool' | 'mark',
  run: () => Promise<Kept>,
) => Promise<Kept>;

export interface CallStepsOptions {
  readonly seed: string;
  /** When the calls before it have begun their steps. */
  readonly ready: Promise<void>;
  /** Lets the next call begin its own. */
  readonly pass: () => void;
  readonly keep: KeepStep;
  /** A tool was run, and not replayed. */
  readonly onRun: () => void;
}

/**
 * The steps of one call of a tool. Calls begin theirs one after another, in the order of the calls, since some engines
 * compare that order: however many tools run at once, and however long somebody takes to approve one.
 */
export class CallSteps implements ToolSteps {
  readonly ready: Promise<void>;
  readonly pass: () => void;
  readonly seed: string;
  readonly #options: CallStepsOptions;

  constructor(options: CallStepsOptions) {
    this.#options = options;
    this.ready = options.ready;
    this.pass = options.pass;
    this.seed = options.seed;
  }

  async keep({ signal, mayRepeat, run, onReplay }: KeptRun): Promise<ToolOutput> {
    const { keep, onRun } = this.#options;
    // A journal that does not answer keeps no call from its end.
    const mayRun = mayRepeat || (await raceAbort(this.#isFirst(), signal));
    let isLive = false;
    const kept = keep('', 'tool', async (): Promise<ToolRecord> => {
      isLive = mayRun;
      if (signal.aborted) throw abortError(signal);
      onRun();
      if (!mayRun) return { version: 1, output: INTERRUPTED, interrupted: true };
      // An output; a function of the app may have made it of what is no JSON.
      return { version: 1, output: toPlain(await run()) as unknown as ToolOutput };
    });
    this.pass();
    const { output } = await raceAbort(kept, signal);
    if (!isLive) onReplay(output);
    return output;
  }

  /** Whether no attempt before this one may have started the tool. */
  async #isFirst(): Promise<boolean> {
    const mine = crypto.randomUUID();
    const { attempt } = await this.#options.keep('/start', 'mark', async () => ({ version: 1, attempt: mine }));
    return attempt === mine;
  }
}

const INTERRUPTED = errorOutput(
  'Interrupted: the outcome of this call is unknown. The process that ran it ended before the outcome was recorded, so it may have taken effect or not. It was not run again: find out before you repeat it.',
);
